// A host program that uses CUDA's libraries by their names, built by g++ alone.
#include <cublas_v2.h>
#include <cuda_runtime.h>
#include <cufft.h>

#include <cstdio>
#include <vector>

int main() {
  const int n = 8;
  const float one = 1, zero = 0;
  std::vector<float> ones(n * n, 1), out(n * n);
  float *a = nullptr, *c = nullptr;
  cublasHandle_t handle = nullptr;
  cufftHandle plan = 0;
  int wrong = 0;
  wrong += cudaMalloc(reinterpret_cast<void**>(&a), sizeof(float) * n * n) != cudaSuccess;
  wrong += cudaMalloc(reinterpret_cast<void**>(&c), sizeof(float) * n * n) != cudaSuccess;
  wrong += cublasCreate(&handle) != CUBLAS_STATUS_SUCCESS;
  wrong += cublasSetMatrix(n, n, sizeof(float), ones.data(), n, a, n) != CUBLAS_STATUS_SUCCESS;
  wrong += cublasSgemm_v2(handle, CUBLAS_OP_N, CUBLAS_OP_T, n, n, n, &one, a, n, a, n, &zero, c, n) !=
           CUBLAS_STATUS_SUCCESS;
  wrong += cublasGetMatrix(n, n, sizeof(float), c, n, out.data(), n) != CUBLAS_STATUS_SUCCESS;
  for (const float value : out) wrong += value != n;
  wrong += cufftPlan1d(&plan, n * n / 2, CUFFT_C2C, 1) != CUFFT_SUCCESS;
  wrong += cufftExecC2C(plan, reinterpret_cast<cufftComplex*>(a), reinterpret_cast<cufftComplex*>(c),
                        CUFFT_FORWARD) != CUFFT_SUCCESS;
  wrong += cudaMemcpy(out.data(), c, sizeof(float) * n * n, cudaMemcpyDeviceToHost) != cudaSuccess;
  wrong += out[0] != n * n / 2 || out[1] != n * n / 2;
  wrong += cufftDestroy(plan) != CUFFT_SUCCESS || cublasDestroy(handle) != CUBLAS_STATUS_SUCCESS;
  std::printf("%d wrong\n", wrong);
  return wrong;
}
