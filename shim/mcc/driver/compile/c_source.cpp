#include "c_source.h"

#include <filesystem>

#include "frontend_arguments.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringRef.h"

namespace musashim::mcc {
namespace {

using llvm::StringRef;
using Strings = std::vector<std::string>;

// gcc leaves it out with a warning; to clang it is an error.
bool isCxxStandard(StringRef argument) {
  return argument.consume_front("-std=") && (argument.starts_with("c++") || argument.starts_with("gnu++"));
}

// Clang names the dependency file and its target after the output, which at a link is a temporary file.
Strings dependencyNames(const Options& options, const Input& input) {
  const Strings& given = options.clangArguments;
  const auto has = [&](const char* argument) { return llvm::is_contained(given, argument); };
  const bool writes = has("-MD") || has("-MMD");
  if (options.phase != Phase::kLink || !writes || has("-MF")) return {};
  const std::filesystem::path stem = std::filesystem::path(input.path).stem();
  std::filesystem::path file = options.output.empty() ? stem : std::filesystem::path(options.output);
  Strings names{"-MF", file.replace_extension(".d").string()};
  if (!has("-MT") && !has("-MQ"))
    names.insert(names.end(), {"-MQ", options.output.empty() ? stem.string() + ".o" : options.output});
  return names;
}

}  // namespace

int compileCSource(const Toolchain& toolchain, const Options& options, const StepRunner& runner,
                   const Input& input, const std::string& overlay, const std::string& output) {
  Strings command{toolchain.clang, "-Qunused-arguments"};
  const Strings plain = plainSourceOptions(toolchain);
  command.insert(command.end(), plain.begin(), plain.end());
  const Strings version = input.isCuda ? nvccVersion() : Strings();
  command.insert(command.end(), version.begin(), version.end());  // before the user's -U
  for (const std::string& argument : compileOptions(options)) {
    if (!isCxxStandard(argument)) command.push_back(argument);
  }
  const Strings names = dependencyNames(options, input);
  command.insert(command.end(), names.begin(), names.end());
  command.insert(command.end(), {"-isystem" + toolchain.include, phaseOption(options)});
  if (options.emitLlvm) command.push_back("-emit-llvm");
  if (options.perThreadDefaultStream) command.push_back("-DMUSA_API_PER_THREAD_DEFAULT_STREAM=1");
  if (!overlay.empty()) command.insert(command.end(), {"-ivfsoverlay", overlay});
  const bool lists = options.phase == Phase::kDependencies;
  const std::string& written = lists ? options.output : output;
  if (!written.empty()) command.insert(command.end(), {"-o", written});
  command.insert(command.end(), {"-x", "c", input.path});
  return runner.run(command);
}

}  // namespace musashim::mcc
