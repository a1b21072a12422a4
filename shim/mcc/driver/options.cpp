#include "options.h"

#include <algorithm>
#include <string_view>

#include "abi/musa_check_abi.h"
#include "clang/Driver/Options.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/ADT/StringSwitch.h"
#include "llvm/Option/Arg.h"
#include "llvm/Option/ArgList.h"
#include "llvm/Option/OptTable.h"
#include "llvm/Support/Path.h"
#include "nvcc_options.h"
#include "option_files.h"

namespace musashim::mcc {
namespace {

namespace opt = clang::driver::options;
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
  if (options.perThreadDefaultStream || value == "legacy") return true;
  error = "unknown default stream '" + value.str() + "': per-thread and legacy are known";
  return false;
}

// The API's own macro means the same; unported build files say it in CUDA's words.
bool isPerThreadMacro(StringRef definition) {
  const StringRef name = definition.split('=').first;
  return name == "MUSA_API_PER_THREAD_DEFAULT_STREAM" || name == "CUDA_API_PER_THREAD_DEFAULT_STREAM";
}

enum class Handling { kTaken, kForClang, kMistake };

// Separate compilation of device code, in nvcc's spellings and clang's.
Handling takeRelocatableOption(StringRef argument, Options& options, std::string& error) {
  StringRef value = argument;
  for (const StringRef name : {"-rdc=", "--relocatable-device-code="}) {
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
  if (argument == "-dc" || argument == "--device-c" || argument == "-dw" || argument == "--device-w") {
    options.relocatable = argument == "-dc" || argument == "--device-c";
    options.clangArguments.push_back("-c");
    return Handling::kTaken;
  }
  if (argument == "-dlink" || argument == "--device-link") {
    options.phase = Phase::kDeviceLink;
    return Handling::kTaken;
  }
  return Handling::kForClang;
}

// Options of the vendor's compiler that clang's driver does not know, or that mean
// something else there.
Handling takeOwnOption(StringRef argument, Options& options, bool& languageIsMusa, std::string& error) {
  for (const StringRef prefix : {"--offload-arch=", "--cuda-gpu-arch="}) {
    if (!argument.starts_with(prefix)) continue;
    return addArchs(argument.drop_front(prefix.size()), argument, options, error) ? Handling::kTaken
                                                                                  : Handling::kMistake;
  }
  if (argument.starts_with("--musa-path=")) {
    options.sdkPath = argument.drop_front(StringRef("--musa-path=").size()).str();
    return Handling::kTaken;
  }
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
                   .Case("-Wmusa-fibers", &options.warnFibers)
                   .Case("--save-temps", &options.saveTemps)
                   .Case("-save-temps", &options.saveTemps)
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
  if (argument == "-mtgpu" || argument == "-Od3") return Handling::kTaken;  // what mcc does anyway
  if (argument == "-cuda_wrapper") {
    error = "'-cuda_wrapper' is not supported: port the source with musaport";
    return Handling::kMistake;
  }
  return Handling::kForClang;
}

bool isMusaFile(StringRef path) { return path.ends_with(".mu"); }
bool isCudaFile(StringRef path) { return path.ends_with(".cu"); }

// What is only linked is no source whatever -x says: `make NVCC="mcc -x cuda"` links with it, too.
bool isLinkInput(StringRef path) {
  const StringRef name = llvm::sys::path::filename(path);
  return name.ends_with(".o") || name.ends_with(".lo") || name.ends_with(".a") || name.ends_with(".so") ||
         name.contains(".so.");
}

Phase phaseOf(const llvm::opt::InputArgList& arguments) {
  if (arguments.hasArg(opt::OPT_M, opt::OPT_MM)) return Phase::kDependencies;
  if (arguments.hasArg(opt::OPT_E)) return Phase::kPreprocess;
  if (arguments.hasArg(opt::OPT_fsyntax_only)) return Phase::kSyntaxOnly;
  if (arguments.hasArg(opt::OPT_S)) return Phase::kAssemble;
  if (arguments.hasArg(opt::OPT_c)) return Phase::kCompile;
  return Phase::kLink;
}

// Finds the inputs with clang's own option table, which knows what takes a value.
// `-x LANGUAGE` holds for the inputs that follow it.
bool readClangArguments(Options& options, bool languageIsMusa, std::string& error) {
  std::vector<const char*> pointers;
  for (const std::string& argument : options.clangArguments) pointers.push_back(argument.c_str());
  unsigned missingIndex = 0, missingCount = 0;
  const llvm::opt::InputArgList parsed = clang::driver::getDriverOptTable().ParseArgs(
      pointers, missingIndex, missingCount, llvm::opt::Visibility(opt::ClangOption));
  if (missingCount != 0) {
    error = "'" + options.clangArguments[missingIndex] + "' needs a value";
    return false;
  }
  bool languageIsCuda = false, otherLanguage = false;
  std::vector<size_t> dropped;  // `-x musa`, which clang does not know, and -x cuda
  for (const llvm::opt::Arg* argument : parsed) {
    if (argument->getOption().matches(opt::OPT_D) && isPerThreadMacro(argument->getValue())) {
      options.perThreadDefaultStream = true;
    } else if (argument->getOption().matches(opt::OPT_x)) {
      const StringRef language = argument->getValue();
      languageIsCuda = language == "cuda" || language == "cu";
      languageIsMusa = language == "musa" || languageIsCuda;
      otherLanguage = !languageIsMusa && language != "none";
      if (languageIsMusa) {
        dropped.push_back(argument->getIndex());
        if (StringRef(options.clangArguments[argument->getIndex()]) == "-x")
          dropped.push_back(argument->getIndex() + 1);
      }
    } else if (argument->getOption().matches(opt::OPT_INPUT)) {
      const StringRef path = argument->getValue();
      if (isCudaFile(path) && !languageIsMusa && !otherLanguage) {
        error =
            "'" + path.str() + "' is CUDA source: port it with 'musaport " + path.str() +
            " -o DIR', or pass '-x cuda' to have that done at each compilation, '-x musa' if it is MUSA code";
        return false;
      }
      const bool isSource = !isLinkInput(path);
      const bool isMusa = isSource && (languageIsMusa || (!otherLanguage && isMusaFile(path)));
      options.inputs.push_back({path.str(), isMusa, isSource && languageIsCuda, argument->getIndex()});
    }
  }
  // -dlink takes the place of the link.
  if (const Phase phase = phaseOf(parsed); phase != Phase::kLink || options.phase != Phase::kDeviceLink)
    options.phase = phase;
  options.output = parsed.getLastArgValue(opt::OPT_o).str();
  options.verbose = parsed.hasArg(opt::OPT_v);
  options.emitLlvm = parsed.hasArg(opt::OPT_emit_llvm);
  options.optimizationGiven = parsed.hasArg(opt::OPT_O_Group);
  for (size_t i = dropped.size(); i-- > 0;) {
    options.clangArguments.erase(options.clangArguments.begin() + static_cast<ptrdiff_t>(dropped[i]));
    for (Input& input : options.inputs) {
      if (input.argument > dropped[i]) --input.argument;
    }
  }
  return true;
}

}  // namespace

const std::vector<uint32_t>& knownArchs() {
  static const std::vector<uint32_t> archs{210, 220, 310};
  return archs;
}

std::string archName(uint32_t arch) { return "mp_" + std::to_string(arch / 10); }

bool parseArch(StringRef name, uint32_t& arch) {
  unsigned number = 0;
  if (!name.consume_front("mp_") || name.getAsInteger(10, number)) return false;
  arch = number * 10;
  return llvm::is_contained(knownArchs(), arch);
}

// As in backends/cpu/profiles.
unsigned warpSizeOf(uint32_t arch) { return arch >= 310 ? 32 : 128; }

bool parseOptions(const std::vector<std::string>& given, Options& options, std::string& error) {
  std::vector<std::string> expanded;
  if (!expandOptionFiles(given, expanded, error)) return false;
  NvccTranslation translation;
  if (!translateNvccOptions(expanded, translation, error)) return false;
  options.nvccNotes = std::move(translation.notes);
  const std::vector<std::string>& arguments = translation.arguments;
  bool languageIsMusa = false;
  for (size_t i = 0; i < arguments.size(); ++i) {
    std::string argument = arguments[i];
    if ((argument == "-rdc" || argument == "--relocatable-device-code") && i + 1 < arguments.size())
      argument += "=" + arguments[++i];
    if (argument == "--help" || argument == "-h") options.showHelp = true;
    if (argument == "--version") options.showVersion = true;
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
  if (options.showHelp || options.showVersion) return true;
  if (!readClangArguments(options, languageIsMusa, error)) return false;
  if (options.inputs.empty()) {
    error = "no input files; try 'mcc --help'";
    return false;
  }
  if (options.relocatable && options.processors.size() > 1) {
    error =
        "'-fmusa-cpu=' with several processors is for device code that is not linked later: leave "
        "-rdc=true and -dc out, or name one";
    return false;
  }
  const bool oneOutput = options.phase == Phase::kLink || options.phase == Phase::kDeviceLink;
  if (!oneOutput && !options.output.empty() && options.inputs.size() > 1) {
    error = "cannot write " + std::to_string(options.inputs.size()) + " inputs to one '-o " + options.output +
            "'";
    return false;
  }
  return true;
}

std::string helpText() {
  return R"(mcc - compiles MUSA source for emulated MUSA devices

Usage: mcc [options] file...

  mcc p2p.mu -o p2p -lmusart
  mcc allreduce.mu -o allreduce -lmusart -lmccl
  mcc -c kernels.mu -o kernels.o --offload-arch=mp_22

Files named .mu, and all files after '-x musa', are MUSA source; others (.c, .cpp,
.o, .a) are compiled or linked as clang does.

Options of MUSA compilation:
  --offload-arch=ARCH[,ARCH]  make device images for mp_21, mp_22, mp_31 (default: all)
  --cuda-gpu-arch=ARCH        the same
  -x musa                     the files that follow are MUSA source
  -x cuda, -x cu              they are CUDA source, which musaport ports as they are compiled,
                              with the headers beside them and in the folders of -I
  -mtgpu                      accepted; what mcc does anyway
  -rdc=true, -fgpu-rdc        device functions and variables are shared by the files of a
                              program: each file's device code waits for the link
  -dc, --device-c             -rdc=true -c
  -dlink, --device-link       link the device code of such objects only; the result is an
                              object for a host linker (default: a_dlink.o)
  --musa-device-only          compile the device code only
  --musa-host-only            compile the host code only
  --musa-path=DIR             take headers and libraries from the SDK at DIR
  --musa-path-ignore-env      ignore MUSA_PATH and MUSA_HOME
  -fdefault-stream=per-thread  launches and calls without a stream use the thread's own
                              (default: legacy), as -DMUSA_API_PER_THREAD_DEFAULT_STREAM does
  -fmusa-cpu=LEVEL[,LEVEL]    make device code for x86-64, x86-64-v2, x86-64-v3 (AVX2), x86-64-v4
                              (AVX-512) processors; of several, the widest that the machine has is
                              chosen at load (default: the building machine's, at most x86-64-v3,
                              and for x86-64-v4 as well kernels that calculate much or work in
                              shared memory)
  -fmusa-flush-denormals-to-zero   flush denormals in device code
  -fmusa-fibers               run every device thread on a stack of its own (slow)
  -Wmusa-fibers               name the kernels that cannot run otherwise, and why
  -fmusa-check[=TOOL,...]     check device code as it runs: memcheck, racecheck,
                              initcheck, synccheck; all when none is named
  --save-temps                keep device images beside the output
  -v, --dryrun                print the commands that run; --dryrun runs none

Options of gcc and clang (-c -E -S -M* -o -O* -g -I -D -std= -l -L -Wl, -f* -W* ...)
mean what they mean there. Device code is compiled with -O3 unless -O is given.
Options of nvcc (-Xcompiler, -gencode, -lineinfo ...) are taken as what does the same here,
or left out, with a warning: the vendor's compiler does not know them.
)";
}

}  // namespace musashim::mcc
