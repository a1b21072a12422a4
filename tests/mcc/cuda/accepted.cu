// What nvcc takes and C++ does not, in CUDA's own spellings.
#include <cuda.h>
#include <cuda_bf16.h>
#include <cuda_fp16.h>
#include <cuda_gl_interop.h>
#include <cuda_runtime.h>
#include <stdio.h>
#include <string.h>

#include <cuda/atomic>

#ifdef __CUDA_ARCH__
#define HD __host__ __device__
#else
#define HD
#endif
#pragma nv_diag_suppress 177

struct HostOnly {
  int a;
  __host__ __device__ HostOnly() {
#ifndef __CUDA_ARCH__
    a = 10;
#endif
  }
  HD int plus(int b) const { return a + b; }
};
struct Queue {
  template <int N>
  HD int send(int v) const {
    return v * N;
  }
};
template <class Q>
HD int pass(Q q, Q* p) {
  return q.send<3>(1) + p->send<2>(1);
}
extern __shared__ int table[64];

__host__ __device__ cudaError_t launches(void (*kernel)(int*)) {
#ifdef __CUDA_ARCH__
  void* parameters = cudaGetParameterBuffer(64, 4);
  return parameters == nullptr ? cudaErrorNotSupported
                               : cudaLaunchDevice((void*)kernel, parameters, dim3(1), dim3(1), 0, 0);
#else
  return __cudaDeviceSynchronizeDeprecationAvoidance();
#endif
}

constexpr int kOne = 1;
template <int N>
__global__ void __launch_bounds__(32) __cluster_dims__(kOne) addsInClustersOfOne(int* out) {
  out[threadIdx.x] += N;
}

__global__ void __cluster_dims__(1, 1, 1)
    kernel(int* out, cuda::atomic<int, cuda::thread_scope_device>* sum) {
  __shared__ HostOnly object;
  Queue queue;
  typeof(threadIdx.x) i = threadIdx.x;
  const auto [x, y, z] = threadIdx;
  table[i] = i;
  if (i == 0) object.a = 4;
  __syncthreads();
  const __nv_bfloat16 narrow = static_cast<__nv_bfloat16>(__half(2.0f));
  out[i] = object.plus(table[31 - i]) + pass(queue, &queue) + x + y + z + __isShared(&object) +
           int(float(narrow)) + (launches(nullptr) == cudaErrorNotSupported);
  sum->fetch_add(1);
}

struct Pair {
  char a;
  double b;
};
template <class T>
bool isZeroed(int count, const T& last) {
  T values[count + 1] = {};
  char old[sizeof(T)];
  for (int i = 0; i <= count; ++i) values[i] = last;
  for (int i = 0; i <= count; ++i) {
    T fresh[i + 1] = {};
    memcpy(old, &fresh[i], sizeof old);
    for (char byte : old) {
      if (byte != 0) return false;
    }
  }
  return values[count].b == last.b;
}
// Arrays of variable length that begin with zeros, and some of constant length.
bool makesZeros(int count) {
  constexpr int kFour = 4;
  const int three = 3;
  cudaStream_t streams[count] = {nullptr};
  unsigned long long wide[2 * count] = {0};
  float sums[count] = {0.0f};
  bool is[count] = {false};
  int four[kFour] = {0}, more[three] = {0};
  bool all = four[3] + more[2] == 0 && isZeroed(count, Pair{'a', 2.5});
  for (int i = 0; i < count; ++i)
    all &= streams[i] == nullptr && wide[2 * i + 1] == 0 && sums[i] == 0 && !is[i];
  return all;
}

int main() {
  int* out;
  cuda::atomic<int, cuda::thread_scope_device>* sum;
  cudaMallocManaged(&out, 32 * sizeof(int));
  cudaMallocManaged(&sum, sizeof *sum);
  kernel<<<1, 32>>>(out, sum);
  addsInClustersOfOne<7><<<1, 32>>>(out);
  cudaDeviceSynchronize();
  bool right = launches(nullptr) == cudaSuccess && *sum == 32;
  for (int i = 0; i < 32; ++i) right &= out[i] == 4 + 31 + 5 + 1 + 2 + 1 + 7;
  for (int count = 0; count < 9; ++count) right &= makesZeros(count);
  printf(right ? "passed\n" : "%d\n", out[0]);
  return !right;
}
