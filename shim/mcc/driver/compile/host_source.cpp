#include "host_source.h"

#include <filesystem>

#include "frontend_arguments.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringRef.h"

namespace musashim::mcc {
namespace {

using llvm::StringRef;
using Strings = std::vector<std::string>;

// gcc leaves it out with a warning; to clang it is an error.
bool isStandardOfOther(StringRef argument, bool isC) {
  if (!argument.consume_front("-std=")) return false;
  const bool isCxx = argument.starts_with("c++") || argument.starts_with("gnu++");
  return isCxx == isC;
}

// Errors to clang, warnings to gcc 12, by which CUDA projects are built. -Werror takes that back, as there.
Strings toleratedC(const Strings& user) {
  const auto isStrict = [](StringRef argument) {
    return argument == "-Werror" || argument == "-pedantic-errors";
  };
  if (llvm::any_of(user, isStrict)) return {};
  return {"-Wno-error=implicit-function-declaration", "-Wno-error=implicit-int", "-Wno-error=int-conversion",
          "-Wno-error=incompatible-function-pointer-types", "-Wno-error=return-mismatch"};
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

Strings hostSourceCommand(const Toolchain& toolchain, const Options& options, const Input& input,
                          const std::string& overlay) {
  Strings command{toolchain.clang, "-Qunused-arguments"};
  const Strings plain = plainSourceOptions(toolchain, options);
  command.insert(command.end(), plain.begin(), plain.end());
  for (const Strings& macros : {nvccVersion(), cudaFaceMacros()}) {  // before the user's -U
    if (input.isCuda) command.insert(command.end(), macros.begin(), macros.end());
  }
  const Strings user = compileOptions(options);
  const Strings tolerated = !input.isC ? toleratedCxx() : input.isCuda ? toleratedC(user) : Strings();
  command.insert(command.end(), tolerated.begin(), tolerated.end());
  for (const std::string& argument : user) {
    if (!isStandardOfOther(argument, input.isC)) command.push_back(argument);
  }
  command.push_back("-isystem" + toolchain.include);
  if (options.perThreadDefaultStream) command.push_back("-DMUSA_API_PER_THREAD_DEFAULT_STREAM=1");
  if (!overlay.empty()) command.insert(command.end(), {"-ivfsoverlay", overlay});
  return command;
}

int compileHostSource(const Toolchain& toolchain, const Options& options, const StepRunner& runner,
                      const Input& input, const std::string& overlay, const std::string& output) {
  Strings command = hostSourceCommand(toolchain, options, input, overlay);
  const Strings names = dependencyNames(options, input);
  command.insert(command.end(), names.begin(), names.end());
  command.push_back(phaseOption(options));
  if (options.emitLlvm) command.push_back("-emit-llvm");
  const bool lists = options.phase == Phase::kDependencies;
  const std::string& written = lists ? options.output : output;
  if (!written.empty()) command.insert(command.end(), {"-o", written});
  command.insert(command.end(), {"-x", input.isC ? "c" : "c++", input.path});
  return runner.run(command);
}

}  // namespace musashim::mcc
