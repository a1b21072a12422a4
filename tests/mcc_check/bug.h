// What the programs with planted bugs share. Each prints nothing of its own; what the
// checks must say stands in its head, and with -DFIXED they must say nothing.
#pragma once

#include <cstddef>

// Device memory, filled with zeros or from an array.
template <typename T>
struct DeviceArray {
  explicit DeviceArray(size_t count) {
    musaMalloc(&data, count * sizeof(T));
    musaMemset(data, 0, count * sizeof(T));
  }
  template <size_t N>
  explicit DeviceArray(const T (&values)[N]) {
    musaMalloc(&data, sizeof values);
    musaMemcpy(data, values, sizeof values, musaMemcpyHostToDevice);
  }
  DeviceArray(const DeviceArray&) = delete;
  operator T*() const { return data; }

  T* data = nullptr;
};

inline void finish() { musaDeviceSynchronize(); }
