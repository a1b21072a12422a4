// A product by cuBLAS and a sum over devices by NCCL, around a kernel.
#include <cublas_v2.h>
#include <nccl.h>

#include <vector>

#include "common.h"

constexpr int kSize = 48;

__global__ void fill(float* values, float step) { values[blockIdx.x * kSize + threadIdx.x] = sinf(step * (blockIdx.x * kSize + threadIdx.x)); }

__global__ void scale(float* values) { values[blockIdx.x * kSize + threadIdx.x] *= 0.5f; }

int main() {
  int devices = 0;
  cudaGetDeviceCount(&devices);
  std::vector<ncclComm_t> communicators(devices);
  std::vector<float*> products(devices);
  ncclCommInitAll(communicators.data(), devices, nullptr);
  for (int device = 0; device < devices; ++device) {
    cudaSetDevice(device);
    float* a = allocate<float>(kSize * kSize);
    float* b = allocate<float>(kSize * kSize);
    products[device] = allocate<float>(kSize * kSize);
    fill<<<kSize, kSize>>>(a, 0.3f + device);
    fill<<<kSize, kSize>>>(b, 0.7f);
    cublasHandle_t handle = nullptr;
    cublasCreate(&handle);
    const float alpha = FAULT == 21 ? 1.001f : 1.0f, beta = 0;
    cublasSgemm(handle, CUBLAS_OP_N, CUBLAS_OP_N, kSize, kSize, kSize, &alpha, a, kSize, b, kSize, &beta, products[device], kSize);
    scale<<<kSize, kSize>>>(products[device]);
    cublasDestroy(handle);
  }
  ncclGroupStart();
  for (int device = 0; device < devices; ++device) {
    const ncclRedOp_t operation = FAULT == 22 ? ncclMax : ncclSum;
    ncclAllReduce(products[device], products[device], kSize * kSize, ncclFloat, operation, communicators[device], nullptr);
  }
  ncclGroupEnd();
  for (int device = 0; device < devices; ++device) {
    cudaSetDevice(device);
    if (cudaDeviceSynchronize() != cudaSuccess) return 1;
  }
  return finish();
}
