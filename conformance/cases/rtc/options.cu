// links: nvrtc driver
// Which options are taken, and what they do.
#include "../../framework/runtime_compilation.h"

CONFORMANCE_CASE("rtc.options");

static const char* const kKernel = "extern \"C\" __global__ void f(int* out) { out[0] = 7; }";

static std::string valueOf(const std::string& expression, std::vector<const char*> options = {}) {
  const std::string source = "extern \"C\" __global__ void f(int* out) { out[0] = (" + expression + "); }";
  return Compiled(source.c_str(), options).run();
}

int main() {
  int number = 0;
  for (const char* option : {"-G",
                             "--device-debug",
                             "-lineinfo",
                             "--generate-line-info",
                             "-rdc=true",
                             "--relocatable-device-code=false",
                             "-dc",
                             "-dw",
                             "--maxrregcount=32",
                             "-maxrregcount=32",
                             "--ftz=true",
                             "-ftz=false",
                             "--prec-sqrt=false",
                             "--prec-div=true",
                             "--fmad=false",
                             "--use_fast_math",
                             "-use_fast_math",
                             "--extra-device-vectorization",
                             "--std=c++11",
                             "--std=c++14",
                             "--std=c++17",
                             "--std=c++20",
                             "-std=c++17",
                             "--std=c++98",
                             "--std=c99",
                             "-DNAME",
                             "-DNAME=3",
                             "--define-macro=NAME=3",
                             "-UNAME",
                             "--undefine-macro=NAME",
                             "-I/nowhere",
                             "--include-path=/nowhere",
                             "-default-device",
                             "--device-as-default-execution-space",
                             "--disable-warnings",
                             "-w",
                             "--restrict",
                             "--builtin-move-forward=true",
                             "--builtin-initializer-list=false",
                             "--device-int128",
                             "--display-error-number",
                             "--no-display-error-number",
                             "--diag-suppress=177",
                             "--diag-error=177",
                             "-ewp",
                             "--version-ident=true",
                             "--no-such-option",
                             "-nothing",
                             "kernel.cu",
                             "",
                             "--std=",
                             "--maxrregcount=many",
                             "--gpu-architecture=compute_3",
                             "--gpu-architecture=nothing",
                             "-O3",
                             "-Xptxas",
                             "-lm",
                             "--pch-verbose=true"}) {
    OBSERVE("takes." + std::to_string(number++) + "." + keyOf(option),
            code(Compiled(kKernel, {option}).result));
  }
  OBSERVE("define", valueOf("NAME", {"-DNAME=5"}));
  OBSERVE("define.plain", valueOf("NAME", {"-DNAME"}));
  OBSERVE("define.long", valueOf("NAME", {"--define-macro=NAME=6"}));
  OBSERVE("define.two_words", valueOf("NAME", {"--define-macro", "NAME=8"}));
  OBSERVE("define.apart", valueOf("NAME", {"-D", "NAME=9"}));
  OBSERVE("define.last_wins", valueOf("NAME", {"-DNAME=1", "-DNAME=2"}));
  OBSERVE("undefine", valueOf("NAME", {"-DNAME=1", "-UNAME"}));
  OBSERVE("undefine.before", valueOf("NAME", {"-UNAME", "-DNAME=1"}));
  OBSERVE("std.default", valueOf("__cplusplus / 100"));
  OBSERVE("std.11", valueOf("__cplusplus / 100", {"--std=c++11"}));
  OBSERVE("std.14", valueOf("__cplusplus / 100", {"--std=c++14"}));
  OBSERVE("std.20", valueOf("__cplusplus / 100", {"--std=c++20"}));
  OBSERVE("rtc_macro", valueOf("__CUDACC_RTC__"));
  OBSERVE("cudacc_macro", valueOf("__CUDACC__"));
  OBSERVE("warp", valueOf("warpSize", {}));
  OBSERVE("sizes",
          valueOf("sizeof(long) * 10000 + sizeof(void*) * 1000 + sizeof(size_t) * 100 + sizeof(wchar_t)"));
  OBSERVE("default_device", Compiled("int twice(int v) { return 2 * v; }\n"
                                     "extern \"C\" __global__ void f(int* out) { out[0] = twice(21); }",
                                     {"-default-device"})
                                .run());
  OBSERVE("host_function", Compiled("int twice(int v) { return 2 * v; }\n"
                                    "extern \"C\" __global__ void f(int* out) { out[0] = twice(21); }")
                               .run());
}
