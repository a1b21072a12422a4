// Warps that go to and fro in memory, and warps that do not.
#include <musa_runtime.h>

#include <cmath>
#include <cstdio>
#include <vector>

__device__ float warpSum(float value) {
  for (int mask = 16; mask > 0; mask /= 2) value += __shfl_xor_sync(0xffffffffu, value, mask);
  return value;
}

// Each warp takes pieces of its block's row.
__global__ void pieces(const float* in, float* out, int columns) {
  const float* row = in + blockIdx.x * columns;
  float sum = 0;
  for (int i = threadIdx.x; i < columns; i += blockDim.x) sum += row[i];
  sum = warpSum(sum);
  for (int i = threadIdx.x; i < columns; i += blockDim.x) out[blockIdx.x * columns + i] = row[i] / sum;
}

// The same, but not of columns next to each other.
__global__ void everySecond(const float* in, float* out, int columns) {
  const float* row = in + blockIdx.x * columns;
  float sum = 0;
  for (int i = threadIdx.x; i < columns; i += 2 * blockDim.x) sum += row[i];
  out[blockIdx.x * blockDim.x + threadIdx.x] = warpSum(sum);
}

// The same by four columns at a time.
__global__ void piecesOfFour(const float4* in, float4* out, int columns) {
  const float4* row = in + blockIdx.x * columns;
  float sum = 0;
  for (int i = threadIdx.x; i < columns; i += blockDim.x) sum += row[i].x + row[i].y + row[i].z + row[i].w;
  sum = warpSum(sum);
  for (int i = threadIdx.x; i < columns; i += blockDim.x) {
    const float4 v = row[i];
    out[blockIdx.x * columns + i] = make_float4(v.x / sum, v.y / sum, v.z / sum, v.w / sum);
  }
}

// Each block takes the row that an index names: the next one's is not known.
__global__ void lookedUp(const float* in, const int* rows, float* out, int columns) {
  const float* row = in + rows[blockIdx.x] * columns;
  float sum = 0;
  for (int i = threadIdx.x; i < columns; i += blockDim.x) sum += row[i];
  if (threadIdx.x % 32 == 0) out[threadIdx.x / 32] = warpSum(sum);
}

// Every block takes the same.
__global__ void same(const float* in, float* out, int columns) {
  float sum = 0;
  for (int i = threadIdx.x; i < columns; i += blockDim.x) sum += in[i];
  sum = warpSum(sum);
  if (threadIdx.x == 0) out[blockIdx.x] = sum;
}

// Each part between barriers reads the row again.
__global__ void onceMore(const float* in, float* out, int columns) {
  __shared__ float sums[32];
  const float* row = in + blockIdx.x * columns;
  float sum = 0;
  for (int i = threadIdx.x; i < columns; i += blockDim.x) sum += row[i];
  sum = warpSum(sum);
  if (threadIdx.x % 32 == 0) sums[threadIdx.x / 32] = sum;
  __syncthreads();
  sum = sums[threadIdx.x / 32];
  for (int i = threadIdx.x; i < columns; i += blockDim.x) out[blockIdx.x * columns + i] = row[i] / sum;
}

// Block after block, and thread after thread: what blocks to come read is behind what this one reads.
__global__ void inOrder(const float* in, float* out) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  out[i] = warpSum(in[i]);
}

constexpr int kRows = 5, kColumns = 1000, kThreads = 96;

// Warps' sums are of the columns that their threads take.
bool isRight(const std::vector<float>& in, const float* out, int width) {
  for (int row = 0; row < kRows; ++row) {
    for (int warp = 0; warp < kThreads / 32; ++warp) {
      const auto isWarps = [&](int i) { return i / width % kThreads / 32 == warp; };
      double sum = 0;
      for (int i = 0; i < kColumns; ++i) sum += isWarps(i) ? in[row * kColumns + i] : 0;
      for (int i = 0; i < kColumns; ++i) {
        const double want = in[row * kColumns + i] / sum;
        if (isWarps(i) && std::abs(out[row * kColumns + i] - want) > 1e-5 * std::abs(want)) return false;
      }
    }
  }
  return true;
}

int main() {
  std::vector<float> in(kRows * kColumns);
  for (size_t i = 0; i < in.size(); ++i) in[i] = 1 + i * 7919 % 1000 / 1000.0f;
  float *from = nullptr, *to = nullptr;
  musaMallocManaged(&from, in.size() * sizeof(float));
  musaMallocManaged(&to, in.size() * sizeof(float));
  std::copy(in.begin(), in.end(), from);
  pieces<<<kRows, kThreads>>>(from, to, kColumns);
  if (musaDeviceSynchronize() != musaSuccess || !isRight(in, to, 1)) return puts("pieces: wrong"), 1;
  onceMore<<<kRows, kThreads>>>(from, to, kColumns);
  if (musaDeviceSynchronize() != musaSuccess || !isRight(in, to, 1)) return puts("once more: wrong"), 1;
  piecesOfFour<<<kRows, kThreads>>>(reinterpret_cast<float4*>(from), reinterpret_cast<float4*>(to),
                                    kColumns / 4);
  if (musaDeviceSynchronize() != musaSuccess || !isRight(in, to, 4)) return puts("pieces of four: wrong"), 1;
}
