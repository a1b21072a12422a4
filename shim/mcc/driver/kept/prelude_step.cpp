#include "prelude_step.h"

#include <algorithm>

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringRef.h"

namespace musashim::mcc {
namespace {

using Strings = std::vector<std::string>;
using llvm::StringRef;

constexpr StringRef kFolders[] = {"-I", "-iquote", "-isystem", "-cxx-isystem", "-c-isystem", "-idirafter"};
constexpr StringRef kSystemFolders[] = {"-internal-isystem", "-internal-externc-isystem"};

// Of one source, what is written and where; or of the code that is made, which the prelude has none of; or of
// warnings, which headers of the system do not give.
constexpr StringRef kOfSource[] = {"-MP",
                                   "-MG",
                                   "-sys-header-deps",
                                   "-S",
                                   "-emit-obj",
                                   "-emit-llvm",
                                   "-emit-llvm-bc",
                                   "-fsyntax-only",
                                   "-Eonly",
                                   "-disable-llvm-passes",
                                   "-fcolor-diagnostics",
                                   "-fno-caret-diagnostics",
                                   "-pedantic",
                                   "-pedantic-errors",
                                   "-w",
                                   "-vectorize-loops",
                                   "-vectorize-slp"};
constexpr StringRef kOfSourceWithValue[] = {"-o",
                                            "-mllvm",
                                            "-include",
                                            "-main-file-name",
                                            "-ferror-limit",
                                            "-dependency-file",
                                            "-MT",
                                            "-MQ",
                                            "-fcuda-include-gpubinary",
                                            "-opt-record-file",
                                            "-dwarf-debug-flags",
                                            "-split-dwarf-file",
                                            "-split-dwarf-output"};
constexpr StringRef kOfSourceJoined[] = {"-fembed-offload-object=",
                                         "-cuid=",
                                         "-fdebug-compilation-dir=",
                                         "-fcoverage-compilation-dir=",
                                         "-coverage-notes-file=",
                                         "-coverage-data-file=",
                                         "-fmessage-length=",
                                         "-ftime-trace=",
                                         "-stack-usage-file=",
                                         "-debug-info-kind=",
                                         "-dwarf-version=",
                                         "-debugger-tuning=",
                                         "-mframe-pointer=",
                                         "-W",
                                         "-R",
                                         "-fdiagnostics-"};

// With these the prelude is not what comes first, or names do not mean the same files.
constexpr StringRef kUnfit[] = {"-imacros",
                                "-include-pch",
                                "-working-directory",
                                "-iprefix",
                                "-H",
                                "-E",
                                "-iwithprefix",
                                "-iwithprefixbefore",
                                "-dM",
                                "-dD",
                                "-fmodules",
                                "-Wsystem-headers",
                                "-plugin-arg-musa-vendor",
                                "-serialize-diagnostic-file"};

bool isOutputOfFacts(StringRef value) {
  return value.starts_with("arch-use=") || value.starts_with("launch-sizes=");
}

bool isJoined(StringRef argument) {
  return llvm::any_of(kOfSourceJoined, [&](StringRef start) { return argument.starts_with(start); });
}

// `-I folder` and `-Ifolder`; moves to the value.
bool isUserFolder(const Strings& command, size_t& i, StringRef& folder) {
  const StringRef argument = command[i];
  if (llvm::is_contained(kFolders, argument)) return folder = command[++i], true;
  for (const StringRef option : kFolders) {
    if (!argument.starts_with(option)) continue;
    return folder = argument.drop_front(option.size()), true;
  }
  return false;
}

// `-D name`, `-Dname=value` and the same of -U; moves to the value.
bool isMacro(const Strings& command, size_t& i, MacroOption& macro) {
  const StringRef argument = command[i], kind = argument.take_front(2);
  if (kind != "-D" && kind != "-U") return false;
  const StringRef value = argument == kind ? StringRef(command[++i]) : argument.drop_front(2);
  macro.name = value.take_until([](char c) { return c == '=' || c == '('; });
  macro.option = (kind + value).str();
  return true;
}

// Sorts what stands at `i`, and moves to its value. False when the step has to be left as it is.
bool sortArgument(const Strings& command, size_t& i, StringRef temporary, PreludeStep& step) {
  const StringRef argument = command[i];
  StringRef folder;
  MacroOption macro;
  if (llvm::is_contained(kUnfit, argument) || argument.starts_with("-fmodule")) return false;
  if (llvm::is_contained(kOfSource, argument) || isJoined(argument)) return true;
  if (llvm::is_contained(kOfSourceWithValue, argument)) return ++i, true;
  if (argument == "-ivfsoverlay") {
    step.replacements = command[++i];
    return StringRef(step.replacements).starts_with(temporary);
  }
  if (isUserFolder(command, i, folder)) return step.userFolders.push_back(folder.str()), true;
  if (isMacro(command, i, macro)) return step.macros.push_back(std::move(macro)), true;
  if (argument == "-plugin-arg-musa-source-facts" && isOutputOfFacts(command[i + 1])) return ++i, true;
  // Sources see whether it is one of these, not which.
  const bool isOptimized = argument == "-O1" || argument == "-O2" || argument == "-O3";
  step.options.push_back(isOptimized ? "-O2" : argument.str());
  if (llvm::is_contained(kSystemFolders, argument)) {
    step.options.push_back(command[++i]);
    step.systemFolders.push_back(command[i]);
  }
  return true;
}

}  // namespace

std::optional<PreludeStep> preludeStep(const Strings& command, const std::string& prelude,
                                       const std::string& temporary) {
  if (command.size() < 6 || command[1] != "-cc1" || *(command.end() - 3) != "-x") return std::nullopt;
  const auto include = std::find(command.begin(), command.end(), "-include");
  if (include == command.end() || *(include + 1) != prelude) return std::nullopt;
  PreludeStep step;
  step.include = static_cast<size_t>(include - command.begin());
  step.source = command.back();
  const size_t end = command.size() - 3;
  for (size_t i = 0; i < end; ++i) {
    if (!sortArgument(command, i, temporary, step) || i >= end) return std::nullopt;
  }
  return step;
}

}  // namespace musashim::mcc
