// Launches of CUDA before version 4: a function keeps block, shared memory and parameters.
// links: driver
#include "../../framework/buffers.h"
#include "../../framework/observe_driver.h"

CONFORMANCE_CASE("execution.old_launch");

__global__ void fill(int* out, int first, float step) {
  const int i = (blockIdx.y * gridDim.x + blockIdx.x) * blockDim.x * blockDim.y + threadIdx.y * blockDim.x +
                threadIdx.x;
  if (i < 16) out[i] = first + static_cast<int>(step * i);
}
__global__ void plain() {}
__global__ void dynamic(int* out) {
  extern __shared__ int scratch[];
  scratch[threadIdx.x] = static_cast<int>(threadIdx.x);
  __syncthreads();
  out[threadIdx.x] = scratch[blockDim.x - 1 - threadIdx.x];
}

int main() {
  useFirstDevice();
  DeviceArray<int> out(16);
  const CUfunction function = driverFunction(fill);
  const CUfunction other = driverFunction(dynamic);
  const CUfunction bare = driverFunction(plain);
  int* pointer = out.data();

  OBSERVE("launch_before_all", cuLaunch(bare));
  OBSERVE("grid_before_all", cuLaunchGrid(bare, 1, 1));

  OBSERVE("block", cuFuncSetBlockShape(function, 2, 2, 1));
  OBSERVE("block_zero", cuFuncSetBlockShape(function, 0, 1, 1));
  OBSERVE("block_negative", cuFuncSetBlockShape(function, -1, 1, 1));
  OBSERVE("block_too_large", cuFuncSetBlockShape(function, 1025, 1, 1));
  OBSERVE("block_too_many_threads", cuFuncSetBlockShape(function, 64, 32, 1));
  int deepest = 0;
  SETUP(cuDeviceGetAttribute(&deepest, CU_DEVICE_ATTRIBUTE_MAX_BLOCK_DIM_Z, 0));
  OBSERVE("block_too_deep", cuFuncSetBlockShape(function, 1, 1, deepest + 1));
  OBSERVE("block_null", cuFuncSetBlockShape(nullptr, 1, 1, 1));
  SETUP(cuFuncSetBlockShape(function, 2, 2, 1));

  OBSERVE("pointer", cuParamSetv(function, 0, &pointer, sizeof pointer));
  OBSERVE("int", cuParamSeti(function, 8, 100));
  OBSERVE("float", cuParamSetf(function, 12, 2.0f));
  OBSERVE("size", cuParamSetSize(function, 16));
  OBSERVE("grid", cuLaunchGrid(function, 2, 2));
  OBSERVE("values", joined(out.read()));
  SETUP(cuParamSeti(function, 8, 7));
  OBSERVE("launch", cuLaunch(function));
  OBSERVE("values_of_one_block", joined(out.read()));

  OBSERVE("size_too_small", cuParamSetSize(function, 8));
  OBSERVE("size_zero", cuParamSetSize(function, 0));
  OBSERVE("size_too_large", cuParamSetSize(function, 5000));
  OBSERVE("size_null", cuParamSetSize(nullptr, 8));
  SETUP(cuParamSetSize(function, 16));
  OBSERVE("int_unaligned", cuParamSeti(function, 9, 1));
  OBSERVE("int_behind_size", cuParamSeti(function, 16, 1));
  OBSERVE("float_behind_size", cuParamSetf(function, 16, 1));
  OBSERVE("bytes_none", cuParamSetv(function, 0, &pointer, 0));
  OBSERVE("int_null", cuParamSeti(nullptr, 0, 1));

  SETUP(cuParamSetSize(function, 16));
  SETUP(cuParamSetv(function, 0, &pointer, sizeof pointer));
  SETUP(cuParamSeti(function, 8, 1));
  SETUP(cuParamSetf(function, 12, 1.0f));
  OBSERVE("grid_zero", cuLaunchGrid(function, 0, 1));
  OBSERVE("grid_negative", cuLaunchGrid(function, -1, 1));
  OBSERVE("launch_null", cuLaunch(nullptr));
  CUstream stream = nullptr;
  SETUP(cuStreamCreate(&stream, CU_STREAM_NON_BLOCKING));
  OBSERVE("grid_on_stream", cuLaunchGridAsync(function, 4, 1, stream));
  OBSERVE("synchronize", cuStreamSynchronize(stream));
  OBSERVE("values_on_stream", joined(out.read()));

  OBSERVE("shared", cuFuncSetSharedSize(other, 16 * sizeof(int)));
  OBSERVE("shared_too_large", cuFuncSetSharedSize(other, 1u << 20));
  OBSERVE("shared_null", cuFuncSetSharedSize(nullptr, 16));
  SETUP(cuFuncSetSharedSize(other, 16 * sizeof(int)));
  SETUP(cuFuncSetBlockShape(other, 16, 1, 1));
  SETUP(cuParamSetSize(other, 8));
  SETUP(cuParamSetv(other, 0, &pointer, sizeof pointer));
  OBSERVE("launch_shared", cuLaunch(other));
  OBSERVE("values_shared", joined(out.read()));
  // What an old launch keeps does not matter to a new one.
  int first = 3;
  float step = 0;
  void* parameters[] = {&pointer, &first, &step};
  OBSERVE("new_launch", cuLaunchKernel(function, 1, 1, 1, 16, 1, 1, 0, nullptr, parameters, nullptr));
  OBSERVE("values_new_launch", joined(out.read()));

  // While a stream captures.
  CUgraph graph = nullptr;
  size_t nodes = 0;
  SETUP(cuStreamBeginCapture(stream, CU_STREAM_CAPTURE_MODE_RELAXED));
  OBSERVE("captured", cuLaunchGridAsync(function, 1, 1, stream));
  OBSERVE("end_capture", cuStreamEndCapture(stream, &graph));
  if (graph) {
    SETUP(cuGraphGetNodes(graph, nullptr, &nodes));
    OBSERVE("captured_nodes", nodes);
  }
  return 0;
}
