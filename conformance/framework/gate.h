// A gate the host holds shut: a kernel that waits at it keeps its stream busy
// until the host opens it. Lets cases look at pending work without timing.
#pragma once

#include "observe.h"

static __global__ void waitAtGate(const volatile int* open) {
  while (*open == 0) {
  }
}

static __global__ void storeValue(int* place, int value) { *place = value; }

class Gate {
 public:
  Gate() {
    SETUP(cudaHostAlloc(reinterpret_cast<void**>(&host_), sizeof(int),
                        cudaHostAllocMapped | cudaHostAllocPortable));
    *host_ = 0;
    SETUP(cudaHostGetDevicePointer(reinterpret_cast<void**>(&device_), host_, 0));
  }
  Gate(const Gate&) = delete;
  Gate& operator=(const Gate&) = delete;
  ~Gate() { open(); }

  // Enqueues one thread that waits for open().
  void block(cudaStream_t stream) {
    waitAtGate<<<1, 1, 0, stream>>>(device_);
    SETUP(cudaGetLastError());
  }
  void open() { *static_cast<volatile int*>(host_) = 1; }

 private:
  int* host_ = nullptr;
  int* device_ = nullptr;
};
