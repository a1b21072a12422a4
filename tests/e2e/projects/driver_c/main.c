#include <cuda.h>
#include <stdio.h>

int main(void) {
  CUdevice device;
  CUcontext context;
  CUdeviceptr memory;
  int value = 7, back = 0;
  if (cuInit(0) != CUDA_SUCCESS || cuDeviceGet(&device, 0) != CUDA_SUCCESS) return 1;
  if (cuCtxCreate(&context, 0, device) != CUDA_SUCCESS) return 1;
  cuMemAlloc(&memory, sizeof value);
  cuMemcpyHtoD(memory, &value, sizeof value);
  cuMemcpyDtoH(&back, memory, sizeof value);
  printf("%d wrong\n", back != 7);
  return 0;
}
