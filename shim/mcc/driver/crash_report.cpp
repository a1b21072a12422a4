#include "crash_report.h"

#include <cstring>
#include <filesystem>
#include <fstream>
#include <set>

#include "clang/Driver/Options.h"
#include "core/whole_file.h"
#include "errors.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Program.h"
#include "llvm/TargetParser/Host.h"
#include "mcc/driver/options/clang_options.h"
#include "mcc/issue_tracker.h"

namespace musashim::mcc {
namespace {

namespace fs = std::filesystem;
using llvm::StringRef;
using Strings = std::vector<std::string>;

constexpr const char* kSource = "preprocessed-source";
constexpr unsigned kSecondsToRepeat = 60;

std::string quoted(const Strings& command) {
  std::string text;
  llvm::raw_string_ostream out(text);
  for (const std::string& argument : command) {
    if (!text.empty()) out << ' ';
    llvm::sys::printArg(out, argument, /*Quote=*/true);
  }
  return text;
}

// Options of clang -cc1, and of its driver, with those that name results left out.
Strings without(const Strings& command, const std::set<StringRef>& flags,
                const std::set<StringRef>& withValue) {
  Strings result;
  for (size_t i = 0; i < command.size(); ++i) {
    if (withValue.count(command[i]) != 0) {
      ++i;
    } else if (flags.count(command[i]) == 0) {
      result.push_back(command[i]);
    }
  }
  return result;
}

// How clang calls the preprocessed form of the language of `-x`; empty where there is none.
StringRef preprocessedName(StringRef language) {
  if (language == "hip") return "hip-cpp-output";
  if (language == "c++") return "c++-cpp-output";
  return language == "c" ? "cpp-output" : "";
}

// A step that ends in "-x LANGUAGE FILE", as all that compile one source do.
struct SourceStep {
  Strings options;
  std::string language, file;
};

bool isSourceStep(const Strings& command, SourceStep& step) {
  if (command.size() < 4 || *(command.end() - 3) != "-x") return false;
  step = {{command.begin(), command.end() - 3}, *(command.end() - 2), command.back()};
  return !preprocessedName(step.language).empty();
}

bool preprocess(const SourceStep& step, const std::string& result, const std::string& messages) {
  Strings command = without(step.options,
                            {"-c", "-S", "-emit-obj", "-emit-llvm", "-emit-llvm-bc", "-fsyntax-only",
                             "-disable-llvm-passes", "-MD", "-MMD", "-MP", "-sys-header-deps"},
                            {"-o", "-dependency-file", "-MF", "-MT", "-MQ", "-fcuda-include-gpubinary"});
  command.insert(command.end(), {"-E", "-o", result, "-x", step.language, step.file});
  return runProgram(command, messages, kSecondsToRepeat) == 0;
}

// The step with the preprocessed file in the place of the source and all that it includes.
Strings repeatedStep(const SourceStep& step) {
  Strings command = without(step.options, {"-MD", "-MMD", "-MP", "-sys-header-deps"},
                            {"-o", "-dependency-file", "-MF", "-MT", "-MQ", "-include", "-ivfsoverlay", "-D",
                             "-U", "-I", "-internal-isystem", "-internal-externc-isystem", "-isystem"});
  llvm::erase_if(command,
                 [](StringRef option) { return option.starts_with("-D") || option.starts_with("-U"); });
  command.insert(command.end(), {"-o", "/dev/null", "-x", preprocessedName(step.language).str(), kSource});
  return command;
}

// Where the user wants such folders, by clang's own option.
std::string makeFolder(const Options& options) {
  const std::string place =
      parseClangArguments(options).getLastArgValue(clang::driver::options::OPT_fcrash_diagnostics_dir).str();
  std::error_code error;
  if (!place.empty()) fs::create_directories(place, error);
  llvm::SmallString<128> path;
  const fs::path prefix = place.empty() ? fs::path("mcc-crash") : fs::absolute(place, error) / "mcc-crash";
  return llvm::sys::fs::createUniqueDirectory(prefix.string(), path) ? std::string() : path.str().str();
}

// Sources as they are, where they cannot be preprocessed.
void copySources(const Options& options, const fs::path& folder) {
  std::error_code error;
  for (const Input& input : options.inputs) {
    if (fs::file_size(input.path, error) < (1U << 24) && !error)
      fs::copy_file(input.path, folder / fs::path(input.path).filename(), error);
  }
}

void replaceAll(std::string& text, const std::string& what, const std::string& by) {
  for (size_t at = 0; (at = text.find(what, at)) != std::string::npos; at += by.size())
    text.replace(at, what.size(), by);
}

// The step as it was, with the sources where the user has them: what lay in the temporary folder is at
// `files`.
Strings sameStep(Strings command, const std::string& temporary, const fs::path& files) {
  for (size_t i = 0; i < command.size(); ++i) {
    if (command[i] == "-o" && i + 1 < command.size()) command[i + 1] = files / "output";
    replaceAll(command[i], temporary, files);
    if (command[i] != "-ivfsoverlay" || i + 1 == command.size()) continue;
    // It names files of the temporary folder.
    const fs::path overlay = files / fs::path(command[i + 1]).filename();
    std::string text = core::contentOf(overlay);
    replaceAll(text, temporary, files);
    std::ofstream(overlay, std::ios::binary) << text;
  }
  return command;
}

}  // namespace

void CrashReports::crashed(const Strings& command, int status) {
  const std::string what = status == 70                            ? "an internal error"
                           : sigabbrev_np(status - 128) != nullptr ? strsignal(status - 128)
                                                                   : "a signal";
  const std::string intro = "the compiler crashed (" + what + ", in " +
                            fs::path(command.front()).filename().string() +
                            "). Please report it to musashim's issue tracker, " MUSASHIM_ISSUE_TRACKER;
  const fs::path folder = makeFolder(options_);
  if (folder.empty())
    return reportError(intro + ", with its command: there is no place for a folder of what it needs");

  std::error_code error;
  fs::copy(temporary_.path(), folder / "files", fs::copy_options::recursive, error);
  const fs::path here = fs::current_path(error);
  Strings given = options_.given;
  given.insert(given.begin(), toolchain_.sdk + "/bin/mcc");
  std::ofstream(folder / "command.txt") << "cd " << here.string() << '\n' << quoted(given) << '\n';
  runProgram({toolchain_.clang, "--version"}, folder / "versions.txt");
  std::ofstream(folder / "versions.txt", std::ios::app)
      << "mcc version " MUSA_RELEASE "\nmusashim " MUSASHIM_VERSION "\nprocessor "
      << llvm::sys::getHostCPUName().str() << '\n';

  Strings repeated;
  std::string place = here;
  SourceStep step;
  const bool isWhole =
      isSourceStep(command, step) && preprocess(step, folder / kSource, folder / "output.txt");
  if (isWhole) {
    place = "$(dirname \"$0\")";
    repeated = repeatedStep(step);
    for (std::string& argument : repeated) replaceAll(argument, temporary_.path(), "files");
  } else {
    copySources(options_, folder);
    repeated = sameStep(command, temporary_.path(), folder / "files");
  }
  const std::string script = folder / "reproduce.sh";
  std::ofstream(script) << "#!/bin/sh\n# The step that crashed.\ncd \"" << place << "\" && exec "
                        << quoted(repeated) << '\n';
  fs::permissions(script, fs::perms::owner_exec, fs::perm_options::add, error);
  const int again = runProgram({"/bin/sh", script}, folder / "output.txt", kSecondsToRepeat);
  const char* repeats = !isCrash(again) ? ", although what it holds does not crash by itself"
                        : isWhole       ? ", which crashes again by itself"
                                        : ", which crashes again beside your files";
  reportError(intro + ", with the folder '" + folder.string() + "'" + repeats +
              ": it has the source, the command line, the step that crashed and the versions");
}

}  // namespace musashim::mcc
