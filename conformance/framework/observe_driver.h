// Observations of the driver API: its codes are named by what the runtime API calls the
// same number, so that "MUSA_ERROR_..." and "CUDA_ERROR_..." both print "Error...".
#pragma once

#include <cuda.h>

#include "observe.h"

inline std::string observedText(CUresult result) { return observedText(static_cast<cudaError_t>(result)); }

inline void setupStep(CUresult result, const char* step, const char* file, int line) {
  setupStep(static_cast<cudaError_t>(result), step, file, line);
}

// A primary context that is current, for cases that use the driver API alone.
inline CUdevice useFirstDevice() {
  CUdevice device = 0;
  CUcontext context = nullptr;
  SETUP(cuInit(0));
  SETUP(cuDeviceGet(&device, 0));
  SETUP(cuDevicePrimaryCtxRetain(&context, device));
  SETUP(cuCtxSetCurrent(context));
  return device;
}

// The driver's function of a kernel of this program, on the current device.
template <class Kernel>
CUfunction driverFunction(Kernel* kernel) {
  cudaFunction_t function = nullptr;
  SETUP(cudaGetFuncBySymbol(&function, reinterpret_cast<const void*>(kernel)));
  return reinterpret_cast<CUfunction>(function);
}
