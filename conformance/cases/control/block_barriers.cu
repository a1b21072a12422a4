// Barriers between blocks that programs write themselves: all blocks of the grid are there at once.
#include "../../framework/buffers.h"

CONFORMANCE_CASE("control.block_barriers");

constexpr int kRounds = 40, kMost = 48;

__device__ unsigned arrived, sense;
__device__ volatile unsigned in[kMost], out[kMost];

// The number of arrivals grows; each round waits for more of them.
struct Counted {
  unsigned goal = 0;
  __device__ void wait() {
    goal += gridDim.x;
    if (threadIdx.x == 0) {
      __threadfence();
      atomicAdd(&arrived, 1u);
      while (static_cast<volatile unsigned&>(arrived) < goal) {
      }
      __threadfence();
    }
    __syncthreads();
  }
};

// The last one lets the others go, which look at atomics.
struct Turned {
  unsigned mine = 0;
  __device__ void wait() {
    mine ^= 1;
    __syncthreads();
    if (threadIdx.x == 0) {
      __threadfence();
      if (atomicAdd(&arrived, 1u) == gridDim.x - 1) {
        arrived = 0;
        __threadfence();
        atomicExch(&sense, mine);
      }
      while (atomicAdd(&sense, 0u) != mine) {
      }
    }
    __syncthreads();
  }
};

// One flag a block, which the threads of the first look at.
struct Flagged {
  unsigned round = 0;
  __device__ void wait() {
    ++round;
    if (threadIdx.x == 0) {
      __threadfence();
      in[blockIdx.x] = round;
    }
    if (blockIdx.x == 0) {
      for (unsigned i = threadIdx.x; i < gridDim.x; i += blockDim.x) {
        while (in[i] != round) {
        }
      }
      __syncthreads();
      for (unsigned i = threadIdx.x; i < gridDim.x; i += blockDim.x) out[i] = round;
    }
    if (threadIdx.x == 0) {
      while (out[blockIdx.x] != round) {
      }
    }
    __syncthreads();
  }
};

// Every round each value becomes its neighbours' sum: wrong as soon as one block is early.
template <class Barrier>
__global__ void rounds(unsigned* even, unsigned* odd) {
  Barrier barrier;
  const unsigned count = gridDim.x * blockDim.x, me = blockIdx.x * blockDim.x + threadIdx.x;
  for (int round = 0; round < kRounds; ++round) {
    volatile unsigned* from = round % 2 == 0 ? even : odd;
    volatile unsigned* to = round % 2 == 0 ? odd : even;
    to[me] = from[(me + 1) % count] * 3 + from[(me + count - blockDim.x) % count] + round;
    __syncthreads();
    barrier.wait();
  }
}

template <class Barrier>
static void observe(const char* name) {
  for (const int blocks : {2, 7, 48}) {
    for (const int threads : {1, 96}) {
      const unsigned none = 0;
      SETUP(cudaMemcpyToSymbol(arrived, &none, sizeof none));
      SETUP(cudaMemcpyToSymbol(sense, &none, sizeof none));
      static const unsigned flags[kMost] = {};
      SETUP(cudaMemcpyToSymbol(in, flags, sizeof flags));
      SETUP(cudaMemcpyToSymbol(out, flags, sizeof flags));
      DeviceArray<unsigned> even(blocks * threads, 1), odd(blocks * threads);
      rounds<Barrier><<<blocks, threads>>>(even.data(), odd.data());
      OBSERVE(std::string(name) + "_" + std::to_string(blocks) + "_" + std::to_string(threads),
              joined(even.read()));
    }
  }
}

int main() {
  observe<Counted>("counted");
  observe<Turned>("turned");
  observe<Flagged>("flagged");
}
