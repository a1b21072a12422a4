// Blocks that go to and fro in memory, and blocks that do not.
#include <musa_runtime.h>

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

// Block after block, and thread after thread.
__global__ void inOrder(const float* in, float* out) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  out[i] = warpSum(in[i]);
}

int main() {}
