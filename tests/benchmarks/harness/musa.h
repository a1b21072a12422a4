// Device memory and the stream of the variants that mcc compiles.
#pragma once

#include <musa_runtime.h>

#include <cstdio>
#include <cstdlib>

#include "serve.h"

namespace bench {

inline void must(musaError_t error, const char* what) {
  if (error == musaSuccess) return;
  std::fprintf(stderr, "%s: %s\n", what, musaGetErrorString(error));
  std::exit(3);
}

#define BENCH_MUSA(call) ::bench::must((call), #call)

template <class T>
class DeviceBuffer {
 public:
  explicit DeviceBuffer(size_t count) : count_(count) { BENCH_MUSA(musaMalloc(&data_, count * sizeof(T))); }
  ~DeviceBuffer() { musaFree(data_); }
  DeviceBuffer(const DeviceBuffer&) = delete;
  DeviceBuffer& operator=(const DeviceBuffer&) = delete;

  T* data() { return data_; }
  size_t size() const { return count_; }
  void read(T* to) { BENCH_MUSA(musaMemcpy(to, data_, count_ * sizeof(T), musaMemcpyDeviceToHost)); }
  void write(const T* from) {
    BENCH_MUSA(musaMemcpy(data_, from, count_ * sizeof(T), musaMemcpyHostToDevice));
  }
  // The wait is needed: a memset returns before it is done, and our streams do not wait for its stream.
  void clear() {
    BENCH_MUSA(musaMemset(data_, 0, count_ * sizeof(T)));
    BENCH_MUSA(musaDeviceSynchronize());
  }

  // Fills from a function of the index.
  template <class Function>
  void fill(Function value) {
    Buffer<T> host(count_);
    host.fill(value);
    write(host.data());
  }

 private:
  T* data_ = nullptr;
  size_t count_;
};

// A stream of its own, so that a launch never waits for the legacy stream's rules.
class Stream {
 public:
  Stream() { BENCH_MUSA(musaStreamCreateWithFlags(&stream_, musaStreamNonBlocking)); }
  ~Stream() { musaStreamDestroy(stream_); }
  Stream(const Stream&) = delete;
  Stream& operator=(const Stream&) = delete;
  operator musaStream_t() const { return stream_; }
  // Waits, and ends the program when a kernel failed.
  void wait() {
    BENCH_MUSA(musaGetLastError());
    BENCH_MUSA(musaStreamSynchronize(stream_));
  }

 private:
  musaStream_t stream_ = nullptr;
};

// A variant whose run is what `launch` queues.
template <class Problem, auto launch>
struct MusaVariant : Problem::template Data<DeviceBuffer> {
  explicit MusaVariant(const Problem& p) : Problem::template Data<DeviceBuffer>(p), problem(p) {}
  void run(int times) {
    for (int i = 0; i < times; ++i) launch(problem, *this, stream);
    stream.wait();
  }
  const Problem& problem;
  Stream stream;
};

}  // namespace bench

// The program whose run is `void launch(const Problem&, Problem::Data<bench::DeviceBuffer>&, musaStream_t)`.
#define BENCH_MUSA_MAIN(Problem, launch)                    \
  using BenchVariant = bench::MusaVariant<Problem, launch>; \
  BENCH_MAIN(Problem, BenchVariant)
