// A host file of g++'s that asks by CUDA's names and by MUSA's, in one process. Who asks by CUDA's name is answered as
// by a CUDA toolkit, who asks by MUSA's as by the vendor's SDK.
#include <cuda.h>
#include <cuda_runtime.h>
#include <musa.h>
#include <musa_runtime.h>

#include "answers.h"

static int byAttribute(cudaError_t (*ask)(int*, cudaDeviceAttr, int)) {
  int major = 0, minor = 0;
  require("attribute", ask(&major, cudaDevAttrComputeCapabilityMajor, 0));
  require("attribute", ask(&minor, cudaDevAttrComputeCapabilityMinor, 0));
  return 10 * major + minor;
}

static int byCapability(CUresult (*ask)(int*, int*, CUdevice)) {
  int major = 0, minor = 0;
  require("capability", ask(&major, &minor, 0));
  return 10 * major + minor;
}

static int byEntry(const char* name) {
  void* entry = nullptr;
  require("cuGetProcAddress", cuGetProcAddress(name, &entry, 12000, 0, nullptr));
  return byCapability((CUresult(*)(int*, int*, CUdevice))entry);
}

int main(int, char** arguments) {
  require("cuInit", cuInit(0));
  expected = atoi(arguments[1]);
  cudaDeviceProp properties;
  require("cudaGetDeviceProperties", cudaGetDeviceProperties(&properties, 0));
  expect("cudaGetDeviceProperties", 10 * properties.major + properties.minor);
  require("cudaGetDeviceProperties_v2", cudaGetDeviceProperties_v2(&properties, 0));
  expect("cudaGetDeviceProperties_v2", 10 * properties.major + properties.minor);
  expect("cudaDeviceGetAttribute", byAttribute(cudaDeviceGetAttribute));
  expect("cuDeviceComputeCapability", byCapability(cuDeviceComputeCapability));
  expect("cuGetProcAddress by CUDA's name", byEntry("cuDeviceComputeCapability"));
  int device = -1;
  require("cudaChooseDevice", cudaChooseDevice(&device, &properties));
  expect("a device that has what was asked for", device == 0 ? expected : -1);

  expected = atoi(arguments[2]);
  musaDeviceProp own;
  require("musaGetDeviceProperties", musaGetDeviceProperties(&own, 0));
  expect("musaGetDeviceProperties", 10 * own.major + own.minor);
  expect("musaDeviceGetAttribute", byAttribute(musaDeviceGetAttribute));
  expect("muDeviceComputeCapability", byCapability(muDeviceComputeCapability));
  expect("cuGetProcAddress by MUSA's name", byEntry("muDeviceComputeCapability"));
  if (own.warpSize != properties.warpSize) expect("the warp's size is the device's", -1);
  printf("%d wrong\n", wrong);
  return wrong;
}
