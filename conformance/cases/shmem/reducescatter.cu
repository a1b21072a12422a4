// Reductions of which each PE gets its part.
// requires: devices>=2
// links: nvshmem
#include "../../framework/pes.h"

CONFORMANCE_CASE("shmem.reducescatter");

#define SCATTERED(name, type, op)                                                              \
  {                                                                                            \
    Symmetric<type> to(3, 0), from(6, 3 + 2 * pe.me(), 5);                                     \
    const int status = nvshmem_##name##_##op##_reducescatter(NVSHMEM_TEAM_WORLD, to, from, 3); \
    pe.observeAll(#op "_" #name, to.readTogether());                                           \
    pe.observe(#op "_" #name "_status", status);                                               \
  }
#define ARITHMETIC(name, type) SCATTERED(name, type, sum) SCATTERED(name, type, max)

__global__ void byBlock(int* to, const int* from, size_t count, int* seen) {
  const int status = nvshmemx_int_sum_reducescatter_block(NVSHMEM_TEAM_WORLD, to, from, count);
  if (threadIdx.x == 0) seen[0] = status;
}

static void look(Pes& pe) {
  ARITHMETIC(int, int)
  ARITHMETIC(float, float)
  ARITHMETIC(double, double)
  ARITHMETIC(int64, int64_t)
  ARITHMETIC(uint8, uint8_t)
  SCATTERED(int, int, prod)
  SCATTERED(int, int, min)
  SCATTERED(uint32, uint32_t, and)
  SCATTERED(uint32, uint32_t, or)
  SCATTERED(uint64, uint64_t, xor)
  cudaStream_t stream = nullptr;
  SETUP(cudaStreamCreate(&stream));
  Symmetric<int> to(1000, -1), from(2000, pe.me(), 1 + pe.me()), seen(1);
  int status = nvshmemx_int_sum_reducescatter_on_stream(NVSHMEM_TEAM_WORLD, to, from, 1000, stream);
  SETUP(cudaStreamSynchronize(stream));
  std::vector<int> values = to.readTogether();
  pe.observe("stream", checksum(values.data(), values.size() * sizeof(int)));
  pe.observe("stream_status", status);
  to.fill(-1, 0);
  launchTogether(byBlock, 1, 64, to, from, size_t{1000}, seen);
  values = to.readTogether();
  pe.observe("block", checksum(values.data(), values.size() * sizeof(int)));
  pe.observe("block_status", seen.read()[0]);
  SETUP(cudaStreamDestroy(stream));
}

int main(int argc, char** argv) { return Pes::run(observedCase, argc, argv, look); }
