// Threads part, one way through a loop with warp operations, and meet again with different constants: these
// belong to each thread, not to all (seed 20025 of the fuzzer).
#include <musa_runtime.h>

#include <cstdio>

constexpr int kThreads = 100;

__global__ void join(const unsigned* in, unsigned param, unsigned* out) {
  extern __shared__ unsigned dynamic[];
  const unsigned n = blockDim.x * blockDim.y * blockDim.z;
  const unsigned tid = (threadIdx.z * blockDim.y + threadIdx.y) * blockDim.x + threadIdx.x;
  const unsigned lane = tid & 31u;
  unsigned v1 = tid * 77u, v2 = param, way = 1283;
  dynamic[tid] = tid;
  __syncthreads();
  const unsigned key = in[tid] % 2u;
  const unsigned mask = __match_any_sync(0xffffffffu, key);
  if (key == 0) {
    unsigned x = (v1 >> (v1 & 31)) & (v2 + v2);
    for (unsigned bit = 1; bit < 32; bit *= 2) {
      const unsigned y = __shfl_xor_sync(mask, x, bit, 32);
      if ((mask >> (lane ^ bit)) & 1u) x += y;
    }
    way = 1282;
  } else {
    int all;
    const unsigned which = __match_all_sync(mask, 0u, &all);
    v2 += which + (all != 0 ? 5u : 0u);
  }
  dynamic[tid] = v2;
  __syncthreads();
  for (unsigned step = 64u; step > 0; step >>= 1) {
    if (tid < step && tid + step < n) dynamic[tid] += dynamic[tid + step];
    __syncthreads();
  }
  __syncthreads();
  out[tid] = way;
}

int main() {
  unsigned *in = nullptr, *out = nullptr;
  if (musaMallocManaged(&in, kThreads * sizeof *in) != musaSuccess) return 2;
  if (musaMallocManaged(&out, kThreads * sizeof *out) != musaSuccess) return 2;
  for (unsigned i = 0; i < kThreads; ++i) in[i] = i * 2654435761u >> 7;
  join<<<1, kThreads, kThreads * sizeof(unsigned)>>>(in, 19, out);
  if (musaDeviceSynchronize() != musaSuccess) return 3;
  int wrong = 0;
  for (int i = 0; i < kThreads; ++i) wrong += out[i] != 1282 + in[i] % 2u;
  std::printf("%d wrong\n", wrong);
  return wrong != 0;
}
