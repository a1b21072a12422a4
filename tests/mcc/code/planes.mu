// Tiles that go from plane to plane of a grid, with a barrier at each.
#include <musa_runtime.h>

#include <cstdio>

__global__ void planes(int n, const float* in, float* out) {
  __shared__ float tile[8][32];
  const int x = threadIdx.x, y = threadIdx.y;
  int at = (blockIdx.y * 8 + y) * n + blockIdx.x * 32 + x;
  for (int z = 0; z < n; ++z, at += n * n) {
    __syncthreads();
    tile[y][x] = in[at];
    __syncthreads();
    out[at] = tile[7 - y][31 - x];
  }
}

int main() {
  constexpr int n = 64, count = n * n * n;
  float *in, *out;
  if (musaMallocManaged(&in, count * sizeof(float)) != musaSuccess) return 2;
  if (musaMallocManaged(&out, count * sizeof(float)) != musaSuccess) return 2;
  for (int i = 0; i < count; ++i) in[i] = static_cast<float>(i);
  planes<<<dim3(n / 32, n / 8), dim3(32, 8)>>>(n, in, out);
  if (musaDeviceSynchronize() != musaSuccess) return 2;
  for (int i = 0; i < count; ++i) {
    const int x = i % n, y = i / n % n, z = i / n / n;
    const int from = (z * n + (y ^ 7)) * n + (x ^ 31);
    if (out[i] != in[from]) return printf("%d: %g, not %g\n", i, out[i], in[from]), 1;
  }
  return 0;
}
