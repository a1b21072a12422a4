// Name expressions.
#define MTRTC_GET_TYPE_NAME 1
#include "support.h"

namespace {

using namespace musashim::test;

TEST(MtrtcNames, KernelTemplates) {
  const Program program("template <class T, int N> __global__ void fill(T* out) { out[threadIdx.x] = N; }");
  ASSERT_EQ(mtrtcAddNameExpression(program, "fill<int, 7>"), MTRTC_SUCCESS);
  ASSERT_EQ(mtrtcAddNameExpression(program, "&fill<int, 3 + 5>"), MTRTC_SUCCESS);
  ASSERT_EQ(program.compile(), MTRTC_SUCCESS) << program.log();
  Device device;
  const MUmodule module = device.load(program.image().c_str());
  EXPECT_EQ(device.run(module, program.lowered("fill<int, 7>"), 2), (std::vector<int>{7, 7}));
  EXPECT_EQ(device.run(module, program.lowered("&fill<int, 3 + 5>"), 1), (std::vector<int>{8}));
}

TEST(MtrtcNames, NamespacesAndTypesOfTheProgram) {
  const Program program(R"(
    namespace outer { namespace inner {
      struct Pair { int a, b; };
      template <class T> __global__ void size(int* out) { *out = sizeof(T); }
      __global__ void plain(int* out) { *out = 11; }
    } }
    template <template <class> class C, class T> __global__ void wrapped(int* out) { *out = C<T>::value; }
    template <class T> struct Twice { static const int value = 2 * sizeof(T); };)");
  const Strings names{"outer::inner::size<outer::inner::Pair>", "outer::inner::plain",
                      "wrapped<Twice, double>"};
  for (const std::string& name : names)
    ASSERT_EQ(mtrtcAddNameExpression(program, name.c_str()), MTRTC_SUCCESS);
  ASSERT_EQ(program.compile(), MTRTC_SUCCESS) << program.log();
  Device device;
  const MUmodule module = device.load(program.image().c_str());
  EXPECT_EQ(device.run(module, program.lowered(names[0].c_str()), 1).front(), 8);
  EXPECT_EQ(device.run(module, program.lowered(names[1].c_str()), 1).front(), 11);
  EXPECT_EQ(device.run(module, program.lowered(names[2].c_str()), 1).front(), 16);
}

TEST(MtrtcNames, OverloadsByACast) {
  const Program program(
      "__global__ void k(int* out) { *out = 1; }\n__global__ void k(unsigned* out) { *out = 2; }");
  const char* const name = "(void (*)(unsigned*))&k";
  ASSERT_EQ(mtrtcAddNameExpression(program, name), MTRTC_SUCCESS);
  ASSERT_EQ(program.compile(), MTRTC_SUCCESS) << program.log();
  Device device;
  EXPECT_EQ(device.run(device.load(program.image().c_str()), program.lowered(name), 1).front(), 2);
}

TEST(MtrtcNames, FunctionsCalledByTemplatesAreThereToo) {
  const Program program(R"(
    template <int N> struct Sum { __device__ static int of(int x) { return x + Sum<N - 1>::of(x); } };
    template <> struct Sum<0> { __device__ static int of(int) { return 0; } };
    template <int N> __global__ void k(int* out) { __shared__ int s[N]; s[0] = Sum<N>::of(3); __syncthreads(); *out = s[0]; })");
  ASSERT_EQ(mtrtcAddNameExpression(program, "k<5>"), MTRTC_SUCCESS);
  ASSERT_EQ(program.compile(), MTRTC_SUCCESS) << program.log();
  EXPECT_EQ(Device().result(program, program.lowered("k<5>")), 15);
}

TEST(MtrtcNames, CNamesStayWhatTheyAre) {
  const Program program("extern \"C\" __global__ void plain(int* out) { *out = 1; }");
  ASSERT_EQ(mtrtcAddNameExpression(program, "plain"), MTRTC_SUCCESS);
  ASSERT_EQ(program.compile(), MTRTC_SUCCESS) << program.log();
  EXPECT_EQ(program.lowered("plain"), "plain");
}

TEST(MtrtcNames, VariablesAndVariableTemplates) {
  const Program program(
      "namespace ns { __device__ int v = 4; }\ntemplate <int N> __device__ int numbered = N;\n"
      "extern \"C\" __global__ void k(int* out) { *out = ns::v; }");
  ASSERT_EQ(mtrtcAddNameExpression(program, "&ns::v"), MTRTC_SUCCESS);
  ASSERT_EQ(mtrtcAddNameExpression(program, "&numbered<9>"), MTRTC_SUCCESS);
  ASSERT_EQ(program.compile(), MTRTC_SUCCESS) << program.log();
  Device device;
  const MUmodule module = device.load(program.image().c_str());
  for (const auto& [name, value] : {std::pair{"&ns::v", 4}, std::pair{"&numbered<9>", 9}}) {
    MUdeviceptr address = 0;
    int read = 0;
    ASSERT_EQ(muModuleGetGlobal(&address, nullptr, module, program.lowered(name).c_str()), MUSA_SUCCESS)
        << name;
    ASSERT_EQ(muMemcpyDtoH(&read, address, sizeof read), MUSA_SUCCESS);
    EXPECT_EQ(read, value);
  }
}

TEST(MtrtcNames, UnknownOnesAreMistakes) {
  const Program program("template <int N> __global__ void k(int* out) { *out = N; }");
  ASSERT_EQ(mtrtcAddNameExpression(program, "k<unknown>"), MTRTC_SUCCESS);
  EXPECT_EQ(program.compile(), MTRTC_ERROR_COMPILATION);
  EXPECT_NE(program.log().find("name expression:1"), std::string::npos) << program.log();
}

TEST(MtrtcNames, WhatIsNoFunctionIsAMistake) {
  const Program program("extern \"C\" __global__ void k(int* out) { *out = 1; }");
  ASSERT_EQ(mtrtcAddNameExpression(program, "(3 + 4)"), MTRTC_SUCCESS);
  EXPECT_EQ(program.compile(), MTRTC_ERROR_COMPILATION);
  EXPECT_NE(program.log().find("names no kernel, function or variable"), std::string::npos) << program.log();
}

TEST(MtrtcNames, OrderOfCalls) {
  const Program program("extern \"C\" __global__ void k(int* out) { *out = 1; }");
  const char* name = nullptr;
  ASSERT_EQ(mtrtcAddNameExpression(program, "k"), MTRTC_SUCCESS);
  EXPECT_EQ(mtrtcGetLoweredName(program, "k", &name), MTRTC_ERROR_NO_LOWERED_NAMES_BEFORE_COMPILATION);
  ASSERT_EQ(program.compile(), MTRTC_SUCCESS) << program.log();
  EXPECT_EQ(mtrtcAddNameExpression(program, "k"), MTRTC_ERROR_NO_NAME_EXPRESSIONS_AFTER_COMPILATION);
  EXPECT_EQ(mtrtcGetLoweredName(program, "other", &name), MTRTC_ERROR_NAME_EXPRESSION_NOT_VALID);
  EXPECT_EQ(mtrtcGetLoweredName(program, "k", nullptr), MTRTC_ERROR_INVALID_INPUT);
}

TEST(MtrtcNames, NamesOfTypes) {
  std::string name;
  EXPECT_EQ(mtrtcGetTypeName<float>(&name), MTRTC_SUCCESS);
  EXPECT_EQ(name, "float");
  EXPECT_EQ(mtrtcGetTypeName<const int*>(&name), MTRTC_SUCCESS);
  EXPECT_EQ(name, "int const*");
  EXPECT_EQ(mtrtcGetTypeName<double&>(&name), MTRTC_SUCCESS);
  EXPECT_EQ(name, "double&");
}

}  // namespace
