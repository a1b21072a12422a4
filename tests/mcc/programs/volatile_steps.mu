// A warp that goes step by step in volatile shared memory, in functions that are not inlined otherwise.
#include <musa_runtime.h>

#include <cstdio>

__device__ __noinline__ void warpReduce(volatile float* s, unsigned t) {
  s[t] += s[t + 32];
  s[t] += s[t + 16];
  s[t] += s[t + 8];
  s[t] += s[t + 4];
  s[t] += s[t + 2];
  s[t] += s[t + 1];
}

__device__ __noinline__ void through(volatile float* s, unsigned t) { warpReduce(s, t); }

__global__ void reduce(const float* in, float* out, bool directly) {
  __shared__ float s[128];
  const unsigned t = threadIdx.x;
  s[t] = in[t];
  s[t + 64] = 0;
  __syncthreads();
  if (t < 32) directly ? warpReduce(s, t) : through(s, t);
  if (t == 0) *out = s[0];
}

int main() {
  float *in = nullptr, *out = nullptr;
  musaMallocManaged(&in, 64 * sizeof *in);
  musaMallocManaged(&out, sizeof *out);
  for (int i = 0; i < 64; ++i) in[i] = static_cast<float>(i);
  for (const bool directly : {true, false}) {
    reduce<<<1, 64>>>(in, out, directly);
    if (musaDeviceSynchronize() != musaSuccess || *out != 2016)
      return std::printf("%s: %g, not 2016\n", directly ? "directly" : "through", *out), 1;
  }
}
