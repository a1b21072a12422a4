#include "support.h"

namespace {

using namespace musashim::test;

TEST(Mtrtc, StringIsCompiledLoadedAndLaunched) {
  const Program program(
      "extern \"C\" __global__ void squares(int* out) { out[threadIdx.x] = threadIdx.x * threadIdx.x; }");
  ASSERT_EQ(program.compile(), MTRTC_SUCCESS) << program.log();
  Device device;
  const std::vector<int> values = device.run(device.load(program.image().c_str()), "squares", 8);
  EXPECT_EQ(values, (std::vector<int>{0, 1, 4, 9, 16, 25, 36, 49}));
}

TEST(Mtrtc, MistakeIsInTheLog) {
  const Program program("__global__ void k(int* out) {\n  out[0] = unknown;\n}\n");
  EXPECT_EQ(program.compile(), MTRTC_ERROR_COMPILATION);
  EXPECT_NE(program.log().find("unit.mu:2:12: error: use of undeclared identifier 'unknown'"),
            std::string::npos)
      << program.log();
}

TEST(Mtrtc, KernelTemplateByNameExpression) {
  const Program program("template <class T, int N> __global__ void fill(T* out) { out[threadIdx.x] = N; }");
  ASSERT_EQ(mtrtcAddNameExpression(program, "fill<int, 7>"), MTRTC_SUCCESS);
  ASSERT_EQ(mtrtcAddNameExpression(program, "&fill<int, 3 + 5>"), MTRTC_SUCCESS);
  ASSERT_EQ(program.compile(), MTRTC_SUCCESS) << program.log();
  Device device;
  const MUmodule module = device.load(program.image().c_str());
  EXPECT_EQ(device.run(module, program.lowered("fill<int, 7>"), 2), (std::vector<int>{7, 7}));
  EXPECT_EQ(device.run(module, program.lowered("&fill<int, 3 + 5>"), 1), (std::vector<int>{8}));
}

}  // namespace
