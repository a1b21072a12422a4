// Programs of MTRTC's in tests: made, compiled, loaded, launched.
#pragma once

#include <gtest/gtest.h>
#include <mtrtc.h>
#include <musa.h>

#include <string>
#include <vector>

namespace musashim::test {

using Strings = std::vector<std::string>;

struct Header {
  std::string name, text;
};

// A program that ends with the test.
class Program {
 public:
  explicit Program(const std::string& source, const std::vector<Header>& headers = {}, bool isCuda = false,
                   const char* name = "unit.mu") {
    std::vector<const char*> texts, names;
    for (const Header& header : headers) {
      texts.push_back(header.text.c_str());
      names.push_back(header.name.c_str());
    }
    auto* create = isCuda ? nvrtcCreateProgram : mtrtcCreateProgram;
    EXPECT_EQ(
        create(&program_, source.c_str(), name, static_cast<int>(headers.size()), texts.data(), names.data()),
        MTRTC_SUCCESS);
  }
  ~Program() { mtrtcDestroyProgram(&program_); }
  Program(const Program&) = delete;
  Program& operator=(const Program&) = delete;

  operator mtrtcProgram() const { return program_; }

  mtrtcResult compile(const Strings& options = {}) const {
    std::vector<const char*> pointers;
    for (const std::string& option : options) pointers.push_back(option.c_str());
    return mtrtcCompileProgram(program_, static_cast<int>(pointers.size()), pointers.data());
  }

  std::string log() const {
    size_t size = 0;
    EXPECT_EQ(mtrtcGetProgramLogSize(program_, &size), MTRTC_SUCCESS);
    std::string text(size, '\0');
    EXPECT_EQ(mtrtcGetProgramLog(program_, text.data()), MTRTC_SUCCESS);
    text.pop_back();
    return text;
  }

  std::string image() const {
    size_t size = 0;
    EXPECT_EQ(mtrtcGetFatBinSize(program_, &size), MTRTC_SUCCESS);
    std::string bytes(size, '\0');
    EXPECT_EQ(mtrtcGetFatBin(program_, bytes.data()), MTRTC_SUCCESS);
    return bytes;
  }

  std::string lowered(const char* expression) const {
    const char* name = nullptr;
    EXPECT_EQ(mtrtcGetLoweredName(program_, expression, &name), MTRTC_SUCCESS) << expression;
    return name == nullptr ? "" : name;
  }

 private:
  mtrtcProgram program_ = nullptr;
};

// The first device's context, and modules in it that end with the test.
class Device {
 public:
  Device() {
    EXPECT_EQ(muInit(0), MUSA_SUCCESS);
    EXPECT_EQ(muDevicePrimaryCtxRetain(&context_, 0), MUSA_SUCCESS);
    EXPECT_EQ(muCtxSetCurrent(context_), MUSA_SUCCESS);
  }
  ~Device() {
    for (const MUmodule module : modules_) muModuleUnload(module);
    muDevicePrimaryCtxRelease(0);
  }

  MUmodule load(const void* image) {
    MUmodule module = nullptr;
    EXPECT_EQ(muModuleLoadData(&module, image), MUSA_SUCCESS);
    if (module != nullptr) modules_.push_back(module);
    return module;
  }

  // Runs a kernel that writes `count` ints to its only parameter, with so many threads.
  std::vector<int> run(MUmodule module, const std::string& kernel, unsigned count) {
    std::vector<int> values(count, -1);
    MUfunction function = nullptr;
    EXPECT_EQ(muModuleGetFunction(&function, module, kernel.c_str()), MUSA_SUCCESS) << kernel;
    MUdeviceptr memory = 0;
    EXPECT_EQ(muMemAlloc(&memory, count * sizeof(int)), MUSA_SUCCESS);
    void* arguments[] = {&memory};
    if (function != nullptr)
      EXPECT_EQ(muLaunchKernel(function, 1, 1, 1, count, 1, 1, 0, nullptr, arguments, nullptr), MUSA_SUCCESS);
    EXPECT_EQ(muMemcpyDtoH(values.data(), memory, count * sizeof(int)), MUSA_SUCCESS);
    muMemFree(memory);
    return values;
  }

  // What the first thread of the program's kernel writes.
  int result(const Program& program, const std::string& kernel) {
    return run(load(program.image().c_str()), kernel, 1).front();
  }

 private:
  MUcontext context_ = nullptr;
  std::vector<MUmodule> modules_;
};

}  // namespace musashim::test
