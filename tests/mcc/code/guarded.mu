// Values that threads choose by their index, and store for others.
#include <musa_runtime.h>

#include <cstdio>

constexpr int kThreads = 128;

__global__ void reversed(const float* in, float* out, int n) {
  __shared__ float row[kThreads];
  const int i = blockIdx.x * kThreads + threadIdx.x;
  row[threadIdx.x] = i < n ? in[i] : -1.0f;
  __syncthreads();
  out[i] = row[kThreads - 1 - threadIdx.x];
}

// The store comes behind an access that may be of the same memory.
__global__ void counted(const float* in, float* out, int n) {
  __shared__ float row[kThreads];
  const int i = blockIdx.x * kThreads + threadIdx.x;
  row[threadIdx.x] = 2;
  __syncthreads();
  const float value = i < n ? in[i] : -1.0f;
  out[i] = row[threadIdx.x];
  row[threadIdx.x] = value;
  __syncthreads();
  out[i] += row[kThreads - 1 - threadIdx.x];
}

int main() {
  constexpr int kBlocks = 3, kAll = kBlocks * kThreads, kSome = kAll - 50;
  float *in = nullptr, *out = nullptr;
  musaMallocManaged(&in, kAll * sizeof *in);
  musaMallocManaged(&out, kAll * sizeof *out);
  for (int i = 0; i < kAll; ++i) in[i] = static_cast<float>(i * 5 % 97);
  const auto isRight = [&](float more) {
    if (musaDeviceSynchronize() != musaSuccess) return false;
    for (int i = 0; i < kAll; ++i) {
      const int from = i / kThreads * kThreads + kThreads - 1 - i % kThreads;
      if (out[i] != (from < kSome ? in[from] : -1.0f) + more) return false;
    }
    return true;
  };
  reversed<<<kBlocks, kThreads>>>(in, out, kSome);
  if (!isRight(0)) return puts("reversed: wrong"), 1;
  counted<<<kBlocks, kThreads>>>(in, out, kSome);
  if (!isRight(2)) return puts("counted: wrong"), 1;
}
