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

// Rows of neighbours, too, in front of the array's place and behind it; a plane surrounds the cube.
__global__ void borders(int n, const float* in, float* out) {
  __shared__ float tile[10][32];
  const int x = threadIdx.x, y = threadIdx.y + 1, side = n + 2;
  int at = side * side + (blockIdx.y * 8 + y) * side + blockIdx.x * 32 + x + 1;
  for (int z = 0; z < n; ++z, at += side * side) {
    __syncthreads();
    tile[y][x] = in[at];
    if (threadIdx.y == 0) tile[0][x] = in[at - side];
    if (threadIdx.y == blockDim.y - 1) tile[y + 1][x] = in[at + side];
    __syncthreads();
    out[at] = tile[y - 1][x] + tile[y + 1][31 - x];
  }
}

bool checkBorders() {
  constexpr int n = 64, side = n + 2, count = side * side * side;
  float *in, *out;
  if (musaMallocManaged(&in, count * sizeof(float)) != musaSuccess) return false;
  if (musaMallocManaged(&out, count * sizeof(float)) != musaSuccess) return false;
  for (int i = 0; i < count; ++i) in[i] = static_cast<float>(i % 9973);
  borders<<<dim3(n / 32, n / 8), dim3(32, 8)>>>(n, in, out);
  if (musaDeviceSynchronize() != musaSuccess) return false;
  for (int i = 0; i < count; ++i) {
    const int x = i % side - 1, y = i / side % side - 1, z = i / side / side - 1;
    if (x < 0 || x >= n || y < 0 || y >= n || z < 0 || z >= n) continue;
    const float want = in[i - side] + in[i + side - x + (x ^ 31)];
    if (out[i] != want) return printf("borders: %d: %g, not %g\n", i, out[i], want), false;
  }
  return true;
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
  return checkBorders() ? 0 : 1;
}
