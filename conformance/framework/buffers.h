// Device arrays for cases: allocate, fill, read back. Any failure ends the case.
#pragma once

#include <string>
#include <vector>

#include "observe.h"

template <class T>
class DeviceArray {
 public:
  explicit DeviceArray(size_t count, int byteValue = 0) : count_(count) {
    SETUP(cudaMalloc(reinterpret_cast<void**>(&data_), count * sizeof(T)));
    SETUP(cudaMemset(data_, byteValue, count * sizeof(T)));
    SETUP(cudaDeviceSynchronize());
  }
  explicit DeviceArray(const std::vector<T>& values) : DeviceArray(values.size()) { write(values); }
  ~DeviceArray() { cudaFree(data_); }
  DeviceArray(const DeviceArray&) = delete;
  DeviceArray& operator=(const DeviceArray&) = delete;

  T* data() const { return data_; }
  size_t bytes() const { return count_ * sizeof(T); }

  void write(const std::vector<T>& values) {
    SETUP(cudaMemcpy(data_, values.data(), values.size() * sizeof(T), cudaMemcpyHostToDevice));
  }

  // Waits for all work on the current device, then copies the array out.
  std::vector<T> read() const {
    std::vector<T> values(count_);
    SETUP(cudaGetLastError());
    SETUP(cudaDeviceSynchronize());
    SETUP(cudaMemcpy(values.data(), data_, bytes(), cudaMemcpyDeviceToHost));
    return values;
  }

 private:
  T* data_ = nullptr;
  size_t count_;
};

// Values joined by commas, or a checksum when there are many.
template <class T>
std::string joined(const std::vector<T>& values) {
  if (values.size() > 40) return checksum(values.data(), values.size() * sizeof(T));
  std::string text;
  for (const T& value : values) {
    if (!text.empty()) text += ',';
    text += observedText(value);
  }
  return text;
}
