// CUDA's programs, by nvrtcCreateProgram: ported on the way.
#include <filesystem>
#include <fstream>

#include "support.h"

namespace {

using namespace musashim::test;
namespace fs = std::filesystem;

Program cudaProgram(const std::string& source, const std::vector<Header>& headers = {}) {
  return Program(source, headers, /*isCuda=*/true, "unit.cu");
}

TEST(MtrtcCuda, NamesMacrosAndInlinePtx) {
  const auto program = cudaProgram(R"(
    #include <cuda_fp16.h>
    #include <cooperative_groups.h>
    #if !defined(__CUDACC_RTC__) || !defined(__CUDA_ARCH__)
    #error this is no NVRTC
    #endif
    __device__ int lane() { int r; asm("mov.u32 %0, %%laneid;" : "=r"(r)); return r; }
    extern "C" __global__ void k(int* out) {
      cooperative_groups::this_thread_block().sync();
      cudaError_t status = cudaSuccess;
      out[threadIdx.x] = lane() + (int)__half2float(__float2half(2.0f)) + status;
    })");
  ASSERT_EQ(program.compile({"--gpu-architecture=compute_80"}), MTRTC_SUCCESS) << program.log();
  Device device;
  EXPECT_EQ(device.run(device.load(program.image().c_str()), "k", 4), (std::vector<int>{2, 3, 4, 5}));
}

TEST(MtrtcCuda, ArchitectureIsTheFacesWhateverIsAskedFor) {
  for (const char* option : {"--gpu-architecture=compute_70", "-arch=sm_80", "-arch=sm_90"}) {
    const auto program = cudaProgram(
        "extern \"C\" __global__ void k(int* out) { *out = __CUDA_ARCH__ + __CUDA_ARCH_LIST__; }");
    ASSERT_EQ(program.compile({option}), MTRTC_SUCCESS) << program.log();
    EXPECT_EQ(Device().result(program, "k"), 1600) << option;
  }
}

TEST(MtrtcCuda, HeadersInMemoryArePortedAndKeepTheirNames) {
  const auto program =
      cudaProgram("#include \"cuda_helpers.cuh\"\nextern \"C\" __global__ void k(int* out) { *out = f(); }",
                  {{"cuda_helpers.cuh", "__device__ int f() { return (int)cudaErrorInvalidValue; }"}});
  ASSERT_EQ(program.compile(), MTRTC_SUCCESS) << program.log();
  EXPECT_EQ(Device().result(program, "k"), 1);
}

TEST(MtrtcCuda, FilesOfIncludeFoldersArePorted) {
  const fs::path folder = fs::temp_directory_path() / ("mtrtc_cuda_" + std::to_string(getpid()));
  fs::create_directories(folder);
  std::ofstream(folder / "on_disk.cuh")
      << "#include \"beside.cuh\"\n__device__ int f() { return (int)cudaErrorInvalidValue + g(); }";
  std::ofstream(folder / "beside.cuh") << "__device__ int g() { return (int)cudaErrorNotReady; }";
  const auto program =
      cudaProgram("#include \"on_disk.cuh\"\nextern \"C\" __global__ void k(int* out) { *out = f(); }");
  ASSERT_EQ(program.compile({"-I" + folder.string()}), MTRTC_SUCCESS) << program.log();
  EXPECT_EQ(Device().result(program, "k"), 601);
  fs::remove_all(folder);
}

TEST(MtrtcCuda, LinesOfMistakesAreTheSources) {
  const auto program = cudaProgram(
      "#include <cuda_fp16.h>\n\nextern \"C\" __global__ void k(int* out) {\n  *out = unknown;\n}");
  EXPECT_EQ(program.compile(), MTRTC_ERROR_COMPILATION);
  EXPECT_NE(program.log().find("unit.cu:4:10: error: use of undeclared identifier 'unknown'"),
            std::string::npos)
      << program.log();
}

TEST(MtrtcCuda, PtxIsAStringThatLoads) {
  const auto program = cudaProgram("extern \"C\" __global__ void k(int* out) { *out = 12; }");
  size_t size = 1;
  EXPECT_EQ(nvrtcGetPTXSize(program, &size), MTRTC_SUCCESS);  // recorded
  EXPECT_EQ(size, 0u);
  ASSERT_EQ(program.compile(), MTRTC_SUCCESS) << program.log();
  ASSERT_EQ(nvrtcGetPTXSize(program, &size), MTRTC_SUCCESS);
  std::string ptx(size, 'x');
  ASSERT_EQ(nvrtcGetPTX(program, ptx.data()), MTRTC_SUCCESS);
  EXPECT_EQ(ptx.find('\0'), size - 1);
  Device device;
  EXPECT_EQ(device.run(device.load(std::string(ptx.c_str()).c_str()), "k", 1).front(), 12);
  size_t cubin = 0;
  ASSERT_EQ(nvrtcGetCUBINSize(program, &cubin), MTRTC_SUCCESS);
  std::string code(cubin, '\0');
  ASSERT_EQ(nvrtcGetCUBIN(program, code.data()), MTRTC_SUCCESS);
  EXPECT_EQ(device.run(device.load(code.c_str()), "k", 1).front(), 12);
}

TEST(MtrtcCuda, BrokenTextIsRefused) {
  const auto program = cudaProgram("extern \"C\" __global__ void k(int* out) { *out = 12; }");
  ASSERT_EQ(program.compile(), MTRTC_SUCCESS) << program.log();
  size_t size = 0;
  ASSERT_EQ(nvrtcGetPTXSize(program, &size), MTRTC_SUCCESS);
  std::string ptx(size, 'x');
  ASSERT_EQ(nvrtcGetPTX(program, ptx.data()), MTRTC_SUCCESS);
  const Device device;
  MUmodule module = nullptr;
  EXPECT_EQ(muModuleLoadData(&module, (ptx.substr(0, size / 2) + "*").c_str()), MUSA_ERROR_INVALID_IMAGE);
  EXPECT_EQ(muModuleLoadData(&module, ptx.substr(0, 90).c_str()), MUSA_ERROR_INVALID_IMAGE);
}

TEST(MtrtcCuda, VersionIsNvccs) {
  int major = 0, minor = 0;
  EXPECT_EQ(nvrtcVersion(&major, &minor), MTRTC_SUCCESS);
  EXPECT_GE(major, 12);
}

}  // namespace
