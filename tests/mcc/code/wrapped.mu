// Neighbours on a ring, and butterflies: where no index wraps, the threads read rows.
#include <musa_runtime.h>

#include <cstdio>

__global__ void ring(int n, const float* in, float* out) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  out[i] = in[(i + n - 1) % n] + in[(i + 1) % n] + in[(i + 2) % n];
}

__global__ void butterflies(const float* in, float* out) {
  __shared__ float a[512];
  const int t = threadIdx.x;
  a[t] = in[t];
  a[t + 256] = in[t + 256];
  __syncthreads();
  for (int half = 1; half < 512; half *= 2) {
    const int low = t & (half - 1), at = 2 * (t - low) + low;
    const float x = a[at], y = a[at + half];
    a[at] = x + y;
    a[at + half] = x - y;
    __syncthreads();
  }
  out[t] = a[t];
  out[t + 256] = a[t + 256];
}

int main() {
  constexpr int n = 1000, threads = 256, blocks = 4;
  float *in, *out;
  if (musaMallocManaged(&in, 1024 * sizeof(float)) != musaSuccess) return 2;
  if (musaMallocManaged(&out, threads * blocks * sizeof(float)) != musaSuccess) return 2;
  for (int i = 0; i < 1024; ++i) in[i] = static_cast<float>(i * 7 % 31);
  ring<<<blocks, threads>>>(n, in, out);
  if (musaDeviceSynchronize() != musaSuccess) return 2;
  for (int i = 0; i < threads * blocks; ++i) {
    if (out[i] != in[(i + n - 1) % n] + in[(i + 1) % n] + in[(i + 2) % n]) return printf("ring, %d\n", i), 1;
  }
  butterflies<<<1, threads>>>(in, out);
  if (musaDeviceSynchronize() != musaSuccess) return 2;
  for (int k = 0; k < 512; k += 37) {
    float sum = 0;
    for (int i = 0; i < 512; ++i) sum += __builtin_parity(i & k) ? -in[i] : in[i];
    if (out[k] != sum) return printf("butterflies, %d: %g, not %g\n", k, out[k], sum), 1;
  }
  return 0;
}
