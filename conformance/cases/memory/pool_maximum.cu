// Pools with a maximum: what they refuse, and that memory which was freed in stream order counts no more.
#include "../../framework/observe.h"

CONFORMANCE_CASE("memory.pool_maximum");

static cudaMemPool_t poolOf(size_t mebibytes) {
  cudaMemPoolProps properties = {};
  properties.allocType = cudaMemAllocationTypePinned;
  properties.location.type = cudaMemLocationTypeDevice;
  properties.maxSize = mebibytes << 20;
  cudaMemPool_t pool = nullptr;
  SETUP(cudaMemPoolCreate(&pool, &properties));
  return pool;
}

static cudaError_t take(void*& memory, size_t mebibytes, cudaMemPool_t pool) {
  const cudaError_t error = cudaMallocFromPoolAsync(&memory, mebibytes << 20, pool, nullptr);
  (void)cudaGetLastError();
  return error;
}

int main() {
  for (const size_t maximum : {4, 32, 33, 64, 100}) {
    cudaMemPool_t pool = poolOf(maximum);
    int taken = 0;
    void* memory[40] = {};
    cudaError_t error = cudaSuccess;
    while (taken < 40 && (error = take(memory[taken], 4, pool)) == cudaSuccess) ++taken;
    const std::string name = "of_" + std::to_string(maximum);
    OBSERVE(name + ".times_4", taken);
    OBSERVE(name + ".then", error);
    SETUP(cudaFreeAsync(memory[0], nullptr));
    OBSERVE(name + ".after_a_free", take(memory[0], 4, pool));
    for (int i = 0; i < taken; ++i) SETUP(cudaFreeAsync(memory[i], nullptr));
    SETUP(cudaDeviceSynchronize());
    void* large = nullptr;
    OBSERVE(name + ".larger_than_all", take(large, 200, pool));
    SETUP(cudaMemPoolDestroy(pool));
  }
}
