// Values in device memory, for the cases of libraries.
#pragma once

#include <vector>

#include "observe.h"

template <typename T>
class DeviceValues {
 public:
  explicit DeviceValues(const std::vector<T>& values) : count_(values.size()) {
    SETUP(cudaMalloc(&data_, sizeof(T) * count_));
    set(values);
  }
  // 1, 2, 3, ... or what `T` makes of them.
  explicit DeviceValues(size_t count) : DeviceValues(ascending(count)) {}
  ~DeviceValues() { cudaFree(data_); }
  DeviceValues(const DeviceValues&) = delete;
  DeviceValues& operator=(const DeviceValues&) = delete;

  operator T*() const { return data_; }
  void set(const std::vector<T>& values) {
    SETUP(cudaMemcpy(data_, values.data(), sizeof(T) * count_, cudaMemcpyHostToDevice));
  }
  std::vector<T> get() const {
    std::vector<T> values(count_);
    SETUP(cudaDeviceSynchronize());
    SETUP(cudaMemcpy(values.data(), data_, sizeof(T) * count_, cudaMemcpyDeviceToHost));
    return values;
  }

 private:
  static std::vector<T> ascending(size_t count) {
    std::vector<T> values(count);
    for (size_t i = 0; i < count; ++i) values[i] = made(i + 1, T());
    return values;
  }
  template <typename Real>
  static Real made(size_t i, Real) {
    return static_cast<Real>(i);
  }
  static float2 made(size_t i, float2) { return make_float2(static_cast<float>(i), 0); }
  static double2 made(size_t i, double2) { return make_double2(static_cast<double>(i), 0); }

  T* data_ = nullptr;
  size_t count_;
};
