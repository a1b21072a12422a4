// The symmetric heap: what its calls give.
// requires: devices>=2
// links: nvshmem
#include "../../framework/pes.h"

CONFORMANCE_CASE("shmem.memory");

__global__ void where(const int* symmetric, const int* own, int other, int* seen) {
  seen[0] = nvshmem_ptr(symmetric, nvshmem_my_pe()) == symmetric;
  seen[1] = nvshmem_ptr(symmetric, other) != nullptr;
  seen[2] = nvshmem_ptr(own, other) == nullptr;
  seen[3] = nvshmem_ptr(own, nvshmem_my_pe()) == nullptr;
}

static void look(Pes& pe) {
  pe.observe("malloc_0_is_null", nvshmem_malloc(0) == nullptr);
  pe.observe("calloc_0_is_null", nvshmem_calloc(0, 4) == nullptr);
  pe.observe("calloc_of_0_is_null", nvshmem_calloc(4, 0) == nullptr);
  pe.observe("align_of_0_is_null", nvshmem_align(64, 0) == nullptr);
  nvshmem_free(nullptr);
  int* const zeros = static_cast<int*>(nvshmem_calloc(1000, sizeof(int)));
  std::vector<int> values(1000, 7);
  SETUP(cudaMemcpy(values.data(), zeros, 4000, cudaMemcpyDeviceToHost));
  int others = 0;
  for (const int value : values) others += value != 0;
  pe.observe("calloc_not_zero", others);
  for (const size_t alignment : {size_t(1) << 3, size_t(1) << 8, size_t(1) << 12, size_t(1) << 16}) {
    void* const place = nvshmem_align(alignment, 100);
    pe.observe("align_" + std::to_string(alignment),
               place != nullptr && reinterpret_cast<uintptr_t>(place) % alignment == 0);
    nvshmem_free(place);
  }
  void* const odd = nvshmem_malloc(1);
  void* const next = nvshmem_malloc(3);
  pe.observe("malloc_1", odd != nullptr);
  pe.observe("differ", odd != next);
  pe.observe("malloc_aligned_16",
             reinterpret_cast<uintptr_t>(odd) % 16 == 0 && reinterpret_cast<uintptr_t>(next) % 16 == 0);
  nvshmem_free(odd);
  nvshmem_free(next);

  pe.observe("ptr_own_is_same", nvshmem_ptr(zeros, pe.me()) == zeros);
  pe.observe("ptr_other_is_there", nvshmem_ptr(zeros, pe.other()) != nullptr);
  pe.observe("ptr_inside", static_cast<char*>(nvshmem_ptr(zeros + 5, pe.other())) -
                               static_cast<char*>(nvshmem_ptr(zeros, pe.other())));
  int* device = nullptr;
  SETUP(cudaMalloc(&device, 64));
  pe.observe("ptr_of_other_memory_is_null", nvshmem_ptr(device, pe.other()) == nullptr);
  int onStack = 0;
  pe.observe("ptr_of_host_memory_is_null", nvshmem_ptr(&onStack, pe.other()) == nullptr);
  Symmetric<int> seen(4);
  where<<<1, 1>>>(zeros, device, pe.other(), seen);
  pe.observeAll("kernel_ptr", seen.read());
  cudaPointerAttributes attributes = {};
  SETUP(cudaPointerGetAttributes(&attributes, zeros));
  pe.observe("is_device_memory", attributes.type == cudaMemoryTypeDevice);
  pe.observe("device", attributes.device);
  // By a copy of the runtime's through the other's pointer, where there is one.
  const int mine = 40 + pe.me();
  if (void* const there = nvshmem_ptr(zeros, pe.other())) {
    SETUP(cudaMemcpy(there, &mine, sizeof mine, cudaMemcpyHostToDevice));
  } else {
    nvshmem_int_p(zeros, mine, pe.other());
  }
  nvshmem_barrier_all();
  int got = 0;
  SETUP(cudaMemcpy(&got, zeros, sizeof got, cudaMemcpyDeviceToHost));
  pe.observe("copied_by_pointer", got);
  nvshmem_free(zeros);
  cudaFree(device);
}

int main(int argc, char** argv) { return Pes::run(observedCase, argc, argv, look); }
