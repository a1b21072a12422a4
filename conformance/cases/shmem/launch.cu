// Launches of kernels that wait for each other's.
// requires: devices>=2
// links: nvshmem
#include "../../framework/pes.h"

CONFORMANCE_CASE("shmem.launch");

__global__ void add(int* counter, int other) {
  if (threadIdx.x == 0) nvshmem_int_atomic_inc(counter, other);
  if (blockIdx.x == 0) {
    if (threadIdx.x == 0) nvshmem_int_wait_until(counter, NVSHMEM_CMP_EQ, static_cast<int>(gridDim.x));
    nvshmemx_barrier_all_block();
  }
}
// A number goes round, each PE adds one.
__global__ void ring(int* token, int turns) {
  const int me = nvshmem_my_pe(), next = (me + 1) % nvshmem_n_pes();
  for (int turn = 0; turn < turns; ++turn) {
    if (turn > 0 || me != 0) {
      const int due = turn * nvshmem_n_pes() + me;
      nvshmem_int_wait_until(token, NVSHMEM_CMP_EQ, due);
    }
    nvshmem_int_p(token, turn * nvshmem_n_pes() + me + 1, next);
  }
}

static void look(Pes& pe) {
  Symmetric<int> counter(1);
  pe.observe("status", launchTogether(add, 8, 64, counter, pe.other()));
  pe.observe("counter", counter.readTogether()[0]);
  Symmetric<int> token(1);
  pe.observe("ring_status", launchTogether(ring, 1, 1, token, 25));
  pe.observe("token", token.readTogether()[0]);
  int blocks = -1;
  void* arguments[] = {nullptr};
  pe.observe("query", nvshmemx_collective_launch_query_gridsize(reinterpret_cast<const void*>(ring), dim3(32),
                                                                arguments, 0, &blocks));
  pe.observe("query_positive", blocks > 0);
  int processors = 0, each = 0, device = 0;
  SETUP(cudaGetDevice(&device));
  SETUP(cudaDeviceGetAttribute(&processors, cudaDevAttrMultiProcessorCount, device));
  SETUP(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&each, ring, 32, 0));
  pe.observe("query_is_occupancy", blocks == processors * each);
  pe.observe("too_large", launchTogether(ring, blocks + 1, 32, token, 0) != 0);
  pe.observe("left_error", cudaGetLastError());
}

int main(int argc, char** argv) { return Pes::run(observedCase, argc, argv, look); }
