// Addresses of shared memory have 32 bits: an unsigned index below zero is the element before, as CUB's BlockDiscontinuity reads it (and
// does not use it).
#include <cstdio>

struct Triple {
  unsigned x, y, z;
};

constexpr unsigned kThreads = 96;

struct Ends {
  Triple first[kThreads], last[kThreads];
};

struct Place {
  Ends& ends;

  __device__ __forceinline__ Triple before(unsigned thread) const { return ends.last[thread - 1]; }
  __device__ __forceinline__ Triple around(unsigned thread, unsigned by) const { return ends.last[thread - by]; }
};

__global__ void neighbours(Triple* whole, unsigned* parts, unsigned by) {
  __shared__ Ends ends;
  const unsigned thread = threadIdx.x;
  ends.first[thread] = {thread + 1000, thread + 2000, thread + 3000};
  ends.last[thread] = {thread, thread + 100, thread + 200};
  __syncthreads();
  const Place place{ends};
  whole[thread] = place.before(thread);
  const Triple around = place.around(thread, by);
  if (thread >= by) parts[thread] = around.y;
}

int main() {
  Triple* whole;
  unsigned* parts;
  if (musaMallocManaged(&whole, kThreads * sizeof(Triple)) != musaSuccess) return 1;
  if (musaMallocManaged(&parts, kThreads * sizeof(unsigned)) != musaSuccess) return 1;
  neighbours<<<1, kThreads>>>(whole, parts, 5);
  if (const musaError_t error = musaDeviceSynchronize(); error != musaSuccess) {
    std::printf("%s\n", musaGetErrorString(error));
    return 1;
  }
  int wrong = 0;
  for (unsigned thread = 0; thread < kThreads; ++thread) {
    const Triple expected = thread == 0 ? Triple{kThreads - 1 + 1000, kThreads - 1 + 2000, kThreads - 1 + 3000}
                                        : Triple{thread - 1, thread + 99, thread + 199};
    if (whole[thread].x != expected.x || whole[thread].y != expected.y || whole[thread].z != expected.z) {
      std::printf("thread %u has %u %u %u\n", thread, whole[thread].x, whole[thread].y, whole[thread].z);
      ++wrong;
    }
    if (thread >= 5 && parts[thread] != thread - 5 + 100) {
      std::printf("thread %u has part %u\n", thread, parts[thread]);
      ++wrong;
    }
  }
  return wrong != 0;
}
