// Sources with mistakes: the right code and a log that says what and where, never a crash.
#include "support.h"

namespace {

using namespace musashim::test;

void expectMistake(const std::string& source, const std::string& words, const Strings& options = {}) {
  const Program program(source);
  EXPECT_EQ(program.compile(options), MTRTC_ERROR_COMPILATION) << source;
  EXPECT_NE(program.log().find(words), std::string::npos) << source << "\n" << program.log();
  // Of files that were made on the way nothing is told; the SDK may lie anywhere.
  std::string log = program.log();
  for (size_t at = 0; (at = log.find(MTRTC_TEST_SDK, at)) != std::string::npos;)
    log.erase(at, sizeof MTRTC_TEST_SDK - 1);
  EXPECT_EQ(log.find("/tmp"), std::string::npos) << log;
}

TEST(MtrtcMistakes, UnknownName) {
  expectMistake("__global__ void k(int* out) {\n  out[0] = unknown;\n}\n",
                "unit.mu:2:12: error: use of undeclared identifier 'unknown'");
}

TEST(MtrtcMistakes, Syntax) { expectMistake("__global__ void k( { }", "unit.mu:1:23: error: expected ')'"); }

TEST(MtrtcMistakes, NotCode) {
  expectMistake(std::string("\x7f"
                            "ELF\x01\x02\x03"),
                "error: ");
}

TEST(MtrtcMistakes, MissingHeader) {
  expectMistake("#include \"nowhere.h\"\n", "unit.mu:1:10: fatal error: 'nowhere.h' file not found");
}

TEST(MtrtcMistakes, HostFunctionInAKernel) {
  expectMistake("int host(int x) { return x; }\nextern \"C\" __global__ void k(int* out) { *out = host(1); }",
                "call to __host__ function from __global__ function");
}

TEST(MtrtcMistakes, UndefinedFunction) {
  expectMistake(
      "__device__ int missing(int);\nextern \"C\" __global__ void k(int* out) { *out = missing(1); }",
      "mtrtc: error: undefined symbol: missing(int)");
}

TEST(MtrtcMistakes, KernelThatReturnsSomething) {
  expectMistake("__global__ int k() { return 1; }",
                "kernel function type 'int ()' must have void return type");
}

TEST(MtrtcMistakes, FailedAssertion) {
  expectMistake("static_assert(sizeof(void*) == 4, \"small pointers\");", "small pointers");
}

TEST(MtrtcMistakes, EndlessTemplates) {
  expectMistake("template <int N> struct S { static const int v = S<N + 1>::v; };\nconst int i = S<0>::v;",
                "recursive template instantiation exceeded maximum depth");
}

TEST(MtrtcMistakes, HeaderThatIncludesItself) {
  const Program program("#include \"loop.h\"", {{"loop.h", "#include \"loop.h\"\n"}});
  EXPECT_EQ(program.compile(), MTRTC_ERROR_COMPILATION);
  EXPECT_NE(program.log().find("#include nested too deeply"), std::string::npos) << program.log();
}

TEST(MtrtcMistakes, DeepNesting) {
  std::string source = "__device__ int f() { return ";
  for (int i = 0; i < 2000; ++i) source += "(";
  const Program program(source + "1");
  EXPECT_EQ(program.compile(), MTRTC_ERROR_COMPILATION);
}

TEST(MtrtcMistakes, MistakeInAHeaderNamesIt) {
  const Program program("#include \"inner.h\"\n", {{"inner.h", "\n\nint x = y;\n"}});
  EXPECT_EQ(program.compile(), MTRTC_ERROR_COMPILATION);
  EXPECT_NE(program.log().find("inner.h:3:9: error: use of undeclared identifier 'y'"), std::string::npos)
      << program.log();
  EXPECT_NE(program.log().find("from unit.mu:1"), std::string::npos) << program.log();
}

TEST(MtrtcMistakes, GoodProgramsAfterBadOnes) {
  for (int i = 0; i < 3; ++i) {
    expectMistake("__global__ void k(int* out) { *out = bad" + std::to_string(i) + "; }", "error: ");
    const Program program("extern \"C\" __global__ void k(int* out) { *out = " + std::to_string(i) + "; }");
    ASSERT_EQ(program.compile(), MTRTC_SUCCESS) << program.log();
    EXPECT_EQ(Device().result(program, "k"), i);
  }
}

}  // namespace
