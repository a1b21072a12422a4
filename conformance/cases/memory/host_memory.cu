// Page-locked and mapped host memory.
#include "../../framework/observe.h"

CONFORMANCE_CASE("memory.host_memory");

__global__ void increment(int* values, int count) {
  if (threadIdx.x < count) values[threadIdx.x] += 100;
}

int main() {
  int* host = nullptr;
  OBSERVE("allocate", cudaMallocHost(reinterpret_cast<void**>(&host), 64 * sizeof(int)));
  OBSERVE("allocate_null", cudaMallocHost(static_cast<void**>(nullptr), 64));
  OBSERVE("free", cudaFreeHost(host));
  OBSERVE("free_null", cudaFreeHost(nullptr));
  int onStack = 0;
  OBSERVE("free_not_ours", cudaFreeHost(&onStack));

  int* mapped = nullptr;
  int* device = nullptr;
  OBSERVE("mapped", cudaHostAlloc(reinterpret_cast<void**>(&mapped), 64 * sizeof(int), cudaHostAllocMapped));
  OBSERVE("unknown_flags", cudaHostAlloc(reinterpret_cast<void**>(&host), 64, 0x100));
  OBSERVE("device_pointer", cudaHostGetDevicePointer(reinterpret_cast<void**>(&device), mapped, 0));
  OBSERVE("device_pointer_flags", cudaHostGetDevicePointer(reinterpret_cast<void**>(&host), mapped, 1));
  OBSERVE("device_pointer_of_stack", cudaHostGetDevicePointer(reinterpret_cast<void**>(&host), &onStack, 0));
  for (int i = 0; i < 64; ++i) mapped[i] = i;
  increment<<<1, 64>>>(device, 64);
  SETUP(cudaDeviceSynchronize());
  OBSERVE("kernel_wrote_host", mapped[0] + mapped[63]);
  unsigned flags = 0;
  OBSERVE("flags", cudaHostGetFlags(&flags, mapped));
  OBSERVE("flags_have_mapped", (flags & cudaHostAllocMapped) != 0);
  OBSERVE("flags_of_stack", cudaHostGetFlags(&flags, &onStack));
  SETUP(cudaFreeHost(mapped));

  const size_t bytes = 1 << 16;
  void* plain = aligned_alloc(4096, bytes);
  OBSERVE("register", cudaHostRegister(plain, bytes, cudaHostRegisterDefault));
  OBSERVE("register_twice", cudaHostRegister(plain, bytes, cudaHostRegisterDefault));
  OBSERVE("unregister", cudaHostUnregister(plain));
  OBSERVE("unregister_twice", cudaHostUnregister(plain));
  OBSERVE("register_null", cudaHostRegister(nullptr, bytes, cudaHostRegisterDefault));
  OBSERVE("register_nothing", cudaHostRegister(plain, 0, cudaHostRegisterDefault));
  free(plain);
}
