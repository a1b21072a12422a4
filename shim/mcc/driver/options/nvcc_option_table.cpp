#include "nvcc_option_table.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/Twine.h"

namespace musashim::mcc {
namespace {

using llvm::StringRef;
using enum NvccAction;
using enum ShortName;

constexpr StringRef kImages = "images are made for the architectures that --offload-arch names";
constexpr StringRef kNoPtx = "there is no PTX assembler";
constexpr StringRef kOwnHost = "mcc compiles host code itself";
constexpr StringRef kOwnLink = "mcc links device code itself";
constexpr StringRef kNumbers = "the number is not one of clang's";
constexpr StringRef kNoKind = "clang has no such warning";
constexpr StringRef kNoDrives = "it is for Windows";
constexpr StringRef kNoScripts = "device code needs no linker script here; leave it out";
constexpr StringRef kModule =
    "there is no PTX for MUSA devices: write a module that muModuleLoad and cuModuleLoad take with "
    "'-fatbin', "
    "or assembly to read with '--musa-device-only -S'";
constexpr StringRef kNoText =
    "there is no C++ text with device code in it for another compiler: write an object with '-c', which "
    "every "
    "linker takes";

// In the order of nvcc's manual. Options that mean the same to clang are not here.
constexpr NvccOption kOptions[] = {
    // Files and folders.
    {"output-file", "o", kClangs, "-o"},
    {"output-directory", "odir", kPrefix, "--musa-output-directory="},
    {"objdir-as-tempdir", "objtemp", kDrop, "intermediate files are in TMPDIR"},
    {"pre-include", "include", kClangsList, "-include"},
    {"library", "l", kClangsList, "-l"},
    {"define-macro", "D", kClangsList, "-D"},
    {"undefine-macro", "U", kClangsList, "-U"},
    {"include-path", "I", kClangsList, "-I"},
    {"system-include", "isystem", kClangsList, "-isystem"},
    {"library-path", "L", kClangsList, "-L"},
    {"dependency-output", "MF", kClangs, "-MF"},
    {"dependency-target-name", "MT", kClangs, "-MT"},
    {"generate-dependency-targets", "", kReplace, "-MP"},
    {"cudart", "cudart", kMetValue, "the link has -lmusart where it is needed"},
    {"cudadevrt", "cudadevrt", kMetValue, "musart has it all"},
    {"libdevice-directory", "ldir", kMetValue, "device functions are part of the SDK"},
    {"target-directory", "target-dir", kDropValue, "the SDK is the one that mcc belongs to"},
    {"archiver-binary", "arbin", kPrefix, "--musa-archiver="},
    {"compiler-bindir", "ccbin", kMetValue, kOwnHost},
    {"allow-unsupported-compiler", "allow-unsupported-compiler", kMet, kOwnHost},
    // Phases.
    {"link", "link", kMet, "that is what mcc does without an option"},
    {"cuda", "cuda", kRefuse, kNoText},
    {"ptx", "ptx", kRefuse, kModule},
    {"optix-ir", "optix-ir", kRefuse, "there is no OptiX for MUSA devices"},
    {"ltoir", "ltoir", kRefuse, "device code for a later link is in objects: write them with '-dc'"},
    {"cubin", "cubin", kReplace, "--musa-module=cubin"},
    {"fatbin", "fatbin", kReplace, "--musa-module=fatbin"},
    {"generate-dependencies", "", kReplace, "-M"},
    {"generate-nonsystem-dependencies", "", kReplace, "-MM"},
    {"generate-dependencies-with-compile", "", kReplace, "-MD"},
    {"generate-nonsystem-dependencies-with-compile", "", kReplace, "-MMD"},
    {"lib", "lib", kReplace, "--musa-library"},
    {"run", "run", kReplace, "--musa-run"},
    {"run-args", "run-args", kWordsWith, "--musa-run-argument="},
    {"clean-targets", "clean", kReplace, "--musa-clean"},
    // Compilation.
    {"profile", "", kReplace, "-pg"},
    {"device-debug", "G", kReplace, "-g"},
    {"generate-line-info", "lineinfo", kReplace, "-gline-tables-only"},
    {"extensible-whole-program", "ewp", kMet, "the device runtime is there without it"},
    {"no-compress", "no-compress", kMet, "images are not compressed"},
    {"compress-mode", "compress-mode", kDropValue, "images are not compressed"},
    {"optimization-info", "opt-info", kDropValue, "clang's are -Rpass and its like"},
    {"optimize", "O", kClangs, "-O"},
    {"dopt", "dopt", kDropValue, "device code has -O3 unless -O says otherwise"},
    {"Ofast-compile", "Ofc", kDropValue, "-O1 compiles faster"},
    {"device-link-time-opt", "dlto", kMet, "-rdc=true alone does so"},
    {"dlink-time-opt", "", kMet, "-rdc=true alone does so"},
    {"lto", "lto", kMet, "-rdc=true alone does so"},
    {"gen-opt-lto", "gen-opt-lto", kMet, "-rdc=true alone does so"},
    {"split-compile", "split-compile", kMetValue, "a file is compiled by one process"},
    {"split-compile-extended", "split-compile-extended", kMetValue, "a file is compiled by one process"},
    {"jobserver", "jobserver", kMet, "a file is compiled by one process"},
    {"threads", "t", kMetValue, "architectures are compiled one after another"},
    {"ftemplate-backtrace-limit", "ftemplate-backtrace-limit", kPrefix, "-ftemplate-backtrace-limit="},
    {"ftemplate-depth", "ftemplate-depth", kPrefix, "-ftemplate-depth="},
    {"no-exceptions", "noeh", kReplace, "-fno-exceptions"},
    {"x", "x", kClangs, "-x"},
    {"std", "std", kPrefix, "-std="},
    {"no-host-device-initializer-list", "nohdinitlist", kDrop,
     "functions of std::initializer_list stay usable"},
    {"no-host-device-move-forward", "nohdmoveforward", kDrop, "std::move and std::forward stay usable"},
    {"expt-relaxed-constexpr", "expt-relaxed-constexpr", kMet,
     "constexpr functions are usable on the device"},
    {"extended-lambda", "extended-lambda", kMet, "device lambdas need no option"},
    {"expt-extended-lambda", "expt-extended-lambda", kMet, "device lambdas need no option"},
    {"machine", "m", kOnly, "mcc compiles for 64 bits only", "64"},
    {"m64", "m64", kMet, "mcc compiles for 64 bits only", {}, kNvccs},
    {"host-linker-script", "hls", kOnly, kNoScripts, "use-lcs"},
    {"augment-host-linker-script", "aug-hls", kRefuse, kNoScripts},
    {"relocatable-link", "", kReplace, "-r"},
    {"host-relocatable-link", "", kReplace, "-r"},
    {"device-stack-protector", "device-stack-protector", kDropValue, "device code has no stack protector"},
    {"fdevice-syntax-only", "fdevice-syntax-only", kReplace, "-fsyntax-only"},
    {"fdevice-time-trace", "fdevice-time-trace", kDropValue, "clang's is -ftime-trace"},
    {"static-global-template-stub", "static-global-template-stub", kMetValue,
     "a kernel template's stub is what C++ says of the template"},
    {"device-entity-has-hidden-visibility", "device-entity-has-hidden-visibility", kMetValue,
     "device code does not cross shared libraries"},
    {"sanitize", "sanitize", kPrefix, "-fmusa-check="},
    {"fdevice-sanitize", "fdevice-sanitize", kPrefix, "-fmusa-check="},
    {"jump-table-density", "jtd", kDropValue, "LLVM decides which switches become tables"},
    {"keep-device-functions", "keep-device-functions", kDrop,
     "what no kernel uses is left out; -rdc=true keeps it for the link"},
    {"entries", "e", kDropValue, "all kernels of a file are in its image", {}, kNvccs},
    {"compile-as-tools-patch", "astoolspatch", kRefuse, "there are no tools that patch device code"},
    {"version-ident", "dQ", kDropValue, "mcc --version says it"},
    // What other programs get.
    {"compiler-options", "Xcompiler", kWords, "clang compiles the host's code, and has nothing like it"},
    {"linker-options", "Xlinker", kLinker, ""},
    {"ptxas-options", "Xptxas", kDropValue, kNoPtx},
    {"nvlink-options", "Xnvlink", kDropValue, kOwnLink},
    {"nvlink-opt", "nvlink-opt", kDropValue, kOwnLink},
    {"archive-options", "Xarchive", kWordsWith, "--musa-archive-option="},
    // These three are not in nvcc's manual.
    {"cudafe-options", "Xcudafe", kDropValue, "the frontend is clang's"},
    {"cicc-options", "Xcicc", kDropValue, "the compiler is clang"},
    {"fatbin-options", "Xfatbin", kDropValue, "images are not compressed"},
    {"forward-unknown-to-host-compiler", "forward-unknown-to-host-compiler", kMet,
     "mcc is the host compiler"},
    {"forward-unknown-to-host-linker", "forward-unknown-to-host-linker", kReplace,
     "--musa-unknown-to-linker"},
    {"forward-unknown-opts", "forward-unknown-opts", kReplace, "--musa-unknown-to-linker"},
    {"forward-slash-prefix-opts", "forward-slash-prefix-opts", kMet, "mcc is the host compiler"},
    // How nvcc works.
    {"dont-use-profile", "noprof", kMet, "mcc reads no nvcc.profile"},
    {"keep", "keep", kReplace, "--save-temps"},
    {"keep-dir", "keep-dir", kPrefix, "--musa-save-directory="},
    {"time", "time", kPrefix, "--musa-times=", {}, kNvccs},
    {"use-local-env", "use-local-env", kMet, kNoDrives},
    {"force-cl-env-setup", "force-cl-env-setup", kMet, kNoDrives},
    {"input-drive-prefix", "idp", kMetValue, kNoDrives},
    {"dependency-drive-prefix", "ddp", kMetValue, kNoDrives},
    {"drive-prefix", "dp", kMetValue, kNoDrives},
    {"no-align-double", "no-align-double", kMet, "mcc compiles for 64 bits only"},
    {"no-device-link", "nodlink", kReplace, "--musa-no-device-link"},
    {"qpp-config", "qpp-config", kDropValue, kOwnHost},
    {"gpu-architecture", "arch", kArch, kImages},
    {"gpu-code", "code", kArch, kImages},
    {"generate-code", "gencode", kArch, kImages},
    {"list-gpu-arch", "arch-ls", kReplace, "--musa-list-architectures=gpu-arch"},
    {"list-gpu-code", "code-ls", kReplace, "--musa-list-architectures=gpu-code"},
    {"maxrregcount", "maxrregcount", kDropValue, "there are no registers to share"},
    {"use_fast_math", "use_fast_math", kReplace, "-fmusa-flush-denormals-to-zero"},
    {"ftz", "ftz", kSwitch, "-fmusa-flush-denormals-to-zero", "true"},
    {"prec-div", "prec-div", kMetValue, "divisions are exact"},
    {"prec-sqrt", "prec-sqrt", kMetValue, "square roots are exact"},
    {"fmad", "fmad", kSwitch, "-ffp-contract=off", "false"},
    {"extra-device-vectorization", "extra-device-vectorization", kMet, "that is done anyway"},
    {"default-stream", "default-stream", kPrefix, "-fdefault-stream="},
    {"source-in-ptx", "src-in-ptx", kDrop, kNoPtx},
    {"relocatable-ptx", "reloc-ptx", kDrop, kNoPtx},
    {"restrict", "restrict", kDrop, "pointers are not assumed to be restrict"},
    // What nvcc says.
    {"disable-warnings", "", kReplace, "-w"},
    {"resource-usage", "res-usage", kDrop, kNoPtx},
    {"diag-suppress", "diag-suppress", kDropValue, kNumbers},
    {"diag-warn", "diag-warn", kDropValue, kNumbers},
    {"diag-error", "diag-error", kDropValue, kNumbers},
    {"diag-once", "diag-once", kDropValue, kNumbers},
    {"frandom-seed", "frandom-seed", kMetValue, "the same command makes the same names"},
    {"brief-diagnostics", "brief-diag", kDropValue, "clang's is -fno-caret-diagnostics"},
    {"Werror", "", kDropValue, "it names no kind of warning"},
    {"Wdefault-stream-launch", "Wdefault-stream-launch", kDrop, kNoKind},
    {"Wmissing-launch-bounds", "Wmissing-launch-bounds", kDrop, kNoKind},
    {"Wext-lambda-captures-this", "Wext-lambda-captures-this", kDrop, kNoKind},
    {"Wreorder", "", kReplace, "-Wreorder"},
    {"Wno-deprecated-declarations", "", kReplace, "-Wno-deprecated-declarations"},
    {"Wno-deprecated-gpu-targets", "Wno-deprecated-gpu-targets", kMet, kImages},
    {"display-error-number", "err-no", kMet, "clang's warnings have names"},
    {"no-display-error-number", "no-err-no", kMet, "clang's warnings have names"},
    {"", "V", kReplace, "--version"},
};

// Options of gcc 12's optimizer (gcc --help=optimizers), without -f, that change no meaning: families, and
// one by one.
constexpr StringRef kGccsFamilies[] = {"graphite", "ipa-",    "ira-",        "loop-",
                                       "sched-",   "sched2-", "sel-sched-",  "selective-scheduling",
                                       "split-",   "tree-",   "var-tracking"};
constexpr StringRef kGccsOptimizations =
    " aggressive-loop-optimizations allocation-dce auto-inc-dec bit-tests code-hoisting "
    "combine-stack-adjustments compare-elim conserve-stack cprop-registers crossjumping "
    "cse-follow-jumps dce delayed-branch dse early-inlining fold-simple-inlines forward-propagate "
    "function-cse gcse-lm guess-branch-probability hoist-adjacent-loads if-conversion "
    "if-conversion2 indirect-inlining lifetime-dse limit-function-alignment live-range-shrinkage "
    "lra-remat move-loop-invariants move-loop-stores nothrow-opt optimize-strlen partial-inlining "
    "peephole peephole2 predictive-commoning printf-return-value ree reorder-blocks-and-partition "
    "reorder-functions rerun-cse-after-loop reschedule-modulo-scheduled-loops schedule-fusion "
    "section-anchors shrink-wrap shrink-wrap-separate ssa-backprop ssa-phiopt stdarg-opt "
    "store-merging thread-jumps toplevel-reorder unroll-completely-grow-size "
    "version-loops-for-strides vpt ";

}  // namespace

llvm::ArrayRef<NvccOption> nvccOptions() { return kOptions; }

bool takesValue(const NvccOption& option) {
  switch (option.action) {
    case kMet:
    case kDrop:
    case kReplace:
    case kRefuse:
      return false;
    default:
      return true;
  }
}

bool isGccsOptimization(StringRef argument) {
  if (!argument.consume_front("-f")) return false;
  argument.consume_front("no-");
  const StringRef name = argument.split('=').first;
  if (name == "ipa-strict-aliasing") return false;
  return kGccsOptimizations.contains((" " + name + " ").str()) ||
         llvm::any_of(kGccsFamilies, [&](StringRef family) { return name.starts_with(family); });
}

}  // namespace musashim::mcc
