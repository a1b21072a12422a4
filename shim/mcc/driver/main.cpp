// mcc, the compiler driver. See ../README.md for the stages.
#include <csignal>
#include <filesystem>
#include <map>

#include "built_in_tools.h"
#include "clang/Basic/Version.h"
#include "clang_face.h"
#include "core/cuda_capability.h"
#include "crash_report.h"
#include "errors.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/PrettyStackTrace.h"
#include "llvm/Support/raw_ostream.h"
#include "llvm/TargetParser/Host.h"
#include "mcc/driver/compile/compile.h"
#include "mcc/driver/kept/code_cache.h"
#include "mcc/driver/kept/precompiled_prelude.h"
#include "mcc/driver/link/archive.h"
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
#include "program_run.h"
#include "standard_input.h"
#include "step_times.h"
#include "toolchain.h"
#ifdef MCC_KNOWS_VENDOR
#include "vendor_warnings.h"
#endif

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

// Whether sources become objects for the command's last step.
bool gathersObjects(const Options& options) {
  return linksDevice(options) || options.phase == Phase::kArchive;
}

int compileOwnInputs(const Options& options, MusaCompiler& compiler, const TemporaryFolder& temporary,
                     std::map<size_t, std::string>& objects) {
  for (const Input& input : options.inputs) {
    if (!input.isOurs()) continue;
    std::string output = options.output.empty() ? defaultOutput(options, input) : options.output;
    if (gathersObjects(options)) {
      // A library keeps the name.
      const std::filesystem::path folder = temporary.file(std::to_string(input.argument));
      std::error_code error;
      std::filesystem::create_directory(folder, error);
      output = (folder / std::filesystem::path(input.path).stem()).string() + ".o";
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

// In the vendor's form, which scripts read: clang's answer, with the release of the SDK behind its first
// line. Clang's libraries give it; starting clang would take as long as mcc itself.
int printVersion(const Toolchain& toolchain) {
  std::error_code error;
  const std::filesystem::path clang = std::filesystem::canonical(toolchain.clang, error);
  llvm::outs() << clang::getClangFullVersion()
               << "\nmcc version " MUSA_RELEASE "\nTarget: " << llvm::sys::getDefaultTargetTriple()
               << "\nThread model: posix\nInstalledDir: " << clang.parent_path().string()
               << "\nmusashim " MUSASHIM_VERSION ", for emulated MUSA devices\n";
  return 0;
}

// Its answer is what build systems take for the host compiler's version and folders.
int askHostCompiler(const Toolchain& toolchain, const Options& options) {
  std::vector<std::string> command{toolchain.clang};
  for (const std::string& query : options.hostQueries)
    if (!llvm::is_contained(command, query)) command.push_back(query);
  return StepRunner(options.verbose, options.dryRun, nullptr, options.calledNvcc).run(command);
}

int build(const Toolchain& toolchain, const Options& options, StepTimes* times) {
  const TemporaryFolder temporary;
  if (!temporary.isOpen()) return failStatus("cannot make a temporary folder: is TMPDIR writable?");
  CrashReports crashes(toolchain, options, temporary);
  const PrecompiledPrelude prelude(toolchain.prelude, {toolchain.devicePlugin, toolchain.hostPlugin},
                                   temporary.path());
  const DeviceCodeCache codeCache(toolchain.devicePlugin, temporary.path());
  std::vector<const StepChanges*> changes{&prelude};
  // What the code depends on is not which headers are precompiled.
  if (options.usesCodeCache) changes.insert(changes.begin(), &codeCache);
  const StepRunner runner(options.verbose, options.dryRun, &crashes, options.calledNvcc, times, changes);
  MusaCompiler compiler(toolchain, options, runner, temporary);
  std::map<size_t, std::string> objects;
  if (const int status = compileOwnInputs(options, compiler, temporary, objects)) return status;
  if (options.phase == Phase::kArchive) {
    if (const int status = compileOtherSources(toolchain, options, runner, temporary, objects)) return status;
    return writeLibrary(options, runner, objects);
  }
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

// Runs the command of `options`, which nobody asked a question.
int work(const Toolchain& toolchain, Options& options) {
  if (options.removesOutputs) return removeOutputs(options);
  const TemporaryFolder inputs;
  if (!inputs.isOpen()) return failStatus("cannot make a temporary folder: is TMPDIR writable?");
  if (const int status = readStandardInput(options, inputs)) return status;
  StepTimes times(options.timesFile);
  const bool timed = !options.timesFile.empty();
  const bool builds = !options.runsProgram || !isProgramOnly(options);
  const std::vector<Options> commands = builds ? withOutputFolder(options) : std::vector<Options>();
  for (const Options& one : commands) {
    if (const int status = build(toolchain, one, timed ? &times : nullptr)) return status;
  }
  if (timed) {
    if (const int status = times.write()) return status;
  }
  if (!options.runsProgram) return 0;
  return runBuiltProgram(commands.empty() ? options : commands.front(), toolchain);
}

int run(int argc, char** argv) {
  const std::string self = llvm::sys::fs::getMainExecutable(argv[0], reinterpret_cast<void*>(&printVersion));
  Options options;
  std::string error;
  std::vector<std::string> arguments(argv + 1, argv + argc);
  const bool isNvcc = isCalledNvcc(argv[0]);
  if (isNvcc) arguments = mccArguments(self, arguments);
  options.calledNvcc = isNvcc;
  Toolchain toolchain;
  if (isCalledClang(argv[0]) && !hasMusaWork(arguments)) {
    if (!findToolchain(self, options, toolchain, error)) return failStatus(error);
    return runAsClang(toolchain, argv[0], arguments);
  }
  if (!parseOptions(arguments, options, error)) return failStatus(error);
  if (options.showHelp) {
    llvm::outs() << helpText();
    return 0;
  }
  const std::string& wrong = musashim::core::cudaCapability().error;
  if ((isNvcc || options.isCudaProject) && !wrong.empty()) return failStatus(wrong);
  if (isNvcc && (options.listGpuArchs || options.listGpuCodes)) return printNvccArchitectures(options), 0;
  if (options.listArchs) return printArchitectures();
  if (!findToolchain(self, options, toolchain, error)) return failStatus(error);
  if (options.showVersion && isNvcc) return printNvccVersion(), 0;
  if (options.showVersion) return printVersion(toolchain);
  if (!options.hostQueries.empty()) return askHostCompiler(toolchain, options);
  if (isNvcc && (options.verbose || options.dryRun)) printNvccPlaces(toolchain);

  reportNvccOptions(options);
#ifdef MCC_KNOWS_VENDOR
  reportVendorOptions(options);
#endif
  putOtherToolkitsLast(options, toolchain.sdk);
  if (options.phase == Phase::kLink && !checkLinkedLibraries(options, toolchain.sdk)) return 1;
  letChildrenTakeInterrupts();
  useBuiltInTools(runBuiltInTool);
  return work(toolchain, options);
}

}  // namespace

int main(int argc, char** argv) {
  llvm::setBugReportMsg("mcc crashed. Please report it to musashim's issue tracker, " MUSASHIM_ISSUE_TRACKER
                        ", with its command and the files that it names.\n");
  const llvm::PrettyStackTraceProgram commandInReports(argc, argv);
  return run(argc, argv);
}
