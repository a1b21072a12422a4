// Libraries: code that belongs to no context, and its kernels.
#include <musa.h>

#include <cstring>
#include <utility>

#include "support.h"

namespace musashim::test {
namespace {

class LibraryTest : public RuntimeTest {
 protected:
  void SetUp() override {
    RuntimeTest::SetUp();
    ASSERT_MUSA(musaSuccess, musaFree(nullptr));
    std::vector<std::byte> bundle = testBundle({220, 310});
    ASSERT_EQ(muLibraryLoadData(&library_, bundle.data(), nullptr, nullptr, 0, nullptr, nullptr, 0),
              MUSA_SUCCESS);
    std::memset(bundle.data(), 0, bundle.size());  // the library has its own copy
  }
  void TearDown() override {
    if (library_) EXPECT_EQ(muLibraryUnload(library_), MUSA_SUCCESS);
    RuntimeTest::TearDown();
  }
  MUlibrary library_ = nullptr;
};

TEST_F(LibraryTest, KernelsRunOnEveryDevice) {
  MUkernel kernel = nullptr;
  ASSERT_EQ(muLibraryGetKernel(&kernel, library_, "fill"), MUSA_SUCCESS);
  for (int device = 0; device < 2; ++device) {
    ASSERT_MUSA(musaSuccess, musaSetDevice(device));
    Buffer<int> value(1);
    value.upload({0});
    int *place = value.get(), count = 1, wanted = 5 + device;
    void* arguments[] = {&place, &count, &wanted};
    // The runtime takes a kernel of a library for a host function.
    EXPECT_MUSA(musaSuccess, ::musaLaunchKernel(reinterpret_cast<const void*>(kernel), dim3(1), dim3(1),
                                                arguments, 0, nullptr));
    EXPECT_EQ(value.download()[0], wanted);
    MUfunction function = nullptr;
    EXPECT_EQ(muKernelGetFunction(&function, kernel), MUSA_SUCCESS);
    EXPECT_EQ(muLaunchKernel(function, 1, 1, 1, 1, 1, 1, 0, nullptr, arguments, nullptr), MUSA_SUCCESS);
    EXPECT_MUSA(musaSuccess, musaDeviceSynchronize());
  }
}

// Launches, occupancy and graphs take a kernel of a library for a function; modules' entries do not.
TEST_F(LibraryTest, KernelsStandForFunctions) {
  MUkernel kernel = nullptr;
  ASSERT_EQ(muLibraryGetKernel(&kernel, library_, "fill"), MUSA_SUCCESS);
  auto* const function = reinterpret_cast<MUfunction>(kernel);
  ASSERT_MUSA(musaSuccess, musaSetDevice(1));
  Buffer<int> value(1);
  value.upload({0});
  int *place = value.get(), count = 1, wanted = 7;
  void* arguments[] = {&place, &count, &wanted};
  ASSERT_EQ(muLaunchKernel(function, 1, 1, 1, 1, 1, 1, 0, nullptr, arguments, nullptr), MUSA_SUCCESS);
  EXPECT_EQ(value.download()[0], 7);
  int blocks = 0, block = 0;
  EXPECT_EQ(muOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, function, 32, 0), MUSA_SUCCESS);
  EXPECT_GT(blocks, 0);
  EXPECT_EQ(muOccupancyMaxPotentialBlockSize(&blocks, &block, function, nullptr, 0, 0), MUSA_SUCCESS);
  EXPECT_GT(block, 0);
  MUgraph graph = nullptr;
  MUgraphNode node = nullptr;
  MUgraphExec exec = nullptr;
  ASSERT_EQ(muGraphCreate(&graph, 0), MUSA_SUCCESS);
  wanted = 8;
  MUSA_KERNEL_NODE_PARAMS params = {function, 1, 1, 1, 1, 1, 1, 0, arguments, nullptr, nullptr, nullptr};
  ASSERT_EQ(muGraphAddKernelNode(&node, graph, nullptr, 0, &params), MUSA_SUCCESS);
  ASSERT_EQ(muGraphInstantiate(&exec, graph, 0), MUSA_SUCCESS);
  EXPECT_EQ(muGraphLaunch(exec, nullptr), MUSA_SUCCESS);
  EXPECT_EQ(value.download()[0], 8);
  wanted = 9;
  params.func = nullptr;
  params.kern = kernel;
  ASSERT_EQ(muGraphExecKernelNodeSetParams(exec, node, &params), MUSA_SUCCESS);
  EXPECT_EQ(muGraphLaunch(exec, nullptr), MUSA_SUCCESS);
  EXPECT_EQ(value.download()[0], 9);
  EXPECT_EQ(muGraphExecDestroy(exec), MUSA_SUCCESS);
  EXPECT_EQ(muGraphDestroy(graph), MUSA_SUCCESS);
  const char* name = nullptr;
  EXPECT_EQ(muFuncGetName(&name, function), MUSA_ERROR_INVALID_HANDLE);
  EXPECT_EQ(muLaunchKernel(function, 0, 1, 1, 1, 1, 1, 0, nullptr, arguments, nullptr),
            MUSA_ERROR_INVALID_VALUE);
}

TEST_F(LibraryTest, ModulesEndWithTheLibrary) {
  MUmodule module = nullptr;
  ASSERT_EQ(muLibraryGetModule(&module, library_), MUSA_SUCCESS);
  EXPECT_EQ(muModuleUnload(module), MUSA_ERROR_NOT_PERMITTED);
  MUdeviceptr address = 0;
  EXPECT_EQ(muLibraryGetGlobal(&address, nullptr, library_, "counter"), MUSA_SUCCESS);
  EXPECT_EQ(muLibraryUnload(std::exchange(library_, nullptr)), MUSA_SUCCESS);
  EXPECT_EQ(muModuleUnload(module), MUSA_ERROR_INVALID_HANDLE);
}

TEST_F(LibraryTest, NamesCountsAndParameters) {
  unsigned count = 0;
  ASSERT_EQ(muLibraryGetKernelCount(&count, library_), MUSA_SUCCESS);
  ASSERT_GT(count, 3u);
  std::vector<MUkernel> kernels(count);
  ASSERT_EQ(muLibraryEnumerateKernels(kernels.data(), count, library_), MUSA_SUCCESS);
  MUkernel kernel = nullptr;
  ASSERT_EQ(muLibraryGetKernel(&kernel, library_, "fill"), MUSA_SUCCESS);
  EXPECT_NE(std::find(kernels.begin(), kernels.end(), kernel), kernels.end());
  const char* name = nullptr;
  ASSERT_EQ(muKernelGetName(&name, kernel), MUSA_SUCCESS);
  EXPECT_STREQ(name, "fill");
  size_t offset = 0, size = 0;
  EXPECT_EQ(muKernelGetParamInfo(kernel, 2, &offset, &size), MUSA_SUCCESS);
  EXPECT_EQ(offset, 12u);
  EXPECT_EQ(size, 4u);
  EXPECT_EQ(muKernelGetParamInfo(kernel, 3, &offset, &size), MUSA_ERROR_INVALID_VALUE);
  EXPECT_EQ(muLibraryGetKernel(&kernel, library_, "noSuchKernel"), MUSA_ERROR_NOT_FOUND);
}

TEST_F(LibraryTest, VariablesOfTheContext) {
  MUdeviceptr address = 0;
  size_t bytes = 0;
  ASSERT_EQ(muLibraryGetGlobal(&address, &bytes, library_, "counter"), MUSA_SUCCESS);
  EXPECT_EQ(bytes, sizeof(int));
  int value = 0;
  ASSERT_EQ(muMemcpyDtoH(&value, address, sizeof value), MUSA_SUCCESS);
  EXPECT_EQ(value, 5);
  EXPECT_EQ(muLibraryGetGlobal(&address, &bytes, library_, "nothing"), MUSA_ERROR_NOT_FOUND);
}

TEST_F(LibraryTest, UnloadedHandlesAreKnown) {
  MUkernel kernel = nullptr;
  ASSERT_EQ(muLibraryGetKernel(&kernel, library_, "empty"), MUSA_SUCCESS);
  MUlibrary gone = std::exchange(library_, nullptr);
  ASSERT_EQ(muLibraryUnload(gone), MUSA_SUCCESS);
  MUfunction function = nullptr;
  EXPECT_EQ(muKernelGetFunction(&function, kernel), MUSA_ERROR_INVALID_HANDLE);
  EXPECT_EQ(muLibraryUnload(gone), MUSA_ERROR_INVALID_HANDLE);
  int garbage[16] = {1, 2, 3};
  EXPECT_EQ(muLibraryLoadData(&gone, garbage, nullptr, nullptr, 0, nullptr, nullptr, 0),
            MUSA_ERROR_INVALID_IMAGE);
}

}  // namespace
}  // namespace musashim::test
