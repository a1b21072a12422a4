// Kernels as functions of the driver: launches, parameters, attributes.
// links: driver
#include "../../framework/buffers.h"
#include "../../framework/observe_driver.h"

CONFORMANCE_CASE("execution.driver_launch");

struct Pair {
  char small;
  double large;
};

__global__ void combine(int* out, Pair pair, short extra) {
  out[threadIdx.x] = static_cast<int>(pair.large) + pair.small + extra + static_cast<int>(threadIdx.x);
}
__global__ void plain() {}

int main() {
  DeviceArray<int> out(4);
  const CUfunction function = driverFunction(combine);
  const CUfunction bare = driverFunction(plain);
  cudaStream_t stream;
  SETUP(cudaStreamCreate(&stream));

  int* pointer = out.data();
  Pair pair = {3, 40.0};
  short extra = 100;
  void* parameters[] = {&pointer, &pair, &extra};
  OBSERVE("parameters", cuLaunchKernel(function, 1, 1, 1, 4, 1, 1, 0, stream, parameters, nullptr));
  OBSERVE("values", joined(out.read()));

  size_t offset = 0;
  size_t size = 0;
  for (size_t i = 0; i < 3; ++i) {
    const std::string name = "parameter_" + std::to_string(i);
    OBSERVE(name, cuFuncGetParamInfo(function, i, &offset, &size));
    OBSERVE(name + "_offset", offset);
    OBSERVE(name + "_size", size);
  }
  OBSERVE("parameter_3", cuFuncGetParamInfo(function, 3, &offset, &size));
  OBSERVE("parameter_null_offset", cuFuncGetParamInfo(function, 0, nullptr, &size));
  OBSERVE("parameter_null_size", cuFuncGetParamInfo(function, 0, &offset, nullptr));

  alignas(16) char buffer[32] = {};
  pair.large = 50.0;
  memcpy(buffer, &pointer, sizeof pointer);
  memcpy(buffer + 8, &pair, sizeof pair);
  memcpy(buffer + 24, &extra, sizeof extra);
  size_t bytes = 26;
  void* extras[] = {CU_LAUNCH_PARAM_BUFFER_POINTER, buffer, CU_LAUNCH_PARAM_BUFFER_SIZE, &bytes,
                    CU_LAUNCH_PARAM_END};
  OBSERVE("extra", cuLaunchKernel(function, 1, 1, 1, 4, 1, 1, 0, stream, nullptr, extras));
  OBSERVE("values_extra", joined(out.read()));
  OBSERVE("both", cuLaunchKernel(function, 1, 1, 1, 4, 1, 1, 0, stream, parameters, extras));
  bytes = 8;
  OBSERVE("extra_too_short", cuLaunchKernel(function, 1, 1, 1, 4, 1, 1, 0, stream, nullptr, extras));
  OBSERVE("without_parameters", cuLaunchKernel(bare, 1, 1, 1, 4, 1, 1, 0, stream, nullptr, nullptr));
  OBSERVE("parameters_missing", cuLaunchKernel(function, 1, 1, 1, 4, 1, 1, 0, stream, nullptr, nullptr));
  OBSERVE("empty_grid", cuLaunchKernel(bare, 0, 1, 1, 1, 1, 1, 0, stream, nullptr, nullptr));
  OBSERVE("empty_block", cuLaunchKernel(bare, 1, 1, 1, 1, 0, 1, 0, stream, nullptr, nullptr));
  OBSERVE("block_of_1025", cuLaunchKernel(bare, 1, 1, 1, 1025, 1, 1, 0, stream, nullptr, nullptr));
  OBSERVE("too_much_shared", cuLaunchKernel(bare, 1, 1, 1, 1, 1, 1, 1 << 30, stream, nullptr, nullptr));

  CUlaunchConfig config = {};
  config.gridDimX = config.gridDimY = config.gridDimZ = 1;
  config.blockDimX = 4;
  config.blockDimY = config.blockDimZ = 1;
  config.hStream = stream;
  pair.large = 60.0;
  OBSERVE("extended", cuLaunchKernelEx(&config, function, parameters, nullptr));
  OBSERVE("values_extended", joined(out.read()));
  CUlaunchAttribute attribute = {};
  attribute.id = CU_LAUNCH_ATTRIBUTE_COOPERATIVE;
  attribute.value.cooperative = 1;
  config.attrs = &attribute;
  config.numAttrs = 1;
  OBSERVE("extended_cooperative", cuLaunchKernelEx(&config, function, parameters, nullptr));
  attribute.id = CU_LAUNCH_ATTRIBUTE_PRIORITY;
  attribute.value.priority = -1;
  OBSERVE("extended_priority", cuLaunchKernelEx(&config, function, parameters, nullptr));
  attribute.id = static_cast<CUlaunchAttributeID>(777);
  OBSERVE("extended_unknown", cuLaunchKernelEx(&config, function, parameters, nullptr));
  config.attrs = nullptr;
  OBSERVE("extended_null_attributes", cuLaunchKernelEx(&config, function, parameters, nullptr));
  OBSERVE("extended_null", cuLaunchKernelEx(nullptr, function, parameters, nullptr));
  OBSERVE("cooperative", cuLaunchCooperativeKernel(function, 1, 1, 1, 4, 1, 1, 0, stream, parameters));
  OBSERVE("finish", cudaStreamSynchronize(stream));
}
