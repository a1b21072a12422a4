// An index that is needed in a loop and behind it, and whose parts LLVM computes before the loop, if there is
// any.
#include <musa_runtime.h>

#include <cstdio>

constexpr int kTile = 16;

__global__ void sums(int n, int tiles, const float* in, float* out) {
  __shared__ float part[kTile][kTile];
  const int row = blockIdx.y * kTile + threadIdx.y, column = blockIdx.x * kTile + threadIdx.x;
  float sum = 0;
  for (int tile = 0; tile < tiles / kTile; ++tile) {
    part[threadIdx.y][threadIdx.x] = in[row * n + tile * kTile + threadIdx.x];
    __syncthreads();
    for (int k = 0; k < kTile; ++k) sum += part[k][threadIdx.x] * in[tile * kTile * n + column];
    __syncthreads();
  }
  out[row * n + column] = sum;
}

int main() {
  constexpr int kSize = 48;
  float *in = nullptr, *out = nullptr;
  musaMallocManaged(&in, kSize * kSize * sizeof *in);
  musaMallocManaged(&out, kSize * kSize * sizeof *out);
  for (int i = 0; i < kSize * kSize; ++i) in[i] = static_cast<float>(i * 7 % 11 - 5);
  for (const int tiles : {kSize, 0}) {
    sums<<<dim3(kSize / kTile, kSize / kTile), dim3(kTile, kTile)>>>(kSize, tiles, in, out);
    if (musaDeviceSynchronize() != musaSuccess) return 2;
    for (int i = 0; i < kSize * kSize; ++i) {
      const int row = i / kSize / kTile * kTile, column = i % kSize;
      float want = 0;
      for (int tile = 0; tile < tiles / kTile; ++tile) {
        for (int k = 0; k < kTile; ++k)
          want += in[(row + k) * kSize + tile * kTile + column % kTile] * in[tile * kTile * kSize + column];
      }
      if (out[i] != want) return std::printf("%d of %d tiles: %f, not %f\n", i, tiles, out[i], want), 1;
    }
  }
}
