// Managed memory: both sides use one pointer.
#include "../../framework/observe.h"

CONFORMANCE_CASE("managed.allocation");

__global__ void square(int* values) { values[threadIdx.x] *= values[threadIdx.x]; }

int main() {
  int* values = nullptr;
  OBSERVE("allocate", cudaMallocManaged(reinterpret_cast<void**>(&values), 64 * sizeof(int)));
  for (int i = 0; i < 64; ++i) values[i] = i;
  square<<<1, 64>>>(values);
  OBSERVE("synchronise", cudaDeviceSynchronize());
  int sum = 0;
  for (int i = 0; i < 64; ++i) sum += values[i];
  OBSERVE("sum", sum);
  OBSERVE("fill", cudaMemset(values, 1, 4 * sizeof(int)));
  OBSERVE("fill_synchronise", cudaDeviceSynchronize());
  OBSERVE("filled", values[3]);
  int copy = 0;
  OBSERVE("copy_default", cudaMemcpy(&copy, values + 10, sizeof copy, cudaMemcpyDefault));
  OBSERVE("copied", copy);
  OBSERVE("copy_as_host", cudaMemcpy(values, &copy, sizeof copy, cudaMemcpyHostToHost));
  OBSERVE("free", cudaFree(values));
  OBSERVE("zero_bytes", cudaMallocManaged(reinterpret_cast<void**>(&values), 0));
  OBSERVE("no_flags", cudaMallocManaged(reinterpret_cast<void**>(&values), 16, 0));
  OBSERVE("unknown_flags", cudaMallocManaged(reinterpret_cast<void**>(&values), 16, 0x40));
  OBSERVE("null", cudaMallocManaged(static_cast<void**>(nullptr), 16));
  OBSERVE("attach_host", cudaMallocManaged(reinterpret_cast<void**>(&values), 16, cudaMemAttachHost));
}
