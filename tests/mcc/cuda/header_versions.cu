// The versions of CUDA's headers, wherever an expression can stand: what code says of them is what #if says.
#include <cublas_v2.h>
#include <cuda.h>
#include <cuda_runtime.h>
#include <cufft.h>
#include <cupti.h>
#include <curand.h>
#include <cusolverDn.h>
#include <cusparse.h>
#include <math_constants.h>
#include <nccl.h>
#include <nvml.h>

#include <cstdio>
#include <iostream>

template <int V, int W = CUDA_VERSION>
struct Of {
  static constexpr int value = V;
};
Of<CUDART_VERSION> runtime;
Of<CUBLAS_VERSION, CUFFT_VERSION> libraries;
Of<Of<CURAND_VERSION>::value> nested;
enum { kSparse = CUSPARSE_VERSION, kSolver = CUSOLVER_VERSION, kProfiler = CUPTI_API_VERSION, kMonitor = NVML_API_VERSION };
int present[CUDART_VERSION > 3 ? 1 : 2];

#define CHECK_AT_LEAST(n) (CUDART_VERSION >= (n))
#define RUNS(version) ((version) == CUDART_VERSION)
#if CHECK_AT_LEAST(13000)
constexpr bool kThirteen = true;
#else
constexpr bool kThirteen = false;
#endif
#if CUDART_VERSION >= 12000
constexpr bool kTwelve = true;
#else
constexpr bool kTwelve = false;
#endif
#if CUBLAS_VERSION >= 11000
constexpr bool kBlas = true;
#else
constexpr bool kBlas = false;
#endif
#define NEEDED 11000
#if CUDA_VERSION >= NEEDED
constexpr bool kNeeded = true;
#else
constexpr bool kNeeded = false;
#endif

// What code says is what #if says.
static_assert(kTwelve == (CUDART_VERSION >= 12000) && kTwelve == !(12000 > CUDART_VERSION), "a number of the tables");
static_assert(kThirteen == (CUDART_VERSION >= 13000) && kThirteen == CHECK_AT_LEAST(13000), "one beyond them");
static_assert(kBlas == (CUBLAS_VERSION >= 11000) && kNeeded == (CUDA_VERSION >= NEEDED), "one that has no counterpart");
static_assert(NCCL_VERSION_CODE >= NCCL_VERSION(2, 20, 0) && NCCL_MAJOR == 2, "");
static_assert(CUDART_PI == 3.14159265358979323846 && CUDART_LN2_HI + CUDART_LN2_LO == CUDART_LN2 && CUDART_TWO_TO_M126_F > 0, "");

// A version that the program asked for is one that it may compare with the header's.
bool agree() {
  int driver = 0, library = 0, all = 0;
  bool right = cudaRuntimeGetVersion(&library) == cudaSuccess && library == CUDART_VERSION && RUNS(library);
  right = right && cudaDriverGetVersion(&driver) == cudaSuccess && !(driver < CUDART_VERSION) && CUDA_VERSION <= driver;
  right = right && cufftGetVersion(&all) == CUFFT_SUCCESS && all == CUFFT_VERSION;
  right = right && curandGetVersion(&all) == CURAND_STATUS_SUCCESS && all == CURAND_VERSION;
  right = right && ncclGetVersion(&all) == ncclSuccess && all == NCCL_VERSION_CODE;
  cublasHandle_t blas;
  cusparseHandle_t sparse;
  right = right && cublasCreate(&blas) == CUBLAS_STATUS_SUCCESS && cublasGetVersion(blas, &all) == CUBLAS_STATUS_SUCCESS &&
          all == CUBLAS_VERSION;
  right = right && cusparseCreate(&sparse) == CUSPARSE_STATUS_SUCCESS &&
          cusparseGetVersion(sparse, &all) == CUSPARSE_STATUS_SUCCESS && all == CUSPARSE_VERSION;
  return right && library / 1000 == CUDART_VERSION / 1000;
}

int main() {
  std::cout << CUDA_VERSION << ' ' << CUSOLVER_VERSION << '\n';
  const bool right = agree();
  std::puts(right ? "passed" : "wrong");
  return !right;
}
