#include "option_table.h"

namespace musashim::mtrtc {
namespace {

using enum Action;

constexpr std::string_view kNoPtx = "there is no PTX for MUSA devices";

// In the order of NVRTC's manual.
constexpr Option kOptions[] = {
    {"gpu-architecture", "arch", kArch},
    {"offload-arch", "", kArch},
    {"cuda-gpu-arch", "", kArch},
    {"device-c", "dc", kRelocatable},
    {"device-w", "dw", kNothing},
    {"relocatable-device-code", "rdc", kRelocatableSwitch},
    {"extensible-whole-program", "ewp", kRelocatable},
    {"device-debug", "G", kLanguage, "-g"},
    {"generate-line-info", "lineinfo", kLanguage, "-gline-tables-only"},
    {"dopt", "dopt", kNothingValue},
    {"Ofast-compile", "Ofc", kNothingValue},
    {"ptxas-options", "Xptxas", kNothingWord},
    {"maxrregcount", "maxrregcount", kNothingNumber},
    {"ftz", "ftz", kSwitch, "-fmusa-flush-denormals-to-zero", "true"},
    {"prec-sqrt", "prec-sqrt", kNothingValue},
    {"prec-div", "prec-div", kNothingValue},
    {"fmad", "fmad", kSwitch, "-ffp-contract=off", "false"},
    {"use_fast_math", "use_fast_math", kLanguage, "-fmusa-flush-denormals-to-zero"},
    {"extra-device-vectorization", "extra-device-vectorization", kNothing},
    {"modify-stack-limit", "modify-stack-limit", kNothingValue},
    {"dlink-time-opt", "dlto", kRelocatable},
    {"gen-opt-lto", "gen-opt-lto", kNothing},
    {"optix-ir", "optix-ir", kRefuse, "there is no OptiX for MUSA devices"},
    {"jump-table-density", "jtd", kNothingValue},
    {"device-stack-protector", "device-stack-protector", kNothingValue},
    {"no-cache", "no-cache", kNoCache},
    {"frandom-seed", "frandom-seed", kNothingValue},
    {"define-macro", "D", kFrontendValue, "-D"},
    {"undefine-macro", "U", kFrontendValue, "-U"},
    {"include-path", "I", kFrontendValue, "-I"},
    {"system-include", "isystem", kFrontendPair, "-isystem"},
    {"pre-include", "include", kFrontendPair, "-include"},
    {"no-source-include", "no-source-include", kNothing},
    {"std", "std", kLanguageValue, "-std="},
    {"builtin-move-forward", "builtin-move-forward", kNothingValue},
    {"builtin-initializer-list", "builtin-initializer-list", kNothingValue},
    {"pch", "pch", kNothing},
    {"create-pch", "create-pch", kRefuse, "the SDK's headers are compiled once by themselves; leave it out"},
    {"use-pch", "use-pch", kRefuse, "the SDK's headers are compiled once by themselves; leave it out"},
    {"pch-dir", "pch-dir", kNothingValue},
    {"pch-verbose", "pch-verbose", kNothingValue},
    {"pch-messages", "pch-messages", kNothingValue},
    {"instantiate-templates-in-pch", "instantiate-templates-in-pch", kNothingValue},
    {"disable-warnings", "w", kFrontend, "-w"},
    {"Werror", "Werror", kNothingValue},
    {"restrict", "restrict", kNothing},
    {"device-as-default-execution-space", "default-device", kDefaultDevice},
    {"device-int128", "device-int128", kNothing},
    {"device-float128", "device-float128", kRefuse,
     "there is no type of 128 bits for floats on MUSA devices"},
    {"optimization-info", "opt-info", kNothingValue},
    {"display-error-number", "err-no", kNothing},
    {"no-display-error-number", "no-err-no", kNothing},
    {"diag-error", "diag-error", kNothingValue},
    {"diag-suppress", "diag-suppress", kNothingValue},
    {"diag-warn", "diag-warn", kNothingValue},
    {"brief-diagnostics", "brief-diag", kNothingValue},
    {"time", "time", kNothingValue},
    {"split-compile", "split-compile", kNothingValue},
    {"fdevice-syntax-only", "fdevice-syntax-only", kRefuse,
     "a program becomes an image or an error; leave it out"},
    {"minimal", "minimal", kNothing},
    {"version-ident", "dQ", kNothingValue},
    {"extended-lambda", "extended-lambda", kNothing},
    {"expt-relaxed-constexpr", "expt-relaxed-constexpr", kNothing},
    // mcc's own.
    {"musa-flush-denormals-to-zero", "fmusa-flush-denormals-to-zero", kLanguage,
     "-fmusa-flush-denormals-to-zero"},
    {"", "mtgpu", kNothing},
    {"", "Od3", kNothing},
    {"", "g", kLanguage, "-g"},
    {"", "O0", kLanguage, "-O0"},
    {"", "O1", kLanguage, "-O1"},
    {"", "O2", kLanguage, "-O2"},
    {"", "O3", kLanguage, "-O3"},
    {"", "Wall", kFrontend, "-Wall"},
    {"", "Wextra", kFrontend, "-Wextra"},
    {"ptx", "ptx", kRefuse, kNoPtx},
};

}  // namespace

std::span<const Option> optionTable() { return kOptions; }

}  // namespace musashim::mtrtc
