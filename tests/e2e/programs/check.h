// Checks for the end-to-end programs: a failed one names its place and ends with 1.
#pragma once

#include <musa_runtime.h>

#include <cstdio>
#include <cstdlib>

#define CHECK(condition)                                                        \
  do {                                                                          \
    if (!(condition)) {                                                         \
      std::fprintf(stderr, "%s:%d: failed: %s\n", __FILE__, __LINE__, #condition); \
      std::exit(1);                                                             \
    }                                                                           \
  } while (0)

#define CHECK_MUSA(call)                                                             \
  do {                                                                               \
    const musaError_t error_ = (call);                                               \
    if (error_ != musaSuccess) {                                                     \
      std::fprintf(stderr, "%s:%d: %s: %s\n", __FILE__, __LINE__, #call, musaGetErrorName(error_)); \
      std::exit(1);                                                                  \
    }                                                                                \
  } while (0)

// A device buffer of `count` elements that is copied back and freed.
template <class T>
struct DeviceArray {
  explicit DeviceArray(size_t count) : count_(count) {
    CHECK_MUSA(musaMalloc(&data_, count * sizeof(T)));
    CHECK_MUSA(musaMemset(data_, 0, count * sizeof(T)));
  }
  ~DeviceArray() { musaFree(data_); }
  DeviceArray(const DeviceArray&) = delete;
  DeviceArray& operator=(const DeviceArray&) = delete;

  T* get() { return data_; }
  void copyTo(T* host) { CHECK_MUSA(musaMemcpy(host, data_, count_ * sizeof(T), musaMemcpyDeviceToHost)); }
  T at(size_t index) {
    T value;
    CHECK_MUSA(musaMemcpy(&value, data_ + index, sizeof(T), musaMemcpyDeviceToHost));
    return value;
  }

 private:
  T* data_ = nullptr;
  size_t count_;
};
