// What nvcc accepts about variables and addresses, and what hardware does with zeros.
#if !defined(__MUSACC_EXTENDED_LAMBDA__) || !defined(__MUSACC_RELAXED_CONSTEXPR__)
#error device lambdas and constexpr functions need no option
#endif
static_assert(!__nv_is_extended_device_lambda_closure_type(int), "a lambda is no placeholder");
#include <musa_runtime.h>

#include <cmath>
#include <cstdint>
#include <cstdio>

#define TILE __shared__ alignas(32)

struct alignas(16) Vector {
  float x, y, z, w;
};
__device__ alignas(64) int aligned[3] = {1, 2, 3};
__constant__ alignas(Vector) float factors[4] = {1, 2, 3, 4};

template <typename T>
__device__ bool isAligned(const T* pointer, size_t to) {
  return reinterpret_cast<uintptr_t>(pointer) % to == 0;
}

template <typename T>
__global__ void alignments(int* wrong) {
  __shared__ char first;
  __shared__ alignas(64) float a[4][5];
  TILE char b[3];
  static __shared__ alignas(alignof(Vector)) T c[7];
  extern __shared__ alignas(16) float dynamic[];
  alignas(16) float local[4];
  local[threadIdx.x % 4] = factors[1];
  first = 1;
  a[0][0] = b[0] = c[0] = dynamic[0] = first + local[threadIdx.x % 4];
  if (!isAligned(&a[0][0], 64) || !isAligned(b, 32) || !isAligned(c, 16) || !isAligned(dynamic, 16) ||
      !isAligned(aligned, 64) || !isAligned(factors, 16) || !isAligned(local, 16))
    atomicAdd(wrong, 1);
}

// As ported code does it that keeps addresses of shared memory in 32 bits.
__global__ void shortAddresses(int* out) {
  __shared__ int stages[2][64];
  extern __shared__ int more[];
  const unsigned i = threadIdx.x;
  stages[0][i] = static_cast<int>(i);
  const unsigned from = static_cast<unsigned>(__cvta_generic_to_shared(&stages[0][i]));
  const unsigned to = static_cast<unsigned>(__cvta_generic_to_shared(&more[63 - i]));
  *static_cast<int*>(__cvta_shared_to_generic(to)) = *static_cast<int*>(__cvta_shared_to_generic(from)) * 10;
  __syncthreads();
  out[i] = more[i];
}

__device__ int onDevice;

// Whether an address is of shared memory.
__global__ void sharedAddresses(int* out) {
  __shared__ int first[4];
  extern __shared__ int more[];
  int own[4] = {static_cast<int>(threadIdx.x)};
  const unsigned i = threadIdx.x;
  const int* either = i % 2 == 0 ? &first[i % 4] : &own[i % 4];
  out[i] = static_cast<int>(__isShared(&first[3]) + 2 * __isShared(&more[63]) + 4 * __isShared(either) +
                            8 * __isShared(out) + 16 * __isShared(&onDevice) + 32 * __isShared(nullptr));
}
__global__ void withoutShared(int* out) {
  out[0] = static_cast<int>(__isShared(out) + __isShared(&onDevice));
}

__global__ void zeros(float* out, float plus, float minus, float nan) {
  out[0] = fminf(plus, minus);
  out[1] = fmaxf(minus, plus);
  out[2] = fminf(nan, minus);
  out[3] = fmaxf(plus, nan);
  out[4] = static_cast<float>(fmin(static_cast<double>(minus), static_cast<double>(plus)));
  out[5] = static_cast<float>(fmax(static_cast<double>(minus), static_cast<double>(plus)));
  out[6] = min(plus, minus);
  out[7] = fmaxf(minus, 0.0f);
}

static int failures = 0;
static void expect(bool right, const char* what) {
  if (right) return;
  std::printf("wrong: %s\n", what);
  ++failures;
}

int main() {
  int* wrong = nullptr;
  int* words = nullptr;
  float* floats = nullptr;
  expect(musaMallocManaged(&wrong, sizeof(int)) == musaSuccess, "musaMallocManaged");
  expect(musaMallocManaged(&words, 64 * sizeof(int)) == musaSuccess, "musaMallocManaged");
  expect(musaMallocManaged(&floats, 8 * sizeof(float)) == musaSuccess, "musaMallocManaged");
  *wrong = 0;
  alignments<char><<<2, 32, 64>>>(wrong);
  alignments<double><<<2, 32, 64>>>(wrong);
  shortAddresses<<<1, 64, 256>>>(words);
  zeros<<<1, 1>>>(floats, 0.0f, -0.0f, NAN);
  expect(musaDeviceSynchronize() == musaSuccess, "musaDeviceSynchronize");
  expect(*wrong == 0, "alignments");
  for (int i = 0; i < 64; ++i) expect(words[i] == 10 * (63 - i), "short addresses");
  sharedAddresses<<<2, 64, 256>>>(words);
  expect(musaDeviceSynchronize() == musaSuccess, "musaDeviceSynchronize");
  for (int i = 0; i < 64; ++i) expect(words[i] == (i % 2 == 0 ? 7 : 3), "addresses of shared memory");
  withoutShared<<<1, 1>>>(words);
  expect(musaDeviceSynchronize() == musaSuccess && words[0] == 0, "a kernel without shared memory");
  const bool negative[8] = {true, false, true, false, true, false, true, false};
  for (int i = 0; i < 8; ++i) expect(floats[i] == 0 && std::signbit(floats[i]) == negative[i], "zeros");
  if (failures == 0) std::puts("passed");
  return failures;
}
