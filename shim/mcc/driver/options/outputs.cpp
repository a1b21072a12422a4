#include "outputs.h"

#include <filesystem>

#include "llvm/ADT/STLExtras.h"
#include "mcc/driver/errors.h"

namespace musashim::mcc {
namespace {

namespace fs = std::filesystem;

void setOutput(Options& options, const std::string& name) {
  options.output = (fs::path(options.outputFolder) / name).string();
  options.clangArguments.insert(options.clangArguments.end(), {"-o", options.output});
}

// The command with one of its inputs.
Options onlyWith(const Options& options, const Input& input) {
  Options one = options;
  one.inputs = {input};
  for (size_t i = options.inputs.size(); i-- > 0;) {
    const size_t other = options.inputs[i].argument;
    if (other == input.argument) continue;
    one.clangArguments.erase(one.clangArguments.begin() + static_cast<ptrdiff_t>(other));
    if (other < input.argument) --one.inputs[0].argument;
  }
  return one;
}

// The rule that -M prints names the object, which will lie in the folder.
void setTarget(Options& options) {
  const std::string object = fs::path(options.inputs[0].path).stem().string() + ".o";
  options.clangArguments.insert(options.clangArguments.end(),
                                {"-MT", (fs::path(options.outputFolder) / object).string()});
}

bool linksProgram(const Options& options) {
  return options.phase == Phase::kLink && options.passes != Passes::kDeviceOnly;
}

// What the whole command makes of its inputs; empty where each becomes a file of its own.
std::string commonOutput(const Options& options) {
  if (linksProgram(options)) return "a.out";
  if (options.phase == Phase::kDeviceLink) return deviceLinkOutput(options);
  return options.phase == Phase::kArchive ? defaultOutput(options, options.inputs.front()) : std::string();
}

}  // namespace

std::string defaultOutput(const Options& options, const Input& input) {
  const std::string stem = fs::path(input.path).stem().string();
  const bool readable = options.phase == Phase::kAssemble || options.emitLlvm;
  const bool told = options.phase == Phase::kPreprocess || options.phase == Phase::kDependencies;
  if (options.passes == Passes::kDeviceOnly && !readable && !told)
    return stem + "." + (options.module.empty() ? "mufatbin" : options.module);
  switch (options.phase) {
    case Phase::kAssemble:
      return stem + (options.emitLlvm ? ".ll" : ".s");
    case Phase::kCompile:
      return stem + (options.emitLlvm ? ".bc" : ".o");
    case Phase::kArchive:
      return "a.a";
    case Phase::kPreprocess:
      return "-";
    default:
      return {};
  }
}

std::string deviceLinkOutput(const Options& options) {
  return "a_dlink." + (options.module.empty() ? "o" : options.module);
}

int removeOutputs(const Options& options) {
  const bool writesDependencies =
      llvm::is_contained(options.clangArguments, "-MD") || llvm::is_contained(options.clangArguments, "-MMD");
  std::vector<fs::path> files;
  for (const Options& one : withOutputFolder(options)) {
    const std::string common = commonOutput(one);
    for (const Input& input : one.inputs) {
      const std::string output = !one.output.empty() ? one.output
                                 : !common.empty()   ? common
                                                     : defaultOutput(one, input);
      if (output.empty() || output == "-") continue;
      files.emplace_back(output);
      if (writesDependencies) files.push_back(fs::path(output).replace_extension(".d"));
    }
  }
  for (const fs::path& file : files) {
    std::error_code error;
    fs::remove(file, error);
    if (error) return failStatus("cannot remove '" + file.string() + "': " + error.message());
  }
  return 0;
}

std::vector<Options> withOutputFolder(const Options& options) {
  const bool prints = options.phase == Phase::kPreprocess || options.phase == Phase::kSyntaxOnly;
  if (options.outputFolder.empty() || prints) return {options};
  std::vector<Options> all;
  if (const std::string common = commonOutput(options); !common.empty()) {
    all.push_back(options);
    setOutput(all[0], common);
    return all;
  }
  for (const Input& input : options.inputs) {
    all.push_back(onlyWith(options, input));
    if (options.phase == Phase::kDependencies) {
      setTarget(all.back());
    } else {
      setOutput(all.back(), defaultOutput(options, input));
    }
  }
  return all;
}

}  // namespace musashim::mcc
