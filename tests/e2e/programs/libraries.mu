// The libraries for mathematics between kernels of one stream: each sees what was queued before it.
#include <mublas.h>
#include <mufft.h>

#include <cmath>
#include <cstdio>
#include <vector>

#define REQUIRE(condition)                                        \
  do {                                                            \
    if (!(condition)) {                                           \
      std::printf("line %d: not so: %s\n", __LINE__, #condition); \
      return 1;                                                   \
    }                                                             \
  } while (0)

__global__ void fill(float* data, int count, float value) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < count) data[i] = value;
}

__global__ void toComplex(const float* from, mufftComplex* to, int count) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < count) to[i] = make_float2(from[i], 0);
}

int main() {
  constexpr int n = 64, count = n * n;
  float *a = nullptr, *b = nullptr;
  mufftComplex* spectrum = nullptr;
  musaStream_t stream = nullptr;
  mublasHandle_t blas = nullptr;
  mufftHandle plan = MUFFT_PLAN_NULL;
  REQUIRE(musaMalloc(&a, count * sizeof(float)) == musaSuccess);
  REQUIRE(musaMalloc(&b, count * sizeof(float)) == musaSuccess);
  REQUIRE(musaMalloc(&spectrum, count * sizeof(mufftComplex)) == musaSuccess);
  REQUIRE(musaStreamCreate(&stream) == musaSuccess);
  REQUIRE(mublasCreate(&blas) == MUBLAS_STATUS_SUCCESS);
  REQUIRE(mublasSetStream(blas, stream) == MUBLAS_STATUS_SUCCESS);
  REQUIRE(mufftPlan2d(&plan, n, n, MUFFT_C2C) == MUFFT_SUCCESS);
  REQUIRE(mufftSetStream(plan, stream) == MUFFT_SUCCESS);
  for (int round = 1; round <= 20; ++round) {
    const float one = 1, zero = 0;
    fill<<<count / 128, 128, 0, stream>>>(a, count, static_cast<float>(round));
    REQUIRE(mublasSgemm(blas, MUBLAS_OP_N, MUBLAS_OP_N, n, n, n, &one, a, n, a, n, &zero, b, n) ==
            MUBLAS_STATUS_SUCCESS);
    toComplex<<<count / 128, 128, 0, stream>>>(b, spectrum, count);
    REQUIRE(mufftExecC2C(plan, spectrum, spectrum, MUFFT_FORWARD) == MUFFT_SUCCESS);
    mufftComplex first{};
    REQUIRE(musaMemcpyAsync(&first, spectrum, sizeof first, musaMemcpyDeviceToHost, stream) == musaSuccess);
    REQUIRE(musaStreamSynchronize(stream) == musaSuccess);
    REQUIRE(std::abs(first.x / (round * round * double(n) * count) - 1) < 1e-5);
  }
  float sum = 0;
  REQUIRE(mublasSasum(blas, count, a, 1, &sum) == MUBLAS_STATUS_SUCCESS);
  REQUIRE(sum == 20.0f * count);
  REQUIRE(mufftDestroy(plan) == MUFFT_SUCCESS);
  REQUIRE(mublasDestroy(blas) == MUBLAS_STATUS_SUCCESS);
  std::printf("0 wrong\n");
  return 0;
}
