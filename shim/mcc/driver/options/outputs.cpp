#include "outputs.h"

#include <filesystem>

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

}  // namespace

std::string defaultOutput(const Options& options, const Input& input) {
  const std::string stem = fs::path(input.path).stem().string();
  const bool readable = options.phase == Phase::kAssemble || options.emitLlvm;
  if (options.passes == Passes::kDeviceOnly && !readable)
    return stem + "." + (options.module.empty() ? "mufatbin" : options.module);
  switch (options.phase) {
    case Phase::kAssemble:
      return stem + (options.emitLlvm ? ".ll" : ".s");
    case Phase::kCompile:
      return stem + (options.emitLlvm ? ".bc" : ".o");
    case Phase::kPreprocess:
      return "-";
    default:
      return {};
  }
}

std::string deviceLinkOutput(const Options& options) {
  return "a_dlink." + (options.module.empty() ? "o" : options.module);
}

std::vector<Options> withOutputFolder(const Options& options) {
  const bool prints = options.phase == Phase::kPreprocess || options.phase == Phase::kSyntaxOnly;
  if (options.outputFolder.empty() || prints) return {options};
  std::vector<Options> all;
  const bool links = options.phase == Phase::kLink && options.passes != Passes::kDeviceOnly;
  if (links || options.phase == Phase::kDeviceLink) {
    all.push_back(options);
    setOutput(all[0], links ? "a.out" : deviceLinkOutput(options));
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
