// mcc, the compiler driver. See ../README.md for the stages.
#include <csignal>
#include <filesystem>
#include <map>

#include "core/cuda_capability.h"
#include "crash_report.h"
#include "errors.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/PrettyStackTrace.h"
#include "llvm/Support/raw_ostream.h"
#include "mcc/driver/compile/compile.h"
#include "mcc/driver/link/device_link.h"
#include "mcc/driver/link/link.h"
#include "mcc/driver/link/link_inputs.h"
#include "mcc/driver/options/architectures.h"
#include "mcc/driver/options/option_report.h"
#include "mcc/driver/options/options.h"
#include "mcc/driver/options/other_toolkits.h"
#include "mcc/driver/options/outputs.h"
#include "mcc/issue_tracker.h"
#include "nvcc_face.h"
#include "process.h"
#include "toolchain.h"

namespace {

using namespace musashim::mcc;

// Children get the terminal's Ctrl-C too and end; mcc then tidies up and ends as well.
void letChildrenTakeInterrupts() {
  for (const int signal : {SIGINT, SIGTERM, SIGHUP}) std::signal(signal, [](int) {});
}

bool linksDevice(const Options& options) {
  return options.phase == Phase::kDeviceLink ||
         (options.phase == Phase::kLink && options.passes != Passes::kDeviceOnly);
}

int compileOwnInputs(const Options& options, MusaCompiler& compiler, const TemporaryFolder& temporary,
                     std::map<size_t, std::string>& objects) {
  for (const Input& input : options.inputs) {
    if (!input.isOurs()) continue;
    std::string output = options.output.empty() ? defaultOutput(options, input) : options.output;
    if (linksDevice(options)) {
      output = temporary.file(std::to_string(input.argument) + "-" +
                              std::filesystem::path(input.path).stem().string() + ".o");
      objects[input.argument] = output;
    }
    if (options.phase == Phase::kDependencies) output.clear();
    if (const int status = compiler.compile(input, output)) return status;
  }
  return 0;
}

// Links the device code of objects compiled with -dc, if there are any. `linkObject`: the
// object for the host's link, empty when it needs none.
int linkDeviceCode(const Toolchain& toolchain, const Options& options, const StepRunner& runner,
                   const TemporaryFolder& temporary, std::map<size_t, std::string>& objects,
                   std::string& linkObject) {
  if (!options.linksDeviceCode) return 0;
  if (const int status = compileOtherSources(toolchain, options, runner, temporary, objects)) return status;
  std::vector<DeviceUnit> units;
  if (!collectLinkUnits(toolchain, options, objects, units)) return 1;
  const bool alone = options.phase == Phase::kDeviceLink;
  if (units.empty() && !alone) return 0;
  linkObject = !alone                   ? temporary.file("device-link.o")
               : options.output.empty() ? deviceLinkOutput(options)
                                        : options.output;
  return DeviceLinker(toolchain, options, runner, temporary).link(units, linkObject);
}

bool hasOtherInputs(const Options& options) {
  for (const Input& input : options.inputs) {
    if (!input.isOurs()) return true;
  }
  return false;
}

int printVersion(const Toolchain& toolchain) {
  llvm::outs() << "mcc version " MUSASHIM_VERSION " (musashim), compiling for emulated MUSA devices with:\n";
  llvm::outs().flush();
  return StepRunner(false, false, nullptr).run({toolchain.clang, "--version"});
}

int build(const Toolchain& toolchain, const Options& options) {
  const TemporaryFolder temporary;
  if (!temporary.isOpen()) return failStatus("cannot make a temporary folder: is TMPDIR writable?");
  CrashReports crashes(toolchain, options, temporary);
  const StepRunner runner(options.verbose, options.dryRun, &crashes, options.calledNvcc);
  MusaCompiler compiler(toolchain, options, runner, temporary);
  std::map<size_t, std::string> objects;
  if (const int status = compileOwnInputs(options, compiler, temporary, objects)) return status;
  std::string linkObject;
  if (linksDevice(options)) {
    if (const int status = linkDeviceCode(toolchain, options, runner, temporary, objects, linkObject))
      return status;
    return options.phase == Phase::kDeviceLink
               ? 0
               : runClangDriver(toolchain, options, runner, objects, linkObject);
  }
  return hasOtherInputs(options) ? runClangDriver(toolchain, options, runner, objects, {}) : 0;
}

int printArchitectures() {
  for (const uint32_t arch : knownArchs()) llvm::outs() << archName(arch) << '\n';
  return 0;
}

int run(int argc, char** argv) {
  const std::string self = llvm::sys::fs::getMainExecutable(argv[0], reinterpret_cast<void*>(&printVersion));
  Options options;
  std::string error;
  std::vector<std::string> arguments(argv + 1, argv + argc);
  const bool isNvcc = isCalledNvcc(argv[0]);
  if (isNvcc) arguments = mccArguments(self, arguments);
  if (!parseOptions(arguments, options, error)) return failStatus(error);
  if (options.showHelp) {
    llvm::outs() << helpText();
    return 0;
  }
  const std::string& wrong = musashim::core::cudaCapability().error;
  if ((isNvcc || options.isCudaProject) && !wrong.empty()) return failStatus(wrong);
  if (options.listArchs && isNvcc) return printNvccArchitectures(arguments), 0;
  if (options.listArchs) return printArchitectures();
  Toolchain toolchain;
  if (!findToolchain(self, options, toolchain, error)) return failStatus(error);
  if (options.showVersion && isNvcc) return printNvccVersion(), 0;
  if (options.showVersion) return printVersion(toolchain);
  options.calledNvcc = isNvcc;
  if (isNvcc && (options.verbose || options.dryRun)) printNvccPlaces(toolchain);

  reportNvccOptions(options);
  putOtherToolkitsLast(options, toolchain.sdk);
  if (options.phase == Phase::kLink && !checkLinkedLibraries(options, toolchain.sdk)) return 1;
  letChildrenTakeInterrupts();
  for (const Options& one : withOutputFolder(options)) {
    if (const int status = build(toolchain, one)) return status;
  }
  return 0;
}

}  // namespace

int main(int argc, char** argv) {
  llvm::setBugReportMsg("mcc crashed. Please report it to musashim's issue tracker, " MUSASHIM_ISSUE_TRACKER
                        ", with its command and the files that it names.\n");
  const llvm::PrettyStackTraceProgram commandInReports(argc, argv);
  return run(argc, argv);
}
