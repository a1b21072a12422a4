// A ring of threads in which each takes its neighbour's element and writes its own, with no barrier in
// between: right while the warps of a block go about in step. With -DMENDED the barrier is there.
#include <musa_runtime.h>
#include <stdio.h>

constexpr int kThreads = 256;

__global__ void turn(int* out) {
  __shared__ int s[kThreads];
  const int t = static_cast<int>(threadIdx.x);
  s[t] = t;
  __syncthreads();
  for (int round = 0; round < 3; ++round) {
    const int other = s[(t + 128) % kThreads];
#ifdef MENDED
    __syncthreads();
#endif
    s[t] = other + 1;
    __syncthreads();
  }
  out[t] = s[t];
}

int main() {
  int* out = nullptr;
  musaMallocManaged(&out, kThreads * sizeof *out);
  turn<<<1, kThreads>>>(out);
  musaDeviceSynchronize();
  int wrong = 0;
  for (int t = 0; t < kThreads; ++t) wrong += out[t] != (t + 128) % kThreads + 3;
  if (wrong != 0) printf("%d threads: wrong\n", wrong);
  return wrong != 0;
}
