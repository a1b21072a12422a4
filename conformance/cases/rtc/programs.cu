// links: nvrtc driver
// What programs may hold: headers in memory, errors, parts of the language.
#include "../../framework/runtime_compilation.h"

CONFORMANCE_CASE("rtc.programs");

struct Headers {
  std::vector<const char*> texts, names;
};

static std::string with(const char* source, const Headers& headers) {
  Compiled compiled("");
  nvrtcDestroyProgram(&compiled.program);
  compiled.result =
      nvrtcCreateProgram(&compiled.program, source, "main.cu", static_cast<int>(headers.names.size()),
                         headers.texts.data(), headers.names.data());
  if (compiled.result == NVRTC_SUCCESS) compiled.result = nvrtcCompileProgram(compiled.program, 0, nullptr);
  return compiled.run();
}

static std::string body(const std::string& statements, const std::string& before = "") {
  const std::string source = before + "\nextern \"C\" __global__ void f(int* out) {\n" + statements + "\n}\n";
  return Compiled(source.c_str()).run();
}

int main() {
  const char* const kUses =
      "#include \"values.h\"\nextern \"C\" __global__ void f(int* out) { out[0] = VALUE; }";
  OBSERVE("header", with(kUses, {{"#define VALUE 11\n"}, {"values.h"}}));
  OBSERVE("header.missing", with(kUses, {{}, {}}));
  OBSERVE("header.other_name", with(kUses, {{"#define VALUE 11\n"}, {"other.h"}}));
  OBSERVE("header.nested",
          with(kUses, {{"#include \"more.h\"\n#define VALUE MORE + 1\n", "#define MORE 20\n"},
                       {"values.h", "more.h"}}));
  OBSERVE("header.folder",
          with("#include <lib/values.h>\nextern \"C\" __global__ void f(int* out) { out[0] = VALUE; }",
               {{"#define VALUE 13\n"}, {"lib/values.h"}}));
  OBSERVE("header.angle",
          with("#include <values.h>\nextern \"C\" __global__ void f(int* out) { out[0] = VALUE; }",
               {{"#define VALUE 14\n"}, {"values.h"}}));
  OBSERVE("header.twice", with("#include \"values.h\"\n#include \"values.h\"\n"
                               "extern \"C\" __global__ void f(int* out) { out[0] = VALUE; }",
                               {{"#pragma once\nconstexpr int VALUE = 15;\n"}, {"values.h"}}));
  OBSERVE("header.error", with(kUses, {{"#error no\n"}, {"values.h"}}));
  OBSERVE("header.same_name",
          with(kUses, {{"#define VALUE 1\n", "#define VALUE 2\n"}, {"values.h", "values.h"}}));

  OBSERVE("error.syntax", body("out[0] = ;"));
  OBSERVE("error.unknown_name", body("out[0] = nothing;"));
  OBSERVE("error.unknown_type", body("Nothing x; out[0] = 1;"));
  OBSERVE("error.directive", body("out[0] = 1;", "#error stop"));
  OBSERVE("error.assert", body("out[0] = 1;", "static_assert(sizeof(int) == 8, \"no\");"));
  OBSERVE("error.kernel_returns", Compiled("extern \"C\" __global__ int f(int* out) { return 1; }").run());
  OBSERVE("error.brace", Compiled("extern \"C\" __global__ void f(int* out) { out[0] = 1;").run());
  OBSERVE("error.log", Compiled("extern \"C\" __global__ void f(int* out) { out[0] = x; }").hasLog());
  OBSERVE("good.log", Compiled("extern \"C\" __global__ void f(int* out) { out[0] = 1; }").hasLog());
  OBSERVE("no_kernel", Compiled("int unused;").run());

  OBSERVE("lambda", body("auto twice = [](int v) { return 2 * v; }; out[0] = twice(4);"));
  OBSERVE("template", body("out[0] = add<int>(2, 3);",
                           "template <class T> __device__ T add(T a, T b) { return a + b; }"));
  OBSERVE("constexpr",
          body("constexpr int v = power(2, 10); out[0] = v;",
               "__device__ constexpr int power(int b, int e) { return e == 0 ? 1 : b * power(b, e - 1); }"));
  OBSERVE("shared", body("__shared__ int s[4]; s[1] = 5; __syncthreads(); out[0] = s[1];"));
  OBSERVE("math", body("out[0] = (int)(sqrtf(16.f) + floor(2.7) + max(3, 4));"));
  OBSERVE("atomics", body("atomicAdd(out, 6);"));
  OBSERVE("intrinsics", body("out[0] = __popc(255) + __clz(1) + __ffs(8);"));
  OBSERVE("vectors", body("int4 v = make_int4(1, 2, 3, 4); float2 w{1, 2}; out[0] = v.w + (int)w.y;"));
  OBSERVE("structs", body("Pair p{2, 3}; out[0] = p.sum();",
                          "struct Pair { int a, b; __device__ int sum() const { return a + b; } };"));
  OBSERVE("classes", body("Derived d; Base* b = &d; out[0] = b->value();",
                          "struct Base { __device__ virtual int value() { return 1; } };\n"
                          "struct Derived : Base { __device__ int value() override { return 9; } };"));
  OBSERVE("recursion",
          body("out[0] = sum(10);", "__device__ int sum(int n) { return n == 0 ? 0 : n + sum(n - 1); }"));
  OBSERVE("constant", body("out[0] = table[2];", "__constant__ int table[] = {5, 6, 7};"));
  OBSERVE("size_t", body("size_t n = 3; ptrdiff_t d = -1; out[0] = (int)(n + d);"));
  OBSERVE("half_builtin", body("out[0] = sizeof(long long);"));
  OBSERVE("include.math", body("out[0] = 1;", "#include <math.h>"));
  OBSERVE("include.cstdint", body("uint64_t v = 5; out[0] = (int)v;", "#include <cstdint>"));
  OBSERVE("include.type_traits", body("out[0] = 1;", "#include <type_traits>"));
  OBSERVE("include.runtime", body("out[0] = 2;", "#include <cuda_runtime.h>"));
  OBSERVE("line", body("#line 100\nout[0] = __LINE__;"));
  OBSERVE("file", Compiled("extern \"C\" __global__ void f(int* out) { out[0] = sizeof(__FILE__); }").run());
  OBSERVE("printf", body("printf(\"%d\\n\", 1); out[0] = 3;"));
  OBSERVE("new_delete", body("int* p = new int(4); out[0] = *p; delete p;"));
  OBSERVE("assert_false",
          Compiled("extern \"C\" __global__ void f(int* out) { out[0] = 1; assert(out[0] == 1); }").run());
}
