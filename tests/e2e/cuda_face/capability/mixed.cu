// A source that is compiled as CUDA, and calls both; ported.mu, which is MUSA's, is linked with it.
#include <cuda_runtime.h>

#include "answers.h"

__global__ void ofCuda(int* out) { *out = 1; }

// Of ported.mu.
int capabilityOfMusa();
void* kernelOfMusa();

static int ptxVersion(musaError_t (*ask)(musaFuncAttributes*, const void*), const void* kernel) {
  musaFuncAttributes attributes;
  require("attributes of a kernel", ask(&attributes, kernel));
  return attributes.ptxVersion;
}

int main(int, char** arguments) {
  const int cuda = atoi(arguments[1]), musa = atoi(arguments[2]);
  cudaDeviceProp properties;
  musaDeviceProp own;
  require("cudaGetDeviceProperties", cudaGetDeviceProperties(&properties, 0));
  require("musaGetDeviceProperties", musaGetDeviceProperties(&own, 0));
  expected = cuda;
  expect("cudaGetDeviceProperties", 10 * properties.major + properties.minor);
  expect("cudaFuncGetAttributes", ptxVersion(cudaFuncGetAttributes, (const void*)ofCuda));
  expect("cudaFuncGetAttributes of MUSA's kernel", ptxVersion(cudaFuncGetAttributes, kernelOfMusa()));
  expected = musa;
  expect("musaGetDeviceProperties", 10 * own.major + own.minor);
  expect("musaGetDeviceProperties in a MUSA source", capabilityOfMusa());
  expect("musaFuncGetAttributes", ptxVersion(musaFuncGetAttributes, (const void*)ofCuda));
  printf("%d wrong\n", wrong);
  return wrong;
}
