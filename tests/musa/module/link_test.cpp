// Modules made of several images while a program runs.
#include <musa.h>

#include <cstring>
#include <fstream>

#include "abi/text_image.h"
#include "support.h"

#define EXPECT_MU(expected, call) EXPECT_EQ(expected, call) << #call
#define ASSERT_MU(expected, call) ASSERT_EQ(expected, call) << #call

namespace musashim::test {
namespace {

class LinkTest : public ::testing::Test {
 protected:
  void SetUp() override {
    ASSERT_MU(MUSA_SUCCESS, muInit(0));
    ASSERT_MU(MUSA_SUCCESS, muDevicePrimaryCtxRetain(&context_, 0));
    ASSERT_MU(MUSA_SUCCESS, muCtxSetCurrent(context_));
    ASSERT_MU(MUSA_SUCCESS, muLinkCreate(0, nullptr, nullptr, &linker_));
  }
  void TearDown() override {
    EXPECT_MU(MUSA_SUCCESS, muLinkDestroy(linker_));
    EXPECT_MU(MUSA_ERROR_INVALID_HANDLE, muLinkDestroy(linker_));
    EXPECT_MU(MUSA_SUCCESS, muCtxSetCurrent(nullptr));
    EXPECT_MU(MUSA_SUCCESS, muDevicePrimaryCtxRelease(0));
  }

  MUresult add(const void* data, size_t size, MUjitInputType type = MU_JIT_INPUT_FATBINARY) {
    return muLinkAddData(linker_, type, const_cast<void*>(data), size, "input", 0, nullptr, nullptr);
  }

  void expectLoads() {
    void* module = nullptr;
    size_t size = 0;
    ASSERT_MU(MUSA_SUCCESS, muLinkComplete(linker_, &module, &size));
    const std::vector<std::byte> copy(static_cast<std::byte*>(module),
                                      static_cast<std::byte*>(module) + size);
    MUmodule loaded = nullptr;
    MUfunction function = nullptr;
    ASSERT_MU(MUSA_SUCCESS, muModuleLoadData(&loaded, copy.data()));
    EXPECT_MU(MUSA_SUCCESS, muModuleGetFunction(&function, loaded, "fill"));
    EXPECT_MU(MUSA_SUCCESS, muModuleUnload(loaded));
  }

  MUcontext context_ = nullptr;
  MUlinkState linker_ = nullptr;
};

TEST_F(LinkTest, OneImageAndLibrariesWithoutDeviceCode) {
  const std::vector<std::byte> bundle = testBundle({310});
  const std::string library = "!<arch>\n";
  EXPECT_MU(MUSA_SUCCESS, add(library.data(), library.size(), MU_JIT_INPUT_LIBRARY));
  EXPECT_MU(MUSA_SUCCESS, add(bundle.data(), bundle.size()));
  expectLoads();
}

TEST_F(LinkTest, ImagesInLettersAndBareOnes) {
  const std::vector<std::byte> image = testImage(310);
  EXPECT_MU(MUSA_SUCCESS, add(image.data(), image.size(), MU_JIT_INPUT_CUBIN));
  expectLoads();
  MUlinkState other = nullptr;
  ASSERT_MU(MUSA_SUCCESS, muLinkCreate(0, nullptr, nullptr, &other));
  std::string text = abi::writeTextImage(testBundle({310}));
  EXPECT_MU(MUSA_SUCCESS, muLinkAddData(other, MU_JIT_INPUT_PTX, text.data(), text.size() + 1, nullptr, 0,
                                        nullptr, nullptr));
  std::swap(other, linker_);
  expectLoads();
  EXPECT_MU(MUSA_SUCCESS, muLinkDestroy(other));
}

TEST_F(LinkTest, KernelsThatAreThereTwiceAreAMistake) {
  const std::vector<std::byte> bundle = testBundle({310});
  EXPECT_MU(MUSA_SUCCESS, add(bundle.data(), bundle.size()));
  EXPECT_MU(MUSA_SUCCESS, add(bundle.data(), bundle.size()));
  void* module = nullptr;
  size_t size = 0;
  EXPECT_MU(MUSA_ERROR_INVALID_IMAGE, muLinkComplete(linker_, &module, &size));
}

TEST_F(LinkTest, Files) {
  const std::string path = testing::TempDir() + "/musashim_link_test.fatbin";
  const std::vector<std::byte> bundle = testBundle({310});
  std::ofstream(path, std::ios::binary)
      .write(reinterpret_cast<const char*>(bundle.data()), static_cast<std::streamsize>(bundle.size()));
  EXPECT_MU(MUSA_SUCCESS, muLinkAddFile(linker_, MU_JIT_INPUT_FATBINARY, path.c_str(), 0, nullptr, nullptr));
  EXPECT_MU(MUSA_ERROR_FILE_NOT_FOUND,
            muLinkAddFile(linker_, MU_JIT_INPUT_FATBINARY, "/nonexistent/file", 0, nullptr, nullptr));
  expectLoads();
}

TEST_F(LinkTest, WhatIsWrongIsInTheLog) {
  char errors[200];
  void* values[] = {errors, reinterpret_cast<void*>(sizeof errors)};
  MUjit_option options[] = {MU_JIT_ERROR_LOG_BUFFER, MU_JIT_ERROR_LOG_BUFFER_SIZE_BYTES};
  MUlinkState linker = nullptr;
  ASSERT_MU(MUSA_SUCCESS, muLinkCreate(2, options, values, &linker));
  EXPECT_STREQ(errors, "");
  char ptx[] = ".version 7.0\n.target sm_80\n";
  EXPECT_MU(MUSA_ERROR_INVALID_PTX,
            muLinkAddData(linker, MU_JIT_INPUT_PTX, ptx, sizeof ptx, "some.ptx", 0, nullptr, nullptr));
  EXPECT_NE(std::strstr(errors, "some.ptx is no image of ours"), nullptr) << errors;
  EXPECT_EQ(reinterpret_cast<size_t>(values[1]), std::strlen(errors));
  char library[] = "!<arch>\n ... of no device code ...";
  EXPECT_MU(MUSA_ERROR_INVALID_IMAGE,
            muLinkAddData(linker, MU_JIT_INPUT_OBJECT, library, sizeof library, "a.o", 0, nullptr, nullptr));
  EXPECT_LT(std::strlen(errors), sizeof errors);
  EXPECT_MU(MUSA_SUCCESS, muLinkDestroy(linker));
}

TEST_F(LinkTest, WrongArguments) {
  void* module = nullptr;
  size_t size = 0;
  char byte = 0;
  EXPECT_MU(MUSA_ERROR_INVALID_VALUE, muLinkCreate(0, nullptr, nullptr, nullptr));
  MUlinkState other = nullptr;
  EXPECT_MU(MUSA_ERROR_INVALID_VALUE, muLinkCreate(1, nullptr, nullptr, &other));
  EXPECT_MU(MUSA_ERROR_INVALID_VALUE, add(nullptr, 1));
  EXPECT_MU(MUSA_ERROR_INVALID_VALUE, add(&byte, 0));
  EXPECT_MU(MUSA_ERROR_INVALID_VALUE, add(&byte, 1, static_cast<MUjitInputType>(9)));
  EXPECT_MU(MUSA_ERROR_INVALID_IMAGE, add(&byte, 1));
  EXPECT_MU(MUSA_ERROR_INVALID_IMAGE, muLinkComplete(linker_, &module, &size));
  EXPECT_MU(MUSA_ERROR_INVALID_VALUE, muLinkComplete(linker_, nullptr, &size));
  EXPECT_MU(MUSA_ERROR_INVALID_HANDLE, muLinkComplete(nullptr, &module, &size));
  EXPECT_MU(MUSA_ERROR_INVALID_HANDLE,
            muLinkAddData(nullptr, MU_JIT_INPUT_PTX, &byte, 1, nullptr, 0, nullptr, nullptr));
}

}  // namespace
}  // namespace musashim::test
