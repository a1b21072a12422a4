// mcc's command line, sorted: what mcc acts on itself, and what clang's driver gets.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "nvcc_options.h"

namespace musashim::mcc {

// kDeviceLink: the link object of -dc objects alone (-dlink). kArchive: a library of objects (nvcc's -lib).
enum class Phase {
  kPreprocess,
  kSyntaxOnly,
  kDependencies,
  kAssemble,
  kCompile,
  kDeviceLink,
  kArchive,
  kLink
};
enum class Passes { kBoth, kHostOnly, kDeviceOnly };
// Of what became of nvcc's options.
enum class NotesWanted { kOncePerBuild, kAll, kNone };

struct Input {
  std::string path;
  bool isMusa = false;
  bool isC = false;     // the host's
  bool isCxx = false;   // the host's, of a CUDA project
  bool isCuda = false;  // and to be ported first
  size_t argument = 0;  // its place in Options::clangArguments

  // The host's, with a compilation of its own.
  bool isHost() const { return isC || isCxx; }
  // The others are clang's driver's.
  bool isOurs() const { return isMusa || isHost(); }
};

struct Options {
  std::vector<std::string> given;  // the command line
  std::vector<std::string> words;  // the same, with what option files hold
  Phase phase = Phase::kLink;
  Passes passes = Passes::kBoth;
  std::vector<Input> inputs;
  std::vector<uint32_t> archs;          // __MUSA_ARCH__ values; empty: every one we know
  std::vector<std::string> processors;  // -fmusa-cpu; empty: the build machine's, at most x86-64-v3
  std::string output;                   // -o, empty when not given
  std::string outputFolder;             // nvcc's -odir
  std::string sdkPath;                  // --musa-path
  bool sdkPathIgnoresEnvironment = false;
  bool verbose = false;
  bool dryRun = false;
  bool calledNvcc = false;  // by the name of the CUDA face
  bool saveTemps = false;
  std::string savedFolder;  // where that goes; empty: beside the output
  bool flushDenormals = false;
  bool optimizationGiven = false;
  std::string deviceOptimization;  // -Od...: clang's -O for device code; empty when not given
  bool emitLlvm = false;
  bool relocatable = false;             // -rdc=true, -dc: device symbols are shared by the files of a program
  bool fibers = false;                  // -fmusa-fibers
  std::string blockFault;               // -fmusa-fault, for tests: what goes wrong in the block compiler
  bool warnFibers = false;              // -Wmusa-fibers
  bool warnWarpSynchronous = false;     // -Wmusa-warp-synchronous
  bool warnVendor = false;              // -Wvendor
  bool perThreadDefaultStream = false;  // -fdefault-stream=, or the macro of the API
  bool profile = false;                 // -fmusa-profile
  bool usesCodeCache = true;            // -fno-musa-code-cache: device code is compiled anew
  uint32_t checks = 0;                  // -fmusa-check: MUSA_CHECK_* bits of abi/musa_check_abi.h
  std::vector<OptionNote> nvccNotes;    // what became of nvcc's options
  std::vector<std::string> hostQueries;  // questions to the host's compiler; if there are any, no build
  bool forwardsUnknown = false;          // --musa-unknown-to-linker
  NotesWanted notesWanted = NotesWanted::kOncePerBuild;
  bool isCudaProject = false;   // -x cuda, -x cu
  std::string module;           // --musa-module=: the suffix of what muModuleLoad is to take
  bool linksDeviceCode = true;  // --musa-no-device-link
  std::string archiver;         // --musa-archiver=; empty: ar
  std::vector<std::string> archiveOptions;
  bool runsProgram = false;  // --musa-run
  std::vector<std::string> runArguments;
  bool removesOutputs = false;  // --musa-clean: in place of the build
  std::string timesFile;        // --musa-times=: a table of the steps' times is added to it
  bool showVersion = false;
  bool showHelp = false;
  bool listArchs = false;
  bool listGpuArchs = false;  // as nvcc's --list-gpu-arch and --list-gpu-code ask for them
  bool listGpuCodes = false;
  // Everything for clang's driver, inputs included, in the order given.
  std::vector<std::string> clangArguments;
};

// Parses `arguments` (without the program's name). On a mistake returns false and
// sets `error` to a message that names the argument and the remedy.
bool parseOptions(const std::vector<std::string>& arguments, Options& options, std::string& error);

std::string helpText();

}  // namespace musashim::mcc
