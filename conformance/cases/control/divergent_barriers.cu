// Barriers that the threads of a block, even of a warp, meet at different places: since Volta
// each thread arrives by itself.
#include "../../framework/buffers.h"

CONFORMANCE_CASE("control.divergent_barriers");

constexpr int kThreads = 128;

__global__ void byWarp(int* out) {
  __shared__ int shared[kThreads];
  const int me = static_cast<int>(threadIdx.x);
  int value;
  if (me < 64) {
    shared[me] = me * 2;
    __syncthreads();
    value = shared[me + 64];
  } else {
    shared[me] = me * 3;
    __syncthreads();
    value = shared[me - 64];
  }
  out[me] = value;
}

__global__ void withinWarp(int* out) {
  __shared__ int shared[kThreads];
  const int me = static_cast<int>(threadIdx.x);
  int value;
  if (me % 2 == 0) {
    shared[me] = me + 1000;
    __syncthreads();
    value = shared[me + 1];
  } else {
    shared[me] = me + 2000;
    __syncthreads();
    value = shared[me - 1];
  }
  __syncthreads();
  out[me] = value;
}

// Loops of different lengths, each with as many barriers in all.
__global__ void sameNumber(int* out) {
  __shared__ int shared[kThreads];
  const int me = static_cast<int>(threadIdx.x);
  int value = me;
  if (me < 32) {
    for (int i = 0; i < 4; ++i) {
      shared[me] = value;
      __syncthreads();
      value += shared[(me + 32) % kThreads];
      __syncthreads();
    }
  } else {
    for (int i = 0; i < 2; ++i) {
      shared[me] = value;
      __syncthreads();
      value += shared[me - 32];
      __syncthreads();
      shared[me] = value * 2;
      __syncthreads();
      value ^= shared[me];
      __syncthreads();
    }
  }
  out[me] = value;
}

// Producer warps and consumer warps, a buffer between them.
__global__ void pipeline(const int* in, int* out, int rounds) {
  __shared__ int buffer[2][64];
  const int me = static_cast<int>(threadIdx.x);
  if (me < 64) {
    for (int round = 0; round < rounds; ++round) {
      buffer[round % 2][me] = in[round * 64 + me] + 1;
      __syncthreads();
    }
  } else {
    int sum = 0;
    for (int round = 0; round < rounds; ++round) {
      __syncthreads();
      sum = sum * 3 + buffer[round % 2][127 - me];
    }
    out[me - 64] = sum;
  }
}

int main() {
  DeviceArray<int> out(kThreads);
  byWarp<<<1, kThreads>>>(out.data());
  OBSERVE("by_warp", joined(out.read()));
  withinWarp<<<1, kThreads>>>(out.data());
  OBSERVE("within_warp", joined(out.read()));
  sameNumber<<<1, kThreads>>>(out.data());
  OBSERVE("same_number", joined(out.read()));
  std::vector<int> in(6 * 64);
  for (size_t i = 0; i < in.size(); ++i) in[i] = static_cast<int>(i * 13 % 89);
  DeviceArray<int> deviceIn(in);
  DeviceArray<int> sums(64);
  pipeline<<<1, kThreads>>>(deviceIn.data(), sums.data(), 6);
  OBSERVE("pipeline", joined(sums.read()));
}
