#include "options.h"

#include <algorithm>
#include <string_view>

#include "abi/musa_check_abi.h"
#include "architectures.h"
#include "clang_options.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/ADT/StringSwitch.h"
#include "nvcc_options.h"
#include "option_files.h"
#include "vendor_options.h"

namespace musashim::mcc {
namespace {

using llvm::StringRef;

bool addArchs(StringRef value, StringRef argument, Options& options, std::string& error) {
  llvm::SmallVector<StringRef, 4> names;
  value.split(names, ',');
  for (StringRef name : names) {
    uint32_t arch = 0;
    if (!parseArch(name, arch)) {
      error = "unknown architecture '" + name.str() + "' in '" + argument.str() +
              "': mp_21, mp_22 and mp_31 are known";
      return false;
    }
    if (!llvm::is_contained(options.archs, arch)) options.archs.push_back(arch);
  }
  return true;
}

// -fmusa-check=TOOL,...: named as compute-sanitizer names its tools.
bool addChecks(StringRef names, Options& options, std::string& error) {
  llvm::SmallVector<StringRef, 4> tools;
  names.split(tools, ',');
  for (StringRef tool : tools) {
    const uint32_t bits =
        llvm::StringSwitch<uint32_t>(tool)
            .Case("memcheck", MUSA_CHECK_MEMORY)
            .Case("racecheck", MUSA_CHECK_RACE)
            .Case("initcheck", MUSA_CHECK_INIT)
            .Case("synccheck", MUSA_CHECK_SYNC)
            .Case("all", MUSA_CHECK_MEMORY | MUSA_CHECK_RACE | MUSA_CHECK_INIT | MUSA_CHECK_SYNC)
            .Default(0);
    if (bits == 0) {
      error = "unknown check '" + tool.str() +
              "' in '-fmusa-check=': memcheck, racecheck, initcheck, synccheck and all are known";
      return false;
    }
    options.checks |= bits;
  }
  return true;
}

// -fmusa-cpu=LEVEL,...: processors that get device code of their own.
bool addProcessors(StringRef names, Options& options, std::string& error) {
  llvm::SmallVector<StringRef, 4> levels;
  names.split(levels, ',');
  for (StringRef level : levels) {
    const bool known = llvm::StringSwitch<bool>(level)
                           .Cases("x86-64", "x86-64-v2", "x86-64-v3", "x86-64-v4", true)
                           .Default(false);
    if (!known) {
      error = "unknown processor '" + level.str() +
              "' in '-fmusa-cpu=': x86-64, x86-64-v2, x86-64-v3 and x86-64-v4 are known";
      return false;
    }
    if (!llvm::is_contained(options.processors, level)) options.processors.push_back(level.str());
  }
  return true;
}

// -fdefault-stream=: what a launch or a call without a stream means.
bool setDefaultStream(StringRef value, Options& options, std::string& error) {
  options.perThreadDefaultStream = value == "per-thread";
  // nvcc's older word is null.
  if (options.perThreadDefaultStream || value == "legacy" || value == "null") return true;
  error = "unknown default stream '" + value.str() + "': per-thread and legacy are known";
  return false;
}

enum class Handling { kTaken, kForClang, kMistake };

// nvcc does not mind how many dashes there are.
StringRef withOneDash(StringRef argument) {
  return argument.starts_with("--") ? argument.drop_front() : argument;
}

bool isRelocatableOption(StringRef argument) {
  argument = withOneDash(argument);
  return argument == "-rdc" || argument == "-relocatable-device-code";
}

// Separate compilation of device code, in nvcc's spellings and clang's.
Handling takeRelocatableOption(StringRef argument, Options& options, std::string& error) {
  argument = withOneDash(argument);
  StringRef value = argument;
  for (const StringRef name : {"-rdc=", "-relocatable-device-code="}) {
    if (!value.consume_front(name)) continue;
    if (value != "true" && value != "false") {
      error = "'" + argument.str() + "': true or false is expected";
      return Handling::kMistake;
    }
    options.relocatable = value == "true";
    return Handling::kTaken;
  }
  if (argument == "-fgpu-rdc" || argument == "-fno-gpu-rdc") {
    options.relocatable = argument == "-fgpu-rdc";
    return Handling::kTaken;
  }
  if (argument == "-dc" || argument == "-device-c" || argument == "-dw" || argument == "-device-w") {
    options.relocatable = argument == "-dc" || argument == "-device-c";
    options.clangArguments.push_back("-c");
    return Handling::kTaken;
  }
  if (argument == "-dlink" || argument == "-device-link") {
    options.phase = Phase::kDeviceLink;
    return Handling::kTaken;
  }
  return Handling::kForClang;
}

// Options whose value is kept as it is.
bool takeText(StringRef argument, Options& options) {
  static constexpr std::pair<StringRef, std::string Options::*> kTexts[] = {
      {"--musa-path=", &Options::sdkPath},      {"--musa-output-directory=", &Options::outputFolder},
      {"-fmusa-fault=", &Options::blockFault},  {"--musa-save-directory=", &Options::savedFolder},
      {"--musa-archiver=", &Options::archiver}, {"--musa-times=", &Options::timesFile},
  };
  for (const auto& [prefix, text] : kTexts) {
    if (!argument.consume_front(prefix)) continue;
    options.*text = argument.str();
    return true;
  }
  static constexpr std::pair<StringRef, std::vector<std::string> Options::*> kLists[] = {
      {"--musa-archive-option=", &Options::archiveOptions}, {"--musa-run-argument=", &Options::runArguments}};
  for (const auto& [prefix, list] : kLists) {
    if (!argument.consume_front(prefix)) continue;
    (options.*list).push_back(argument.str());
    return true;
  }
  return false;
}

// Options of the vendor's compiler that clang's driver does not know, or that mean
// something else there.
Handling takeOwnOption(StringRef argument, Options& options, bool& languageIsMusa, std::string& error) {
  for (const StringRef prefix : {"--offload-arch=", "--cuda-gpu-arch="}) {
    if (!argument.starts_with(prefix)) continue;
    return addArchs(argument.drop_front(prefix.size()), argument, options, error) ? Handling::kTaken
                                                                                  : Handling::kMistake;
  }
  if (takeText(argument, options)) return Handling::kTaken;
  if (argument == "-xmusa") {
    languageIsMusa = true;
    return Handling::kTaken;
  }
  for (const StringRef prefix : {"-fdefault-stream=", "-fgpu-default-stream="}) {
    if (!argument.consume_front(prefix)) continue;
    return setDefaultStream(argument, options, error) ? Handling::kTaken : Handling::kMistake;
  }
  if (argument == "-fmusa-check" || argument.starts_with("-fmusa-check=")) {
    argument.consume_front("-fmusa-check");
    const StringRef tools = argument.consume_front("=") ? argument : "all";
    return addChecks(tools, options, error) ? Handling::kTaken : Handling::kMistake;
  }
  if (argument.starts_with("-fmusa-cpu=")) {
    argument.consume_front("-fmusa-cpu=");
    return addProcessors(argument, options, error) ? Handling::kTaken : Handling::kMistake;
  }
  if (argument == "-fmusa-code-cache" || argument == "-fno-musa-code-cache") {
    options.usesCodeCache = argument == "-fmusa-code-cache";
    return Handling::kTaken;
  }
  if (argument == "-fno-musa-check") {
    options.checks = 0;
    return Handling::kTaken;
  }
  bool* flag = llvm::StringSwitch<bool*>(argument)
                   .Case("--dryrun", &options.dryRun)
                   .Case("-dryrun", &options.dryRun)
                   .Case("-###", &options.dryRun)
                   .Case("--musa-path-ignore-env", &options.sdkPathIgnoresEnvironment)
                   .Case("-fmusa-flush-denormals-to-zero", &options.flushDenormals)
                   .Case("-fmusa-fibers", &options.fibers)
                   .Case("-fmusa-profile", &options.profile)
                   .Case("-Wmusa-fibers", &options.warnFibers)
                   .Case("-Wmusa-warp-synchronous", &options.warnWarpSynchronous)
                   .Case("--musa-unknown-to-linker", &options.forwardsUnknown)
                   .Case("--musa-run", &options.runsProgram)
                   .Case("--musa-clean", &options.removesOutputs)
                   .Default(nullptr);
  if (flag != nullptr) {
    *flag = true;
    return Handling::kTaken;
  }
  if (argument == "--cuda-device-only" || argument == "--musa-device-only") {
    options.passes = Passes::kDeviceOnly;
    return Handling::kTaken;
  }
  if (argument == "--cuda-host-only" || argument == "--musa-host-only") {
    options.passes = Passes::kHostOnly;
    return Handling::kTaken;
  }
  if (argument.consume_front("--musa-module=")) {
    options.passes = Passes::kDeviceOnly;
    options.module = argument.str();
    return Handling::kTaken;
  }
  StringRef place = argument;
  if (place.consume_front("--save-temps") || place.consume_front("-save-temps")) {
    if (!place.empty() && place != "=obj" && place != "=cwd") return Handling::kForClang;  // a mistake
    options.saveTemps = true;
    if (place == "=cwd") options.savedFolder = ".";
    return Handling::kTaken;
  }
  if (argument == "--musa-library") {
    options.phase = Phase::kArchive;
    return Handling::kTaken;
  }
  if (argument == "--musa-no-device-link") {
    options.linksDeviceCode = false;
    return Handling::kTaken;
  }
  if (argument == "-Wmusa-nvcc-options" || argument == "-Wno-musa-nvcc-options") {
    options.notesWanted = argument == "-Wmusa-nvcc-options" ? NotesWanted::kAll : NotesWanted::kNone;
    return Handling::kTaken;
  }
  if (argument == "-Wvendor" || argument == "-Wno-vendor") {
    options.warnVendor = argument == "-Wvendor";
    return Handling::kTaken;
  }
  if (isVendorTuningOption(argument) || isDeviceOptimization(argument, options.deviceOptimization))
    return Handling::kTaken;
  if (argument == "-m32" || argument == "-mx32") {
    error = "'" + argument.str() + "' is not supported: mcc compiles for 64 bits only";
    return Handling::kMistake;
  }
  if (argument == "-cuda_wrapper") {
    error = "'-cuda_wrapper' is not supported: port the source with musaport";
    return Handling::kMistake;
  }
  return Handling::kForClang;
}

// --musa-list-architectures.
void takeList(StringRef argument, Options& options) {
  if (!argument.consume_front("--musa-list-architectures")) return;
  options.listArchs = true;
  if (argument == "=gpu-arch") options.listGpuArchs = true;
  if (argument == "=gpu-code") options.listGpuCodes = true;
}

// Options that are right alone, but not together.
bool areConsistent(Options& options, std::string& error) {
  const bool linksDevice = options.phase == Phase::kDeviceLink;
  // A module has no link that its device code could wait for.
  if (!options.module.empty() && !linksDevice) options.relocatable = false;
  if (options.relocatable && options.processors.size() > 1) {
    error =
        "'-fmusa-cpu=' with several processors is for device code that is not linked later: leave "
        "-rdc=true and -dc out, or name one";
    return false;
  }
  if (!options.output.empty() && !options.outputFolder.empty()) {
    error = "'-o " + options.output + "' and an output directory: pass '-o' with the directory in it";
    return false;
  }
  if (options.profile && options.checks != 0) {
    error =
        "'-fmusa-profile' and '-fmusa-check' are not supported together: checks are work of their own, which "
        "would be counted";
    return false;
  }
  const bool deviceOnly = options.passes == Passes::kDeviceOnly;
  for (const Input& input : options.inputs) {
    if (!deviceOnly || linksDevice || input.isMusa) continue;
    error = "'" + input.path + "' has no device code, and only that is to be compiled";
    return false;
  }
  if (options.runsProgram && (options.phase != Phase::kLink || deviceOnly)) {
    error = "there is no program to run: leave out what ends the build before its link";
    return false;
  }
  const bool oneOutput =
      linksDevice || options.phase == Phase::kArchive || (options.phase == Phase::kLink && !deviceOnly);
  if (!oneOutput && !options.output.empty() && options.inputs.size() > 1) {
    error = "cannot write " + std::to_string(options.inputs.size()) + " inputs to one '-o " + options.output +
            "'";
    return false;
  }
  return true;
}

}  // namespace

bool parseOptions(const std::vector<std::string>& given, Options& options, std::string& error) {
  options.given = given;
  std::vector<std::string> expanded;
  if (!expandOptionFiles(given, expanded, error)) return false;
  options.words = expanded;
  NvccTranslation translation;
  const OptionDialect dialect = options.calledNvcc ? OptionDialect::kNvcc : OptionDialect::kClang;
  if (!translateNvccOptions(expanded, dialect, translation, error)) return false;
  options.nvccNotes = std::move(translation.notes);
  options.hostQueries = std::move(translation.hostQueries);
  const std::vector<std::string>& arguments = translation.arguments;
  bool languageIsMusa = false;
  for (size_t i = 0; i < arguments.size(); ++i) {
    std::string argument = arguments[i];
    if (isRelocatableOption(argument)) {
      if (i + 1 == arguments.size()) {
        error = "'" + argument + "' needs a value";
        return false;
      }
      argument += "=" + arguments[++i];
    }
    if (argument == "-mllvm" && i + 1 < arguments.size() && isVendorBackendOption(arguments[i + 1])) {
      ++i;
      continue;
    }
    if (argument == "--help" || argument == "-h") options.showHelp = true;
    if (argument == "--version") options.showVersion = true;
    takeList(argument, options);
    Handling handling = takeRelocatableOption(argument, options, error);
    if (handling == Handling::kForClang) handling = takeOwnOption(argument, options, languageIsMusa, error);
    switch (handling) {
      case Handling::kTaken:
        break;
      case Handling::kForClang:
        options.clangArguments.push_back(argument);
        break;
      case Handling::kMistake:
        return false;
    }
  }
  if (options.showHelp || options.showVersion || options.listArchs || !options.hostQueries.empty())
    return true;
  if (!readClangArguments(options, languageIsMusa, error)) return false;
  if (options.inputs.empty()) {
    error = "no input files; try 'mcc --help'";
    return false;
  }
  return areConsistent(options, error);
}

}  // namespace musashim::mcc
