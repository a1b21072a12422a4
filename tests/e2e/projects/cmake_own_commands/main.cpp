#include <cublas_v2.h>
#include <cuda.h>

#include <cstdio>

int wrongSquares();
extern "C" int nvmlInit_v2(void);
extern "C" int nvmlDeviceGetCount_v2(unsigned int*);

int main() {
  int wrong = wrongSquares(), devices = 0;
  unsigned int managed = 0;
  if (cuInit(0) != CUDA_SUCCESS || cuDeviceGetCount(&devices) != CUDA_SUCCESS) ++wrong;
  if (nvmlInit_v2() != 0 || nvmlDeviceGetCount_v2(&managed) != 0 || int(managed) != devices) ++wrong;
  cublasHandle_t handle;
  if (cublasCreate(&handle) != CUBLAS_STATUS_SUCCESS || cublasDestroy(handle) != CUBLAS_STATUS_SUCCESS) ++wrong;
  std::printf("%d wrong\n", wrong);
}
