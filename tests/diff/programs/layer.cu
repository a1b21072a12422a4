// A layer of a network: a product of matrices, a bias, and a softmax of each row.
#include "common.h"

constexpr int kRows = 64, kInner = 96, kColumns = 80, kTile = 16;

struct Shape {
  int rows, inner, columns;
};

__global__ void fill(float* values, int count, float step) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < count) values[i] = sinf(step * i) + 0.1f;
}

__global__ void multiply(const float* a, const float* b, float* c, Shape shape) {
  __shared__ float left[kTile][kTile], right[kTile][kTile];
  const int x = blockIdx.x * kTile + threadIdx.x, y = blockIdx.y * kTile + threadIdx.y;
#if FAULT == 14
  __half sum = __float2half(0.0f);
#else
  float sum = 0;
#endif
  for (int tile = 0; tile < shape.inner; tile += kTile) {
    left[threadIdx.y][threadIdx.x] = a[y * shape.inner + tile + threadIdx.x];
#if FAULT == 12
    right[threadIdx.x][threadIdx.y] = b[(tile + threadIdx.y) * shape.columns + x];
#else
    right[threadIdx.y][threadIdx.x] = b[(tile + threadIdx.y) * shape.columns + x];
#endif
#if FAULT != 11
    __syncthreads();
#endif
    for (int k = 0; k < kTile; ++k) {
#if FAULT == 14
      sum = __hadd(sum, __float2half(left[threadIdx.y][k] * right[k][threadIdx.x]));
#else
      sum += left[threadIdx.y][k] * right[k][threadIdx.x];
#endif
    }
    __syncthreads();
  }
#if FAULT == 14
  c[y * shape.columns + x] = __half2float(sum);
#else
  c[y * shape.columns + x] = sum;
#endif
}

__global__ void addBias(float* c, const float* bias) {
  const int x = threadIdx.x, y = blockIdx.x;
#if FAULT == 13
  c[y * kColumns + x] += bias[y];
#else
  c[y * kColumns + x] += bias[x];
#endif
}

__global__ void softmax(const float* c, float* out) {
  const int y = threadIdx.x;
  float most = c[y * kColumns], sum = 0;
  for (int x = 1; x < kColumns; ++x) most = fmaxf(most, c[y * kColumns + x]);
  for (int x = 0; x < kColumns; ++x) {
#if FAULT == 15
    const float value = exp2f(c[y * kColumns + x] - most);
#else
    const float value = expf(c[y * kColumns + x] - most);
#endif
    out[y * kColumns + x] = value;
    sum += value;
  }
  for (int x = 0; x < kColumns; ++x) out[y * kColumns + x] /= sum;
}

int main() {
  float* a = allocate<float>(kRows * kInner);
  float* b = allocate<float>(kInner * kColumns);
  float* c = allocate<float>(kRows * kColumns);
  float* bias = allocate<float>(kColumns);
  float* out = allocate<float>(kRows * kColumns);
  fill<<<(kRows * kInner + 127) / 128, 128>>>(a, kRows * kInner, 0.37f);
  fill<<<(kInner * kColumns + 127) / 128, 128>>>(b, kInner * kColumns, 0.11f);
  fill<<<1, 128>>>(bias, kColumns, 0.7f);
  multiply<<<dim3(kColumns / kTile, kRows / kTile), dim3(kTile, kTile)>>>(a, b, c, {kRows, kInner, kColumns});
  addBias<<<kRows, kColumns>>>(c, bias);
  softmax<<<1, kRows>>>(c, out);
  return finish();
}
