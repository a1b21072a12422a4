// Modules: which image is taken, what is refused, launches by parameters and by buffer.
#include <musa.h>

#include <atomic>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <thread>

#include "support.h"

#define EXPECT_MU(expected, call) EXPECT_EQ(expected, call) << #call
#define ASSERT_MU(expected, call) ASSERT_EQ(expected, call) << #call

namespace musashim::test {
namespace {

class ModuleTest : public ::testing::Test {
 protected:
  void SetUp() override {
    ASSERT_MU(MUSA_SUCCESS, muInit(0));
    ASSERT_MU(MUSA_SUCCESS, muDevicePrimaryCtxRetain(&context_, 0));
    ASSERT_MU(MUSA_SUCCESS, muCtxSetCurrent(context_));
  }
  void TearDown() override {
    EXPECT_MU(MUSA_SUCCESS, muCtxSetCurrent(nullptr));
    EXPECT_MU(MUSA_SUCCESS, muDevicePrimaryCtxRelease(0));
  }
  MUcontext context_ = nullptr;
  MUmodule module_ = nullptr;
};

TEST_F(ModuleTest, BundlesAndBareImages) {
  for (const auto& data : {testBundle({220, 310}), testBundle({310}), testImage(310)}) {
    ASSERT_MU(MUSA_SUCCESS, muModuleLoadData(&module_, data.data()));
    MUfunction function = nullptr;
    EXPECT_MU(MUSA_SUCCESS, muModuleGetFunction(&function, module_, "fill"));
    EXPECT_MU(MUSA_ERROR_NOT_FOUND, muModuleGetFunction(&function, module_, "nothing"));
    EXPECT_MU(MUSA_SUCCESS, muModuleUnload(module_));
    EXPECT_MU(MUSA_ERROR_INVALID_HANDLE, muModuleUnload(module_));
    EXPECT_MU(MUSA_ERROR_INVALID_HANDLE, muModuleGetFunction(&function, module_, "fill"));
  }
}

TEST_F(ModuleTest, RefusesWhatItCannotRun) {
  std::vector<std::byte> other = testBundle({220});
  EXPECT_MU(MUSA_ERROR_NO_BINARY_FOR_GPU, muModuleLoadData(&module_, other.data()));
  char why[200] = "", small[8] = "";
  for (const auto& [buffer, room] : {std::pair(why, sizeof why), std::pair(small, sizeof small)}) {
    MUjit_option options[] = {MU_JIT_ERROR_LOG_BUFFER, MU_JIT_MAX_REGISTERS, MU_JIT_ERROR_LOG_BUFFER_SIZE_BYTES};
    void* values[] = {buffer, reinterpret_cast<void*>(32), reinterpret_cast<void*>(room)};
    EXPECT_MU(MUSA_ERROR_NO_BINARY_FOR_GPU, muModuleLoadDataEx(&module_, other.data(), 3, options, values));
    EXPECT_EQ(values[2], reinterpret_cast<void*>(std::strlen(buffer)));
  }
  EXPECT_STREQ(why, "error: the device is mp_31 on this machine, the images are for: mp_22\n");
  EXPECT_STREQ(small, "error: ");
  EXPECT_MU(MUSA_ERROR_NO_BINARY_FOR_GPU, muModuleLoadDataEx(&module_, other.data(), 0, nullptr, nullptr));
  char nonsense[64] = "this is no device code";
  EXPECT_MU(MUSA_ERROR_INVALID_IMAGE, muModuleLoadData(&module_, nonsense));
  EXPECT_MU(MUSA_ERROR_INVALID_VALUE, muModuleLoadData(&module_, nullptr));
  EXPECT_MU(MUSA_ERROR_INVALID_VALUE, muModuleLoadData(nullptr, other.data()));
  EXPECT_MU(MUSA_ERROR_FILE_NOT_FOUND, muModuleLoad(&module_, "/nonexistent/file.mubin"));
}

TEST_F(ModuleTest, Files) {
  std::string path = testing::TempDir() + "/musashim_module_test.fatbin";
  auto write = [&](size_t bytes) {
    std::vector<std::byte> bundle = testBundle({310});
    std::ofstream(path, std::ios::binary)
        .write(reinterpret_cast<const char*>(bundle.data()),
               static_cast<std::streamsize>(std::min(bytes, bundle.size())));
  };
  write(SIZE_MAX);
  EXPECT_MU(MUSA_SUCCESS, muModuleLoad(&module_, path.c_str()));
  EXPECT_MU(MUSA_SUCCESS, muModuleUnload(module_));
  for (size_t bytes : {size_t{0}, size_t{10}, size_t{40}, size_t{5000}}) {
    write(bytes);
    EXPECT_MU(MUSA_ERROR_INVALID_IMAGE, muModuleLoad(&module_, path.c_str())) << bytes << " bytes";
  }
  std::remove(path.c_str());
}

TEST_F(ModuleTest, VariablesAndLaunches) {
  std::vector<std::byte> bundle = testBundle({310});
  ASSERT_MU(MUSA_SUCCESS, muModuleLoadData(&module_, bundle.data()));
  MUdeviceptr counter = 0, memory = 0;
  size_t bytes = 0;
  EXPECT_MU(MUSA_SUCCESS, muModuleGetGlobal(&counter, &bytes, module_, "counter"));
  EXPECT_EQ(bytes, sizeof(int));
  EXPECT_MU(MUSA_ERROR_NOT_FOUND, muModuleGetGlobal(&counter, &bytes, module_, "nothing"));
  ASSERT_MU(MUSA_SUCCESS, muMemAlloc(&memory, 400));
  MUfunction function = nullptr;
  ASSERT_MU(MUSA_SUCCESS, muModuleGetFunction(&function, module_, "fill"));

  int* values = reinterpret_cast<int*>(memory);
  int count = 100, value = 6;
  void* params[] = {&values, &count, &value};
  EXPECT_MU(MUSA_SUCCESS, muLaunchKernel(function, 1, 1, 1, 128, 1, 1, 0, nullptr, params, nullptr));
  std::vector<int> back(100);
  EXPECT_MU(MUSA_SUCCESS, muMemcpyDtoH(back.data(), memory, 400));
  EXPECT_EQ(back, std::vector<int>(100, 6));

  FillParams packed{values, 100, 9};
  size_t size = sizeof packed;
  void* extra[] = {MU_LAUNCH_PARAM_BUFFER_POINTER, &packed, MU_LAUNCH_PARAM_BUFFER_SIZE, &size,
                   MU_LAUNCH_PARAM_END};
  EXPECT_MU(MUSA_SUCCESS, muLaunchKernel(function, 1, 1, 1, 128, 1, 1, 0, nullptr, nullptr, extra));
  EXPECT_MU(MUSA_SUCCESS, muMemcpyDtoH(back.data(), memory, 400));
  EXPECT_EQ(back, std::vector<int>(100, 9));
  size = 8;  // too short: the rest is zero, and nothing is filled
  EXPECT_MU(MUSA_SUCCESS, muLaunchKernel(function, 1, 1, 1, 128, 1, 1, 0, nullptr, nullptr, extra));
  EXPECT_MU(MUSA_SUCCESS, muMemcpyDtoH(back.data(), memory, 400));
  EXPECT_EQ(back, std::vector<int>(100, 9));
  EXPECT_MU(MUSA_ERROR_INVALID_VALUE, muLaunchKernel(function, 1, 1, 1, 1, 1, 1, 0, nullptr, params, extra));
  EXPECT_MU(MUSA_ERROR_INVALID_VALUE,
            muLaunchKernel(function, 1, 1, 1, 1, 1, 1, 0, nullptr, nullptr, nullptr));
  EXPECT_MU(MUSA_ERROR_INVALID_VALUE,
            muLaunchKernel(function, 1, 1, 1, 2048, 1, 1, 0, nullptr, params, nullptr));
  EXPECT_MU(MUSA_ERROR_INVALID_HANDLE,
            muLaunchKernel(nullptr, 1, 1, 1, 1, 1, 1, 0, nullptr, params, nullptr));
  EXPECT_MU(MUSA_SUCCESS, muMemFree(memory));
  EXPECT_MU(MUSA_SUCCESS, muModuleUnload(module_));
}

void waitForGate(void* data) {
  while (!static_cast<std::atomic<bool>*>(data)->load()) std::this_thread::yield();
}

// The module's memory stays until the other device has copied: that is the user's error, not a reason to die.
TEST_F(ModuleTest, AnotherDevicesCopyMayOutliveTheModule) {
  MUcontext other = nullptr;
  ASSERT_MU(MUSA_SUCCESS, muDevicePrimaryCtxRetain(&other, 1));
  const std::vector<std::byte> bundle = testBundle({310});
  for (const bool isReset : {false, true}) {
    ASSERT_MU(MUSA_SUCCESS, muCtxSetCurrent(context_));
    ASSERT_MU(MUSA_SUCCESS, muModuleLoadData(&module_, bundle.data()));
    MUdeviceptr counter = 0;
    ASSERT_MU(MUSA_SUCCESS, muModuleGetGlobal(&counter, nullptr, module_, "counter"));
    ASSERT_MU(MUSA_SUCCESS, muCtxSetCurrent(other));
    MUstream stream = nullptr;
    std::atomic<bool> isOpen{false};
    const int value = 7;
    ASSERT_MU(MUSA_SUCCESS, muStreamCreate(&stream, MU_STREAM_NON_BLOCKING));
    ASSERT_MU(MUSA_SUCCESS, muLaunchHostFunc(stream, waitForGate, &isOpen));
    ASSERT_MU(MUSA_SUCCESS, muMemcpyHtoDAsync(counter, &value, sizeof value, stream));
    if (isReset) {
      EXPECT_MU(MUSA_SUCCESS, muDevicePrimaryCtxReset(0));
      ASSERT_MU(MUSA_SUCCESS, muDevicePrimaryCtxRetain(&context_, 0));
    } else {
      EXPECT_MU(MUSA_SUCCESS, muModuleUnload(module_));
    }
    isOpen = true;
    EXPECT_MU(MUSA_SUCCESS, muStreamSynchronize(stream));
    EXPECT_MU(MUSA_SUCCESS, muStreamDestroy(stream));
  }
  EXPECT_MU(MUSA_SUCCESS, muDevicePrimaryCtxRelease(1));
}

TEST_F(ModuleTest, GraphsKnowThatAVariableIsGone) {
  const std::vector<std::byte> bundle = testBundle({310});
  ASSERT_MU(MUSA_SUCCESS, muModuleLoadData(&module_, bundle.data()));
  MUdeviceptr counter = 0;
  ASSERT_MU(MUSA_SUCCESS, muModuleGetGlobal(&counter, nullptr, module_, "counter"));
  MUSA_MEMSET_NODE_PARAMS fill{
      .dst = counter, .pitch = 4, .value = 1, .elementSize = 4, .width = 1, .height = 1};
  MUstream stream = nullptr;
  const int value = 7;
  MUgraph filled = nullptr, copied = nullptr;
  MUgraphNode node = nullptr;
  ASSERT_MU(MUSA_SUCCESS, muGraphCreate(&filled, 0));
  ASSERT_MU(MUSA_SUCCESS, muGraphAddMemsetNode(&node, filled, nullptr, 0, &fill, context_));
  ASSERT_MU(MUSA_SUCCESS, muStreamCreate(&stream, MU_STREAM_NON_BLOCKING));
  ASSERT_MU(MUSA_SUCCESS, muStreamBeginCapture(stream, MU_STREAM_CAPTURE_MODE_GLOBAL));
  ASSERT_MU(MUSA_SUCCESS, muMemcpyHtoDAsync(counter, &value, sizeof value, stream));
  ASSERT_MU(MUSA_SUCCESS, muStreamEndCapture(stream, &copied));
  std::vector<MUgraphExec> execs;
  for (MUgraph graph : {filled, copied}) {
    ASSERT_MU(MUSA_SUCCESS, muGraphInstantiate(&execs.emplace_back(), graph, 0));
    EXPECT_MU(MUSA_SUCCESS, muGraphLaunch(execs.back(), stream));
  }
  EXPECT_MU(MUSA_SUCCESS, muModuleUnload(module_));
  // At its address, the variable of another one.
  ASSERT_MU(MUSA_SUCCESS, muModuleLoadData(&module_, bundle.data()));
  for (MUgraphExec exec : execs) EXPECT_MU(MUSA_ERROR_INVALID_HANDLE, muGraphLaunch(exec, stream));
  for (MUgraph graph : {filled, copied}) {
    MUgraphExec late = nullptr;
    ASSERT_MU(MUSA_SUCCESS, muGraphInstantiate(&late, graph, 0));
    EXPECT_MU(MUSA_ERROR_INVALID_HANDLE, muGraphLaunch(late, stream));
    EXPECT_MU(MUSA_SUCCESS, muGraphExecDestroy(late));
    EXPECT_MU(MUSA_SUCCESS, muGraphDestroy(graph));
  }
  for (MUgraphExec exec : execs) EXPECT_MU(MUSA_SUCCESS, muGraphExecDestroy(exec));
  EXPECT_MU(MUSA_SUCCESS, muStreamDestroy(stream));
  EXPECT_MU(MUSA_SUCCESS, muModuleUnload(module_));
}

}  // namespace
}  // namespace musashim::test
