// Sums up to each lane of a warp, as programs of old find them: right as long as lanes move together. With
// -DMENDED, right in any order.
#include <musa_runtime.h>

#include <cstdio>

#ifdef MENDED
__device__ void step() { __syncwarp(); }
#else
__device__ void step() {}
#endif

constexpr int kThreads = 128;

__global__ void sums(int* out, const int* in) {
  __shared__ int rows[kThreads / 32][48];
  const int t = static_cast<int>(threadIdx.x), lane = t & 31;
  volatile int* at = &rows[t >> 5][lane + 16];
  at[-16] = 0;
  step();
  *at = in[t];
  step();
#pragma unroll
  for (int d = 1; d < 32; d *= 2) {
    const int before = at[-d];
    step();
    *at += before;
    step();
  }
  out[t] = *at;
}

int main() {
  int *in = nullptr, *out = nullptr;
  musaMallocManaged(&in, kThreads * sizeof *in);
  musaMallocManaged(&out, kThreads * sizeof *out);
  for (int i = 0; i < kThreads; ++i) in[i] = i % 7 + 1;
  sums<<<1, kThreads>>>(out, in);
  if (musaDeviceSynchronize() != musaSuccess) return 2;
  int wrong = 0;
  for (int i = 0, sum = 0; i < kThreads; ++i) {
    sum = (i % 32 == 0 ? 0 : sum) + in[i];
    wrong += out[i] != sum;
  }
  std::printf("%d wrong\n", wrong);
  return wrong > 0 ? 1 : 0;
}
