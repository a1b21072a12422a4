// Allocation in stream order.
#include "../../framework/gate.h"

CONFORMANCE_CASE("memory.stream_ordered");

int main() {
  cudaStream_t stream;
  SETUP(cudaStreamCreate(&stream));
  int* value = nullptr;
  OBSERVE("allocate", cudaMallocAsync(reinterpret_cast<void**>(&value), sizeof(int), stream));
  storeValue<<<1, 1, 0, stream>>>(value, 321);
  int read = 0;
  OBSERVE("copy", cudaMemcpyAsync(&read, value, sizeof read, cudaMemcpyDeviceToHost, stream));
  OBSERVE("free", cudaFreeAsync(value, stream));
  OBSERVE("synchronise", cudaStreamSynchronize(stream));
  OBSERVE("value", read);
  OBSERVE("null_result_pointer", cudaMallocAsync(static_cast<void**>(nullptr), 16, stream));
  OBSERVE("free_null", cudaFreeAsync(nullptr, stream));
  OBSERVE("zero_bytes", cudaMallocAsync(reinterpret_cast<void**>(&value), 0, stream));
  OBSERVE("too_much", cudaMallocAsync(reinterpret_cast<void**>(&value), size_t{1} << 46, stream));
  SETUP(cudaStreamDestroy(stream));
}
