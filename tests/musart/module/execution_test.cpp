// Launches, function attributes, occupancy.
#include <cstring>

#include "../support.h"

namespace musashim::test {
namespace {

using ExecutionTest = RuntimeTest;

TEST_F(ExecutionTest, ParametersArriveWhateverTheirLayout) {
  Buffer<double> out(1);
  char first = 1;
  double second = 2.5;
  struct {
    float x, y, z;
  } third{10, 20, 30};
  ASSERT_MUSA(musaSuccess, launch(kernels.mixed, 1, 1, 0, nullptr, first, second, third, out.get()));
  EXPECT_EQ(out.download()[0], 63.5);
}

TEST_F(ExecutionTest, EveryBlockRuns) {
  Buffer<int> values(10000);
  values.upload(std::vector<int>(10000, 0));
  ASSERT_MUSA(musaSuccess, launch(kernels.fill, 40, 256, 0, nullptr, values.get(), 10000, 3));
  EXPECT_EQ(values.download(), std::vector<int>(10000, 3));
}

TEST_F(ExecutionTest, GeometryErrors) {
  struct {
    const char* error;
    dim3 grid, block;
    size_t shared;
  } rows[] = {
      {"musaErrorInvalidValue", dim3(0), dim3(1), 0},
      {"musaErrorInvalidValue", dim3(1, 0), dim3(1), 0},
      {"musaErrorInvalidValue", dim3(1), dim3(0), 0},
      {"musaErrorInvalidValue", dim3(1), dim3(1025), 0},
      {"musaErrorInvalidValue", dim3(1), dim3(32, 33), 0},
      {"musaErrorInvalidValue", dim3(0xffffffffu), dim3(1), 0},
      {"musaErrorInvalidValue", dim3(1), dim3(1), size_t{1} << 20},
      {"musaErrorInvalidValue", dim3(1), dim3(1), size_t{1} << 40},
      {"musaSuccess", dim3(1, 2, 3), dim3(4, 5, 6), 16},
  };
  for (const auto& row : rows) {
    EXPECT_STREQ(row.error, musaGetErrorName(launch(kernels.empty, row.grid, row.block, row.shared, nullptr)))
        << row.grid.x << " " << row.block.x << " " << row.shared;
  }
  EXPECT_MUSA(musaErrorInvalidValue, musaGetLastError());
  EXPECT_MUSA(musaSuccess, musaGetLastError());
}

TEST_F(ExecutionTest, LaunchBoundsAreKept) {
  EXPECT_MUSA(musaSuccess, launch(kernels.bounded, 1, 128, 0, nullptr));
  EXPECT_MUSA(musaErrorInvalidValue, launch(kernels.bounded, 1, 129, 0, nullptr));
}

TEST_F(ExecutionTest, FunctionsThatAreNotThere) {
  const char unknown = 0;
  EXPECT_MUSA(musaErrorInvalidResourceHandle, launch(unknown, 1, 1, 0, nullptr));
  EXPECT_MUSA(musaErrorInvalidDeviceFunction, launch(kernels.missing, 1, 1, 0, nullptr));
  EXPECT_MUSA(musaErrorNoKernelImageForDevice, launch(kernels.otherArch, 1, 1, 0, nullptr));
  EXPECT_MUSA(musaErrorInvalidDeviceFunction, ::musaLaunchKernel(nullptr, 1, 1, nullptr, 0, nullptr));
}

TEST_F(ExecutionTest, StreamOfAnotherDevice) {
  musaStream_t stream = nullptr;
  ASSERT_MUSA(musaSuccess, musaStreamCreate(&stream));
  ASSERT_MUSA(musaSuccess, musaMemcpyToSymbol(variables.counter, std::vector<int>{70}.data(), sizeof(int)));
  Buffer<int> out(6);
  ASSERT_MUSA(musaSuccess, musaSetDevice(1));
  EXPECT_MUSA(musaSuccess, launch(kernels.copyVariables, 1, 1, 0, stream, out.get()));
  EXPECT_MUSA(musaSuccess, musaStreamSynchronize(stream));
  EXPECT_EQ(out.download()[0], 70) << "ran on the stream's device";
  int device = -1;
  EXPECT_MUSA(musaSuccess, musaGetDevice(&device));
  EXPECT_EQ(device, 1);
  EXPECT_MUSA(musaSuccess, musaStreamDestroy(stream));
}

TEST_F(ExecutionTest, Attributes) {
  musaFuncAttributes attributes;
  ASSERT_MUSA(musaSuccess, ::musaFuncGetAttributes(&attributes, &kernels.bounded));
  EXPECT_EQ(attributes.maxThreadsPerBlock, 128);
  EXPECT_EQ(attributes.sharedSizeBytes, 64u);
  EXPECT_EQ(attributes.binaryVersion, 31);
  int limit = attributes.maxDynamicSharedSizeBytes;
  EXPECT_MUSA(musaSuccess,
              ::musaFuncSetAttribute(&kernels.bounded, musaFuncAttributeMaxDynamicSharedMemorySize, 1024));
  EXPECT_MUSA(musaSuccess, launch(kernels.bounded, 1, 1, 1024, nullptr));
  EXPECT_MUSA(musaErrorInvalidValue, launch(kernels.bounded, 1, 1, 1025, nullptr));
  EXPECT_MUSA(musaErrorInvalidValue,
              ::musaFuncSetAttribute(&kernels.bounded, musaFuncAttributeMaxDynamicSharedMemorySize, 1 << 30));
  EXPECT_MUSA(musaSuccess,
              ::musaFuncSetAttribute(&kernels.bounded, musaFuncAttributeMaxDynamicSharedMemorySize, limit));
  EXPECT_MUSA(musaErrorInvalidValue, ::musaFuncSetAttribute(&kernels.bounded, musaFuncAttributeMax, 1));
  EXPECT_MUSA(musaErrorInvalidResourceHandle, ::musaFuncGetAttributes(&attributes, &attributes));
  EXPECT_MUSA(musaErrorInvalidDeviceFunction, ::musaFuncGetAttributes(&attributes, nullptr));
  const char* name = nullptr;
  EXPECT_MUSA(musaSuccess, ::musaFuncGetName(&name, &kernels.fill));
  EXPECT_STREQ(name, "fill");
  EXPECT_MUSA(musaSuccess, ::musaFuncSetCacheConfig(&kernels.fill, musaFuncCachePreferL1));
  EXPECT_MUSA(musaErrorInvalidValue, ::musaFuncSetCacheConfig(&kernels.fill, static_cast<musaFuncCache>(9)));
}

TEST_F(ExecutionTest, CooperativeLaunches) {
  musaDeviceProp prop;
  ASSERT_MUSA(musaSuccess, musaGetDeviceProperties(&prop, 0));
  Buffer<uint32_t> out(3);
  uint32_t* pointer = out.get();
  void* args[] = {&pointer};
  ASSERT_MUSA(musaSuccess, ::musaLaunchCooperativeKernel(&kernels.shared, 8, 32, args, 48, nullptr));
  EXPECT_EQ(out.download(), (std::vector<uint32_t>{48, 1, 8}));
  int blocks = 0;
  ASSERT_MUSA(musaSuccess,
              ::musaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, &kernels.shared, 1024, 0));
  unsigned fits = static_cast<unsigned>(blocks * prop.multiProcessorCount);
  EXPECT_MUSA(musaErrorCooperativeLaunchTooLarge,
              ::musaLaunchCooperativeKernel(&kernels.shared, fits + 1, 1024, args, 0, nullptr));

  musaLaunchAttribute attribute = {};
  attribute.id = musaLaunchAttributeCooperative;
  attribute.val.cooperative = 1;
  musaLaunchConfig_t config = {dim3(2), dim3(1), 32, nullptr, &attribute, 1};
  ASSERT_MUSA(musaSuccess, ::musaLaunchKernelExC(&config, &kernels.shared, args));
  EXPECT_EQ(out.download(), (std::vector<uint32_t>{32, 1, 2}));
  attribute.id = musaLaunchAttributeClusterDimension;
  EXPECT_MUSA(musaErrorNotSupported, ::musaLaunchKernelExC(&config, &kernels.shared, args));
  EXPECT_MUSA(musaErrorInvalidValue, ::musaLaunchKernelExC(nullptr, &kernels.shared, args));
}

TEST_F(ExecutionTest, OccupancyFollowsTheProfile) {
  musaDeviceProp prop;
  ASSERT_MUSA(musaSuccess, musaGetDeviceProperties(&prop, 0));
  int blocks = 0;
  EXPECT_MUSA(musaSuccess, ::musaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, &kernels.empty, 1024, 0));
  EXPECT_EQ(blocks, prop.maxThreadsPerMultiProcessor / 1024);
  EXPECT_MUSA(musaSuccess, ::musaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, &kernels.empty, 1, 0));
  EXPECT_EQ(blocks,
            std::min(prop.maxBlocksPerMultiProcessor, prop.maxThreadsPerMultiProcessor / prop.warpSize));
  size_t half = prop.sharedMemPerMultiprocessor / 2;
  EXPECT_MUSA(musaSuccess,
              ::musaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, &kernels.empty, 32, half));
  EXPECT_EQ(blocks, 2);
  EXPECT_MUSA(musaSuccess,
              ::musaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, &kernels.bounded, 256, 0));
  EXPECT_EQ(blocks, prop.maxThreadsPerMultiProcessor / 256) << "launch bounds do not count";
  EXPECT_MUSA(musaSuccess, ::musaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, &kernels.empty, 2048, 0));
  EXPECT_EQ(blocks, 0);
  EXPECT_MUSA(musaErrorInvalidValue,
              ::musaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, &kernels.empty, 0, 0));
  EXPECT_MUSA(musaErrorInvalidValue,
              ::musaOccupancyMaxActiveBlocksPerMultiprocessor(nullptr, &kernels.empty, 32, 0));
  int grid = 0, block = 0;
  EXPECT_MUSA(musaSuccess, musaOccupancyMaxPotentialBlockSize(&grid, &block, &kernels.empty));
  EXPECT_EQ(block, 1024);
  EXPECT_EQ(grid, prop.multiProcessorCount * (prop.maxThreadsPerMultiProcessor / 1024));
  EXPECT_MUSA(musaSuccess, musaOccupancyMaxPotentialBlockSize(&grid, &block, &kernels.empty, 0, 100));
  EXPECT_LE(block, 100);
}

TEST_F(ExecutionTest, SynchronisationShowsWhatKernelsPrint) {
  testing::internal::CaptureStdout();
  EXPECT_MUSA(musaSuccess, launch(kernels.print, 2, 1, 0, nullptr));
  EXPECT_MUSA(musaSuccess, musaDeviceSynchronize());
  fflush(stdout);
  EXPECT_EQ(testing::internal::GetCapturedStdout(), "hello from the device\nhello from the device\n");
}

}  // namespace
}  // namespace musashim::test
