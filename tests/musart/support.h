// What the tests of libmusa and libmusart share: four devices and registered device code.
#pragma once

#include <gtest/gtest.h>
#include <musa_runtime.h>

#include <string>
#include <vector>

#include "image/test_params.h"

#define EXPECT_MUSA(expected, call) EXPECT_STREQ(#expected, musaGetErrorName(call)) << #call
#define ASSERT_MUSA(expected, call) ASSERT_STREQ(#expected, musaGetErrorName(call)) << #call

namespace musashim::test {

inline constexpr int kDevices = 4;

// A bundle with the test image for the given architectures (of 220 and 310).
std::vector<std::byte> testBundle(const std::vector<unsigned>& arches);
// The image alone.
std::vector<std::byte> testImage(unsigned arch);

// Registers testBundle(arches) as a program of its own, as mcc's module constructor does.
class RegisteredBinary {
 public:
  explicit RegisteredBinary(const std::vector<unsigned>& arches);
  ~RegisteredBinary();
  RegisteredBinary(const RegisteredBinary&) = delete;
  RegisteredBinary& operator=(const RegisteredBinary&) = delete;
  void** handle() const { return handle_; }

 private:
  // What the compiler puts around a bundle.
  struct Wrapper {
    int magic, version;
    const void* bundle;
    void* unused;
  };
  std::vector<std::byte> bundle_;
  Wrapper wrapper_;
  void** handle_;
};

// Host functions that stand for the image's kernels, as a compiled program has them.
struct Kernels {
  char empty, bounded, print, fill, addOne, spin, copyVariables, mixed, fault, shared;
  char missing;    // registered under a name that the image does not have
  char otherArch;  // of a binary without an image for the tests' devices
};
extern Kernels kernels;

// Host stand-ins of the image's variables.
struct Variables {
  int counter;
  int table[4];
  int* managedCounter;
};
extern Variables variables;

// Launches with the C API and separate arguments.
template <class... Args>
musaError_t launch(const char& kernel, dim3 grid, dim3 block, size_t shared, musaStream_t stream,
                   Args... args) {
  void* pointers[sizeof...(Args) + 1] = {static_cast<void*>(&args)..., nullptr};
  return ::musaLaunchKernel(static_cast<const void*>(&kernel), grid, block, pointers, shared, stream);
}

// Starts every test on device 0 without a last error, and leaves no fault behind.
class RuntimeTest : public ::testing::Test {
 protected:
  void SetUp() override;
  void TearDown() override;
};

// Page-locked flag that a spinning kernel waits for.
class SpinFlag {
 public:
  SpinFlag();
  ~SpinFlag();
  void raise();
  musaError_t startOn(musaStream_t stream);

 private:
  int* flag_ = nullptr;
};

// Device memory for the length of a test.
template <class T>
class Buffer {
 public:
  explicit Buffer(size_t count) : count_(count) {
    EXPECT_MUSA(musaSuccess, ::musaMalloc(reinterpret_cast<void**>(&pointer_), count * sizeof(T)));
  }
  ~Buffer() { (void)::musaFree(pointer_); }
  Buffer(const Buffer&) = delete;
  Buffer& operator=(const Buffer&) = delete;

  T* get() const { return pointer_; }
  size_t bytes() const { return count_ * sizeof(T); }
  void upload(const std::vector<T>& values) {
    EXPECT_MUSA(musaSuccess,
                musaMemcpy(pointer_, values.data(), values.size() * sizeof(T), musaMemcpyHostToDevice));
  }
  std::vector<T> download() const {
    std::vector<T> values(count_);
    EXPECT_MUSA(musaSuccess, musaMemcpy(values.data(), pointer_, bytes(), musaMemcpyDeviceToHost));
    return values;
  }

 private:
  size_t count_;
  T* pointer_ = nullptr;
};

}  // namespace musashim::test
