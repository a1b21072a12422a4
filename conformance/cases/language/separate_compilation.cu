// Device code of one program in two sources: functions, variables, constants, pointers and virtual calls
// across them, and names that each has for itself.
// options: rdc
// parts: separate_twin.cu
#include "../../framework/buffers.h"
#include "parts/separate.h"

CONFORMANCE_CASE("language.separate_compilation");

__device__ int counter = 5;
__constant__ int factors[4] = {2, 3, 5, 7};
__device__ Operation operations[2];

// Each source has its own.
static __device__ int hidden = 100;
static __device__ __noinline__ int whoAmI() { return hidden + 1; }

template <class T>
__device__ T shared(T value) {
  __shared__ T kept;
  if (threadIdx.x == 0) kept = value;
  __syncthreads();
  return kept;
}

__global__ void calls(int* out) {
  const int me = static_cast<int>(threadIdx.x);
  out[me * 8 + 0] = addInTwin(me, 1000);
  out[me * 8 + 1] = whoAmI();
  out[me * 8 + 2] = whoIsTwin();
  out[me * 8 + 3] = sumAcrossBarrier(me);
  out[me * 8 + 4] = twinTable[me % 4];
  out[me * 8 + 5] = operations[me % 2] != nullptr ? operations[me % 2](me, 10) : -1;
  out[me * 8 + 6] = shared(me + 3);
  out[me * 8 + 7] = atomicAdd(&twinCounter, 0);
}

__global__ void useShape(Shape** shape, int* out) {
  out[0] = (*shape)->area();
  out[1] = (*shape)->sides();
}

__global__ void fillOperations() {
  operations[0] = twinOperation;
  operations[1] = addInTwin;
}

__global__ void setHidden(int value) { hidden = value; }
__global__ void readHidden(int* out) { out[0] = hidden; }

int main() {
  DeviceArray<int> out(32 * 8);
  fillOperations<<<1, 1>>>();
  calls<<<1, 32>>>(out.data());
  OBSERVE("calls", joined(out.read()));

  // The host's view of variables that the other source defines, and of its own.
  int value = 0;
  OBSERVE("copy_from_twins_variable", cudaMemcpyFromSymbol(&value, twinCounter, sizeof value));
  OBSERVE("twins_variable", value);
  value = 77;
  OBSERVE("copy_to_twins_variable", cudaMemcpyToSymbol(twinCounter, &value, sizeof value));
  OBSERVE("twin_reads_it", readTwinCounter());
  OBSERVE("twin_counts_ours", countOurs(6));
  OBSERVE("copy_from_ours", cudaMemcpyFromSymbol(&value, counter, sizeof value));
  OBSERVE("ours", value);
  const int newFactors[4] = {1, 1, 2, 2};
  OBSERVE("copy_to_constant", cudaMemcpyToSymbol(factors, newFactors, sizeof newFactors));
  OBSERVE("twin_multiplies", multiplyByOurFactors(10));
  size_t bytes = 0;
  OBSERVE("size_of_twins_table", cudaGetSymbolSize(&bytes, twinTable));
  OBSERVE("bytes_of_twins_table", bytes);

  // The same name, twice.
  DeviceArray<int> one(2);
  setHidden<<<1, 1>>>(500);
  readHidden<<<1, 1>>>(one.data());
  OBSERVE("own_hidden", one.read()[0]);
  OBSERVE("twins_hidden", readTwinHidden());

  // An object made by the twin's kernel.
  DeviceArray<Shape*> shape(1);
  OBSERVE("make_shape", makeShape(shape.data()));
  useShape<<<1, 1>>>(shape.data(), one.data());
  OBSERVE("virtual_calls", joined(one.read()));

  cudaFuncAttributes attributes;
  OBSERVE("attributes_of_twins_kernel", cudaFuncGetAttributes(&attributes, twinKernel()));
  OBSERVE("max_threads_of_twins_kernel", attributes.maxThreadsPerBlock);
}
