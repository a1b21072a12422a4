// Modules: which image is taken, what is refused, launches by parameters and by buffer.
#include <musa.h>

#include <cstdlib>
#include <cstring>
#include <fstream>

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

}  // namespace
}  // namespace musashim::test
