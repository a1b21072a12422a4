// An image that is made, blurred along its rows and its columns, and scaled.
#include "common.h"

constexpr int kWidth = 256, kHeight = 128, kRadius = 3;
__constant__ float weights[2 * kRadius + 1];
__device__ float gain = 1.5f;

__global__ void make(float* image) {
  const int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y;
  image[y * kWidth + x] = sinf(0.1f * x) * cosf(0.07f * y) + 0.01f * ((x * 31 + y * 17) % 23);
}

__global__ void blurRows(const float* in, float* out) {
  __shared__ float row[kWidth + 2 * kRadius];
  const int x = threadIdx.x, y = blockIdx.x;
  row[x + kRadius] = in[y * kWidth + x];
  if (x < kRadius) {
    row[x] = in[y * kWidth];
    row[x + kWidth + kRadius] = in[y * kWidth + kWidth - 1];
  }
#if FAULT != 2
  __syncthreads();
#endif
  float sum = 0;
  for (int k = -kRadius; k <= kRadius; ++k) sum += weights[k + kRadius] * row[x + kRadius + k];
#if FAULT == 1
  sum += 1e-3f;
#endif
  out[y * kWidth + x] = sum;
}

__global__ void blurColumns(const float* in, float* out) {
  const int x = threadIdx.x, y = blockIdx.x;
  float sum = 0;
  for (int k = -kRadius; k <= kRadius; ++k) {
#if FAULT == 4
    const int from = min(max(y + k, 0), kHeight - 2);
#else
    const int from = min(max(y + k, 0), kHeight - 1);
#endif
#if FAULT == 3
    sum += weights[k + kRadius] * in[(x * kHeight + from) % (kWidth * kHeight)];
#else
    sum += weights[k + kRadius] * in[from * kWidth + x];
#endif
  }
  out[y * kWidth + x] = sum;
}

__global__ void scale(float* image, int count) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
#if FAULT == 5
  if (i < count - 1) image[i] = image[i] * gain + 0.25f;
#else
  if (i < count) image[i] = image[i] * gain + 0.25f;
#endif
}

int main() {
  float* first = allocate<float>(kWidth * kHeight);
  float* second = allocate<float>(kWidth * kHeight);
  const float values[] = {0.05f, 0.1f, 0.2f, 0.3f, 0.2f, 0.1f, 0.05f};
  cudaMemcpyToSymbol(weights, values, sizeof values);
  make<<<dim3(2, kHeight), kWidth / 2>>>(first);
  blurRows<<<kHeight, kWidth>>>(first, second);
  blurColumns<<<kHeight, kWidth>>>(second, first);
  scale<<<kWidth * kHeight / 128, 128>>>(first, kWidth * kHeight);
  return finish();
}
