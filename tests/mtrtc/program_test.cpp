// Programs: made, compiled, loaded, launched; what calls with wrong arguments return.
#include <cstring>

#include "support.h"

namespace {

using namespace musashim::test;

constexpr const char* kOne = "extern \"C\" __global__ void k(int* out) { out[threadIdx.x] = 1; }";

TEST(Mtrtc, StringIsCompiledLoadedAndLaunched) {
  const Program program(
      "extern \"C\" __global__ void squares(int* out) { out[threadIdx.x] = threadIdx.x * threadIdx.x; }");
  ASSERT_EQ(program.compile(), MTRTC_SUCCESS) << program.log();
  EXPECT_EQ(program.log(), "");
  Device device;
  const std::vector<int> values = device.run(device.load(program.image().c_str()), "squares", 8);
  EXPECT_EQ(values, (std::vector<int>{0, 1, 4, 9, 16, 25, 36, 49}));
}

TEST(Mtrtc, KernelsWithSharedMemoryBarriersAndMathematics) {
  const Program program(R"(
    extern "C" __global__ void reversed(int* out) {
      __shared__ int values[64];
      values[threadIdx.x] = (int)sqrtf(float(threadIdx.x * threadIdx.x));
      __syncthreads();
      out[threadIdx.x] = values[blockDim.x - 1 - threadIdx.x];
    })");
  ASSERT_EQ(program.compile(), MTRTC_SUCCESS) << program.log();
  Device device;
  const std::vector<int> values = device.run(device.load(program.image().c_str()), "reversed", 64);
  for (int i = 0; i < 64; ++i) EXPECT_EQ(values[static_cast<size_t>(i)], 63 - i);
}

TEST(Mtrtc, VariablesOfTheDevice) {
  const Program program(
      "__constant__ int factor = 6; __device__ int seven = 7;\n"
      "extern \"C\" __global__ void k(int* out) { *out = factor * seven; }");
  ASSERT_EQ(mtrtcAddNameExpression(program, "&factor"), MTRTC_SUCCESS);
  ASSERT_EQ(program.compile(), MTRTC_SUCCESS) << program.log();
  Device device;
  const MUmodule module = device.load(program.image().c_str());
  EXPECT_EQ(device.run(module, "k", 1).front(), 42);
  MUdeviceptr address = 0;
  size_t bytes = 0;
  ASSERT_EQ(muModuleGetGlobal(&address, &bytes, module, program.lowered("&factor").c_str()), MUSA_SUCCESS);
  EXPECT_EQ(bytes, sizeof(int));
  const int five = 5;
  ASSERT_EQ(muMemcpyHtoD(address, &five, sizeof five), MUSA_SUCCESS);
  EXPECT_EQ(device.run(module, "k", 1).front(), 35);
}

TEST(Mtrtc, StaticVariablesByTheirNames) {
  const Program program(
      "static __constant__ int table[3]; namespace { __device__ int inner; } static __device__ int unused;\n"
      "extern \"C\" __global__ void k(int* out) { *out = table[2] + inner; }");
  ASSERT_EQ(mtrtcAddNameExpression(program, "&inner"), MTRTC_SUCCESS);
  ASSERT_EQ(program.compile(), MTRTC_SUCCESS) << program.log();
  Device device;
  const MUmodule module = device.load(program.image().c_str());
  MUdeviceptr table = 0, inner = 0;
  size_t bytes = 0;
  ASSERT_EQ(muModuleGetGlobal(&table, &bytes, module, "table"), MUSA_SUCCESS);
  EXPECT_EQ(bytes, 3 * sizeof(int));
  ASSERT_EQ(muModuleGetGlobal(&inner, nullptr, module, program.lowered("&inner").c_str()), MUSA_SUCCESS);
  const int values[] = {1, 2, 3}, four = 4;
  ASSERT_EQ(muMemcpyHtoD(table, values, sizeof values), MUSA_SUCCESS);
  ASSERT_EQ(muMemcpyHtoD(inner, &four, sizeof four), MUSA_SUCCESS);
  EXPECT_EQ(device.run(module, "k", 1).front(), 7);
}

TEST(Mtrtc, SeveralImagesInOneModule) {
  const Device device;
  MUlinkState linker = nullptr;
  ASSERT_EQ(muLinkCreate(0, nullptr, nullptr, &linker), MUSA_SUCCESS);
  for (const char* name : {"first", "second"}) {
    const Program program("extern \"C\" __global__ void " + std::string(name) +
                          "(int* out) { *out = sizeof(\"" + name + "\"); }");
    ASSERT_EQ(program.compile(), MTRTC_SUCCESS) << program.log();
    std::string image = program.image();
    ASSERT_EQ(
        muLinkAddData(linker, MU_JIT_INPUT_FATBINARY, image.data(), image.size(), name, 0, nullptr, nullptr),
        MUSA_SUCCESS);
  }
  void* linked = nullptr;
  size_t size = 0;
  ASSERT_EQ(muLinkComplete(linker, &linked, &size), MUSA_SUCCESS);
  Device other;
  const MUmodule module = other.load(linked);
  EXPECT_EQ(other.run(module, "first", 1).front(), 6);
  EXPECT_EQ(other.run(module, "second", 1).front(), 7);
  EXPECT_EQ(muLinkDestroy(linker), MUSA_SUCCESS);
}

TEST(Mtrtc, HeadersOfTheSdk) {
  const Program program(
      "#include <musa_fp16.h>\n#include <cooperative_groups.h>\n"
      "extern \"C\" __global__ void k(int* out) {\n"
      "  cooperative_groups::this_thread_block().sync();\n"
      "  *out = __half2int_rn(__hadd(__float2half(1.5f), __float2half(2.5f)));\n}");
  ASSERT_EQ(program.compile(), MTRTC_SUCCESS) << program.log();
  EXPECT_EQ(Device().result(program, "k"), 4);
}

TEST(Mtrtc, CompiledAgainWithOtherOptions) {
  const Program program("extern \"C\" __global__ void k(int* out) { *out = N; }");
  EXPECT_EQ(program.compile(), MTRTC_ERROR_COMPILATION);
  ASSERT_EQ(program.compile({"-DN=3"}), MTRTC_SUCCESS) << program.log();
  EXPECT_EQ(program.log(), "");
  EXPECT_EQ(Device().result(program, "k"), 3);
  ASSERT_EQ(program.compile({"-DN=4"}), MTRTC_SUCCESS) << program.log();
  EXPECT_EQ(Device().result(program, "k"), 4);
}

TEST(Mtrtc, ProgramWithoutKernels) {
  const Program program("");
  EXPECT_EQ(program.compile(), MTRTC_SUCCESS) << program.log();
}

TEST(Mtrtc, WarningsAreInTheLog) {
  const Program program("extern \"C\" __global__ void k(int* out) {\n#warning look here\n  *out = 1;\n}");
  ASSERT_EQ(program.compile(), MTRTC_SUCCESS);
  EXPECT_NE(program.log().find("unit.mu:2:2: warning: look here"), std::string::npos) << program.log();
  ASSERT_EQ(program.compile({"-w"}), MTRTC_SUCCESS);
  EXPECT_EQ(program.log(), "");
}

TEST(Mtrtc, EndedProgramsAreNone) {
  mtrtcProgram program = nullptr;
  ASSERT_EQ(mtrtcCreateProgram(&program, kOne, nullptr, 0, nullptr, nullptr), MTRTC_SUCCESS);
  const mtrtcProgram ended = program;
  EXPECT_EQ(mtrtcDestroyProgram(&program), MTRTC_SUCCESS);
  EXPECT_EQ(program, nullptr);
  mtrtcProgram again = ended;
  EXPECT_EQ(mtrtcDestroyProgram(&again), MTRTC_ERROR_INVALID_PROGRAM);
  EXPECT_EQ(mtrtcDestroyProgram(nullptr), MTRTC_ERROR_INVALID_PROGRAM);
  EXPECT_EQ(mtrtcCompileProgram(ended, 0, nullptr), MTRTC_ERROR_INVALID_PROGRAM);
  size_t size = 0;
  EXPECT_EQ(mtrtcGetProgramLogSize(ended, &size), MTRTC_ERROR_INVALID_PROGRAM);
  EXPECT_EQ(mtrtcGetFatBinSize(nullptr, &size), MTRTC_ERROR_INVALID_PROGRAM);
}

TEST(Mtrtc, WrongArguments) {
  mtrtcProgram program = nullptr;
  const char* const none[] = {nullptr};
  EXPECT_EQ(mtrtcCreateProgram(nullptr, kOne, nullptr, 0, nullptr, nullptr), MTRTC_ERROR_INVALID_PROGRAM);
  EXPECT_EQ(mtrtcCreateProgram(&program, nullptr, nullptr, 0, nullptr, nullptr), MTRTC_ERROR_INVALID_INPUT);
  EXPECT_EQ(mtrtcCreateProgram(&program, kOne, nullptr, -1, nullptr, nullptr), MTRTC_ERROR_INVALID_INPUT);
  EXPECT_EQ(mtrtcCreateProgram(&program, kOne, nullptr, 1, nullptr, nullptr), MTRTC_ERROR_INVALID_INPUT);
  EXPECT_EQ(mtrtcCreateProgram(&program, kOne, nullptr, 1, none, none), MTRTC_ERROR_INVALID_INPUT);
  const Program right(kOne);
  EXPECT_EQ(mtrtcCompileProgram(right, 1, nullptr), MTRTC_ERROR_INVALID_OPTION);
  EXPECT_EQ(mtrtcCompileProgram(right, -1, none), MTRTC_ERROR_INVALID_INPUT);
  EXPECT_EQ(mtrtcCompileProgram(right, 1, none), MTRTC_ERROR_INVALID_OPTION);
  EXPECT_EQ(mtrtcGetProgramLog(right, nullptr), MTRTC_ERROR_INVALID_INPUT);
  EXPECT_EQ(mtrtcGetProgramLogSize(right, nullptr), MTRTC_ERROR_INVALID_INPUT);
  EXPECT_EQ(mtrtcGetFatBinSize(right, nullptr), MTRTC_ERROR_INVALID_INPUT);
  EXPECT_EQ(mtrtcAddNameExpression(right, nullptr), MTRTC_ERROR_INVALID_INPUT);
  EXPECT_EQ(mtrtcVersion(nullptr, nullptr), MTRTC_ERROR_INVALID_INPUT);
  EXPECT_EQ(mtrtcGetNumSupportedArchs(nullptr), MTRTC_ERROR_INVALID_INPUT);
}

TEST(Mtrtc, NothingIsThereBeforeCompilationOrAfterMistakes) {
  const Program program("mistake");
  size_t size = 0;
  char byte = 0;
  const char* name = nullptr;
  for (const bool compiled : {false, true}) {
    if (compiled) EXPECT_EQ(program.compile(), MTRTC_ERROR_COMPILATION);
    EXPECT_EQ(mtrtcGetFatBinSize(program, &size), MTRTC_ERROR_INVALID_PROGRAM);
    EXPECT_EQ(mtrtcGetFatBin(program, &byte), MTRTC_ERROR_INVALID_PROGRAM);
    EXPECT_EQ(mtrtcGetLoweredName(program, "k", &name), MTRTC_ERROR_NO_LOWERED_NAMES_BEFORE_COMPILATION);
  }
}

TEST(Mtrtc, TellsOfItself) {
  int major = 0, minor = 0, count = 0;
  EXPECT_EQ(mtrtcVersion(&major, &minor), MTRTC_SUCCESS);
  EXPECT_EQ(major * 10000 + minor * 100, MUSA_VERSION / 100 * 100);
  ASSERT_EQ(mtrtcGetNumSupportedArchs(&count), MTRTC_SUCCESS);
  std::vector<int> archs(static_cast<size_t>(count));
  EXPECT_EQ(mtrtcGetSupportedArchs(archs.data()), MTRTC_SUCCESS);
  EXPECT_EQ(archs, (std::vector<int>{21, 22, 31}));
  // NVRTC's, up to the compute capability of the CUDA face.
  ASSERT_EQ(nvrtcGetNumSupportedArchs(&count), MTRTC_SUCCESS);
  archs.resize(static_cast<size_t>(count));
  EXPECT_EQ(nvrtcGetSupportedArchs(archs.data()), MTRTC_SUCCESS);
  EXPECT_EQ(archs, (std::vector<int>{50, 52, 53, 60, 61, 62, 70, 72, 75, 80}));
  EXPECT_EQ(nvrtcGetSupportedArchs(nullptr), MTRTC_ERROR_INVALID_INPUT);
  EXPECT_STREQ(mtrtcGetErrorString(MTRTC_ERROR_COMPILATION), "MTRTC_ERROR_COMPILATION");
  EXPECT_STREQ(nvrtcGetErrorString(MTRTC_ERROR_COMPILATION), "NVRTC_ERROR_COMPILATION");
  EXPECT_STREQ(mtrtcGetErrorString(static_cast<mtrtcResult>(99)), "MTRTC_ERROR unknown");
}

}  // namespace
