#include "frontend_arguments.h"

#include <algorithm>
#include <set>

#include "clang/Basic/Diagnostic.h"
#include "clang/Basic/DiagnosticIDs.h"
#include "clang/Basic/DiagnosticOptions.h"
#include "clang/Driver/Compilation.h"
#include "clang/Driver/Driver.h"
#include "clang/Driver/Options.h"
#include "clang/Frontend/TextDiagnosticPrinter.h"
#include "core/cuda_capability.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/Support/VirtualFileSystem.h"
#include "llvm/Support/raw_ostream.h"
#include "llvm/TargetParser/Host.h"
#include "mcc/driver/errors.h"
#include "mcc/driver/options/clang_options.h"

namespace musashim::mcc {
namespace {

namespace opt = clang::driver::options;
using Strings = std::vector<std::string>;

constexpr const char* kTriple = "x86_64-pc-linux-gnu";

// Arguments of the only compile job that clang's driver makes of `command`.
bool frontendJob(const Toolchain& toolchain, const Strings& command, FrontendArguments& result) {
  llvm::IntrusiveRefCntPtr<clang::DiagnosticOptions> diagnosticOptions(new clang::DiagnosticOptions);
  clang::TextDiagnosticPrinter printer(llvm::errs(), diagnosticOptions.get());
  printer.setPrefix("mcc");
  llvm::IntrusiveRefCntPtr<clang::DiagnosticIDs> ids(new clang::DiagnosticIDs);
  clang::DiagnosticsEngine diagnostics(ids, diagnosticOptions, &printer, /*ShouldOwnClient=*/false);
  clang::driver::Driver driver(toolchain.clang, llvm::sys::getDefaultTargetTriple(), diagnostics, "mcc");
  std::vector<const char*> pointers;
  for (const std::string& argument : command) pointers.push_back(argument.c_str());
  const std::unique_ptr<clang::driver::Compilation> compilation(driver.BuildCompilation(pointers));
  if (compilation == nullptr || diagnostics.hasErrorOccurred()) return false;
  for (const clang::driver::Command& job : compilation->getJobs()) {
    const llvm::opt::ArgStringList& arguments = job.getArguments();
    if (arguments.empty() || llvm::StringRef(arguments.front()) != "-cc1") continue;
    result.program = job.getExecutable();
    result.arguments.assign(arguments.begin(), arguments.end());
    return true;
  }
  return fail("clang's driver made no compilation of these options");
}

bool isHipMacro(llvm::StringRef argument) { return argument.starts_with("-D__HIP"); }

// Drops what mcc sets itself: input, output, the GPU triple of a HIP compilation.
Strings withoutOwnArguments(const Strings& arguments) {
  static const std::set<std::string> withValue{"-o", "-x", "-aux-triple", "-triple"};
  Strings result;
  for (size_t i = 0; i + 1 < arguments.size(); ++i) {  // the last one is the input
    if (withValue.count(arguments[i]) != 0) {
      ++i;
    } else if (!isHipMacro(arguments[i])) {
      result.push_back(arguments[i]);
    }
  }
  return result;
}

// What the vendor's compiler predefines (facts of MUSA's clang fork), in place of HIP's.
Strings predefinedMacros() {
  return {"-U__HIP__", "-U__HIPCC__", "-U__HIP_DEVICE_COMPILE__",
          "-D__MUSACC__=", "-D__MUSACC_VER_MAJOR__=" MCC_MUSA_MAJOR, "-D__MUSACC_VER_MINOR__=" MCC_MUSA_MINOR,
          "-D__MUSACC_VER_PATCHLEVEL__=" MCC_MUSA_PATCHLEVEL,
          // What nvcc has options for is always on; sources ask for it by these names.
          "-D__MUSACC_EXTENDED_LAMBDA__=1", "-D__MUSACC_RELAXED_CONSTEXPR__=1",
          "-DMUSASHIM_FINDS_REFERENCES=1", "-D__MUSA__=1", "-D__CUDA__=1"};
}

// Macros go before the user's, so that -U__CUDA__ and the like still work.
void insertBeforeUserMacros(Strings& arguments, const Strings& added) {
  arguments.insert(arguments.begin() + 1, added.begin(), added.end());
}

// Device code is compiled for AVX2 and FMA where the machine has them, and kernels for AVX-512 as well,
// unless the user chose a processor: `-target-cpu x86-64` is what clang says for no choice.
void raiseDefaultCpu(Strings& arguments) {
  const auto cpu = std::find(arguments.begin(), arguments.end(), "-target-cpu");
  if (cpu == arguments.end() || *(cpu + 1) != "x86-64") return;
  const llvm::StringMap<bool> features = llvm::sys::getHostCPUFeatures();
  for (const char* needed : {"avx2", "bmi", "bmi2", "f16c", "fma", "lzcnt", "movbe"}) {
    if (!features.lookup(needed)) return;
  }
  *(cpu + 1) = "x86-64-v3";
  arguments.insert(arguments.end(), {"-mllvm", "-musa-multiversioning"});
}

// The host's code keeps what -march says.
void chooseCpu(Strings& arguments, const std::string& processor) {
  const auto cpu = std::find(arguments.begin(), arguments.end(), "-target-cpu");
  if (cpu != arguments.end()) *(cpu + 1) = processor;
  for (auto feature = arguments.begin(); feature != arguments.end();) {
    feature = *feature == "-target-feature" ? arguments.erase(feature, feature + 2) : feature + 1;
  }
  if (processor == "x86-64-v4") arguments.push_back("-mprefer-vector-width=512");
}

// Its counters are the host's.
bool isProfiling(llvm::StringRef argument) {
  return argument.starts_with("-fprofile-") || argument.starts_with("-coverage-") ||
         argument == "-fcoverage-mapping";
}

// --coverage is for both.
bool isOfLink(const llvm::opt::Option& option) {
  static constexpr opt::ID kOutsideGroup[] = {opt::OPT_l,
                                              opt::OPT_fuse_ld_EQ,
                                              opt::OPT_ld_path_EQ,
                                              opt::OPT_rtlib_EQ,
                                              opt::OPT_unwindlib_EQ,
                                              opt::OPT_shared_libgcc,
                                              opt::OPT_static_libgcc,
                                              opt::OPT_static_libstdcxx};
  return (option.matches(opt::OPT_Link_Group) && !option.matches(opt::OPT_coverage)) ||
         llvm::any_of(kOutsideGroup, [&](opt::ID id) { return option.matches(id); });
}

// Without a word of the user's, device code is optimized as much as the vendor's compiler does.
void optimizeDevice(const Options& options, Strings& arguments) {
  if (options.deviceOptimization.empty() && options.optimizationGiven) return;
  const std::string level = options.deviceOptimization.empty() ? "-O3" : options.deviceOptimization;
  llvm::erase_if(arguments, [](llvm::StringRef argument) {
    return argument.starts_with("-O") || argument == "-vectorize-loops" || argument == "-vectorize-slp";
  });
  arguments.push_back(level);
  if (level == "-O0" || level == "-O1") return;
  arguments.insert(arguments.end(), {"-vectorize-loops", "-vectorize-slp"});
}

}  // namespace

const char* phaseOption(const Options& options) {
  switch (options.phase) {
    case Phase::kPreprocess:
      return "-E";
    case Phase::kSyntaxOnly:
      return "-fsyntax-only";
    case Phase::kAssemble:
      return "-S";
    default:
      return "-c";
  }
}

Strings toleratedCxx() {
  return {"-Wno-error=register", "-Wno-error=c++11-narrowing", "-Wno-error=reserved-user-defined-literal",
          "-Wno-error=missing-template-arg-list-after-template-kw"};
}

Strings nvccVersion() {
  return {"-D__CUDACC_VER_MAJOR__=" MCC_NVCC_MAJOR, "-D__CUDACC_VER_MINOR__=" MCC_NVCC_MINOR,
          "-D__CUDACC_VER_BUILD__=" MCC_NVCC_BUILD};
}

Strings cudaFaceMacros() {
  const int macro = core::cudaCapability().capability.macro();
  return {"-DMUSASHIM_CUDA_SOURCE=1", "-DMUSASHIM_CUDA_LIBRARIES=1",
          "-D__CUDA_ARCH_LIST__=" + std::to_string(macro)};
}

Strings compileOptions(const Options& options) {
  const llvm::opt::InputArgList parsed = parseClangArguments(options);
  Strings result;
  for (const llvm::opt::Arg* argument : parsed) {
    const llvm::opt::Option& option = argument->getOption();
    const bool isDependencyFlag = option.matches(opt::OPT_M_Group);
    if (option.matches(opt::OPT_INPUT) || option.matches(opt::OPT_o) || option.matches(opt::OPT_x)) continue;
    if (isOfLink(option)) continue;
    if (option.matches(opt::OPT_Action_Group) && !isDependencyFlag) continue;
    if (option.matches(opt::OPT_emit_llvm) || option.matches(opt::OPT_v)) continue;
    llvm::opt::ArgStringList rendered;
    argument->render(parsed, rendered);
    result.insert(result.end(), rendered.begin(), rendered.end());
  }
  return result;
}

bool hostArguments(const Toolchain& toolchain, const Options& options, const Input& input,
                   FrontendArguments& result) {
  Strings command{toolchain.clang};
  // Reports and warnings name source lines; a -g of the user's own comes later and wins.
  if (options.checks != 0 || options.profile || options.warnWarpSynchronous)
    command.push_back("-gline-tables-only");
  if (options.perThreadDefaultStream) command.push_back("-fgpu-default-stream=per-thread");
  const Strings tolerated = toleratedCxx();
  command.insert(command.end(), tolerated.begin(), tolerated.end());
  const Strings user = compileOptions(options);
  command.insert(command.end(), user.begin(), user.end());
  // One job of clang's: the text of another would be taken for the object.
  for (const char* fixed :
       {"-fintegrated-as", "--cuda-host-only", "-nogpuinc", "-nogpulib", "-fhip-new-launch-api"})
    command.push_back(fixed);
  // Where clang finds an AMD SDK it has headers of its own in place of <new>, <complex> and <algorithm>.
  command.push_back("--rocm-path=" + toolchain.include);
  command.push_back(phaseOption(options));
  if (options.phase == Phase::kDependencies && !options.output.empty()) {
    command.insert(command.end(), {"-MF", options.output});
  }
  // Clang names the dependency file and its target after the output.
  if (!options.output.empty() && options.phase != Phase::kDependencies)
    command.insert(command.end(), {"-o", options.output});
  command.insert(command.end(), {"-x", "hip", input.path});
  if (!frontendJob(toolchain, command, result)) return false;

  Strings arguments = withoutOwnArguments(result.arguments);
  // The SDK's headers come before those of the system, where another SDK may lie.
  Strings added{"-triple", kTriple, "-fdeclspec", "-internal-isystem", toolchain.include};
  const Strings macros = predefinedMacros();
  added.insert(added.end(), macros.begin(), macros.end());
  result.isCuda = input.isCuda;
  if (input.isCuda) {
    const Strings version = nvccVersion(), face = cudaFaceMacros();
    added.insert(added.end(), version.begin(), version.end());
    added.insert(added.end(), face.begin(), face.end());
    // <nv/target>, which a CUDA toolkit has, and the vendor's SDK has not.
    added.insert(added.end(), {"-internal-isystem", toolchain.sdk + "/cuda"});
  }
  insertBeforeUserMacros(arguments, added);
  // Before headers that the user has included so.
  arguments.insert(std::find(arguments.begin(), arguments.end(), "-include"),
                   {"-include", toolchain.prelude});
  if (options.checks != 0) arguments.push_back("-DMUSASHIM_CHECKS=" + std::to_string(options.checks));
  result.arguments = arguments;
  return true;
}

Strings dependencyArguments(const FrontendArguments& host) {
  static const std::set<std::string> flags{"-MP", "-sys-header-deps"};
  static const std::set<std::string> withValue{"-dependency-file", "-MT", "-MQ"};
  Strings result;
  for (size_t i = 0; i < host.arguments.size(); ++i) {
    if (flags.count(host.arguments[i]) != 0) result.push_back(host.arguments[i]);
    if (withValue.count(host.arguments[i]) == 0) continue;
    result.push_back(host.arguments[i]);
    result.push_back(host.arguments[++i]);
  }
  return result;
}

FrontendArguments deviceArguments(const Toolchain& toolchain, const Options& options,
                                  const FrontendArguments& host, uint32_t arch,
                                  const std::string& processor) {
  static const std::set<std::string> dropped{"-pic-is-pie",  "-emit-obj",    "-E",  "-fsyntax-only",
                                             "-S",           "-fmath-errno", "-MP", "-sys-header-deps",
                                             "-emit-llvm-bc"};
  static const std::set<std::string> droppedWithValue{"-dependency-file", "-MT", "-MQ", "-stack-protector",
                                                      "-pic-level"};
  FrontendArguments result{host.program, {}, host.isCuda};
  for (size_t i = 0; i < host.arguments.size(); ++i) {
    const std::string& argument = host.arguments[i];
    if (droppedWithValue.count(argument) != 0) {
      ++i;
    } else if (argument == "-fopenmp") {
      // Threads and counters of the host's. What asks for OpenMP sees it here, too, in g++'s version: of
      // later ones omp.h has variants of functions, which only OpenMP tells apart.
      result.arguments.insert(result.arguments.end(), {"-D_OPENMP=201511", "-Wno-source-uses-openmp"});
    } else if (dropped.count(argument) == 0 && !isProfiling(argument)) {
      result.arguments.push_back(argument);
    }
  }
  Strings device{
      "-fcuda-is-device",
      // The processor's builtins are the host's. In the host pass, another target would make them the
      // device's.
      "-aux-triple", kTriple,
      // `int p; if (leader) p = atomicAdd(...); p = shfl(p, 0);`: parameters may be what only some threads
      // have set.
      "-no-enable-noundef-analysis",
      // Memory is written as one type and read as another: nvcc mostly takes it as it stands (H100, CUDA 13).
      "-relaxed-aliasing",
      // A loop that is not unrolled is one over threads as well: nothing for the user to mend.
      "-Wno-pass-failed", "-fcuda-allow-variadic-functions", "-pic-level", "2", "-fvisibility=hidden",
      "-D__MUSA_ARCH__=" + std::to_string(arch), "-DMUSASHIM_DEVICE_COMPILER=1"};
  if (host.isCuda) {
    // One number, whatever -arch says: code is compiled once, for the devices that the CUDA face reports.
    const std::string macro = std::to_string(core::cudaCapability().capability.macro());
    device.insert(device.end(),
                  {"-D__CUDA_ARCH__=" + macro, "-plugin-arg-musa-source-facts", "cuda-arch=" + macro});
  }
  insertBeforeUserMacros(result.arguments, device);
  processor.empty() ? raiseDefaultCpu(result.arguments) : chooseCpu(result.arguments, processor);
  optimizeDevice(options, result.arguments);
  // Loops over threads that do not become vectors (a histogram's) are unrolled up to so many instructions:
  // for a processor not named, LLVM thinks of one with a buffer of 28, which such loops often exceed.
  result.arguments.insert(result.arguments.end(), {"-mllvm", "-partial-unrolling-threshold=60"});
  if (options.flushDenormals)
    result.arguments.push_back("-fdenormal-fp-math-f32=preserve-sign,preserve-sign");
  const std::string& plugin = toolchain.devicePlugin;
  result.arguments.insert(result.arguments.end(), {"-load", plugin, "-fpass-plugin=" + plugin});
  if (options.fibers) result.arguments.insert(result.arguments.end(), {"-mllvm", "-musa-fibers"});
  if (!options.blockFault.empty())
    result.arguments.insert(result.arguments.end(), {"-mllvm", "-musa-block-fault=" + options.blockFault});
  if (options.warnFibers) result.arguments.insert(result.arguments.end(), {"-mllvm", "-musa-warn-fibers"});
  if (options.warnWarpSynchronous)
    result.arguments.insert(result.arguments.end(), {"-mllvm", "-musa-warn-warp-synchronous"});
  if (options.checks != 0)
    result.arguments.insert(result.arguments.end(),
                            {"-mllvm", "-musa-check=" + std::to_string(options.checks)});
  if (options.profile) result.arguments.insert(result.arguments.end(), {"-mllvm", "-musa-profile"});
  if (options.checks != 0 || options.profile)
    result.arguments.insert(result.arguments.end(), {"-mllvm", "-musa-check-sdk=" + toolchain.include});
  return result;
}

}  // namespace musashim::mcc
