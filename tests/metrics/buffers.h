// Device memory as the problems of tests/benchmarks want it, by CUDA's names.
#pragma once

#include <cuda_runtime.h>

#include <cstdio>
#include <cstdlib>

#include "harness/support.h"

inline void must(cudaError_t error, const char* what) {
  if (error == cudaSuccess) return;
  std::fprintf(stderr, "%s: %s\n", what, cudaGetErrorString(error));
  std::exit(3);
}

template <class T>
class DeviceBuffer {
 public:
  explicit DeviceBuffer(size_t count) : count_(count) {
    must(cudaMalloc(&data_, count * sizeof(T)), "cudaMalloc");
  }
  ~DeviceBuffer() { cudaFree(data_); }
  DeviceBuffer(const DeviceBuffer&) = delete;
  DeviceBuffer& operator=(const DeviceBuffer&) = delete;

  T* data() { return data_; }
  size_t size() const { return count_; }
  void read(T* to) { must(cudaMemcpy(to, data_, count_ * sizeof(T), cudaMemcpyDeviceToHost), "cudaMemcpy"); }
  void clear() { must(cudaMemset(data_, 0, count_ * sizeof(T)), "cudaMemset"); }

  // Fills from a function of the index.
  template <class Function>
  void fill(Function value) {
    bench::Buffer<T> host(count_);
    host.fill(value);
    must(cudaMemcpy(data_, host.data(), count_ * sizeof(T), cudaMemcpyHostToDevice), "cudaMemcpy");
  }

 private:
  T* data_ = nullptr;
  size_t count_;
};
