// Device code that is made from templates names what only the device pass has; macros whose text is a pragma.
#include <musa_runtime.h>

#include <cstdio>

#ifdef __MUSA_ARCH__
template <class T>
__device__ T twice(T x) {
  return x + x;
}
#define UNROLLED #pragma unroll
#define UNROLLED_TWICE #pragma unroll 2
#else
#define UNROLLED
#define UNROLLED_TWICE
#endif

template <class T>
struct Worker {
  T value;
  __device__ T run() { return twice(value); }
#ifdef __MUSA_ARCH__
  __device__ T more() { return value + 1; }
#endif
};

template <class T>
__device__ T ofFunction(T x) {
  Worker<T> worker{x};
  return twice(x) + worker.more();
}

template <class T>
__global__ void ofKernel(T* out) {
  *out = twice(*out);
}

__global__ void kernel(int* out) {
  Worker<int> worker{20};
  int sum = worker.run() + ofFunction(1);
  UNROLLED
  for (int i = 0; i < 8; ++i) sum += i;
  UNROLLED_TWICE
  for (int i = 0; i < 8; ++i) sum += i;
  *out = sum;
}

int main() {
  int* out = nullptr;
  if (musaMallocManaged(&out, sizeof *out) != musaSuccess) return 1;
  kernel<<<1, 1>>>(out);
  ofKernel<<<1, 1>>>(out);
  if (musaDeviceSynchronize() != musaSuccess) return 1;
  std::printf(*out == 200 ? "passed\n" : "%d, not 200\n", *out);
  return *out != 200;
}
