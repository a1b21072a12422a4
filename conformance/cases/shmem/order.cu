// What fence, quiet and barriers promise.
// requires: devices>=2
// links: nvshmem
#include "../../framework/pes.h"

CONFORMANCE_CASE("shmem.order");

__global__ void fenced(int* data, int* flag, int* wrong, int other) {
  for (int round = 1; round <= 40; ++round) {
    for (int i = 0; i < 16; ++i) nvshmem_int_put_nbi(data + i, data + 16 + i, 1, other);
    nvshmem_fence();
    nvshmem_int_p(flag, round, other);
    nvshmem_int_wait_until(flag, NVSHMEM_CMP_GE, round);
    for (int i = 0; i < 16; ++i) {
      if (static_cast<volatile int*>(data)[i] != 100 + i) ++*wrong;
    }
    nvshmem_barrier_all();
  }
}
// What was got after a quiet is what was put before it.
__global__ void quieted(int* data, int* wrong, int other) {
  for (int round = 1; round <= 40; ++round) {
    nvshmem_int_p(data, round, other);
    nvshmem_quiet();
    if (nvshmem_int_g(data, other) != round) ++*wrong;
  }
}
__global__ void barriers(int* data, int* wrong, int other) {
  for (int round = 1; round <= 40; ++round) {
    if (threadIdx.x < 8) nvshmem_int_p(data + threadIdx.x, round * 8 + static_cast<int>(threadIdx.x), other);
    nvshmemx_barrier_all_block();
    if (threadIdx.x < 8 &&
        static_cast<volatile int*>(data)[threadIdx.x] != round * 8 + static_cast<int>(threadIdx.x))
      atomicAdd(wrong, 1);
    nvshmemx_sync_all_block();
  }
}
__global__ void added(long* sum, int other) {
  nvshmem_long_atomic_add(sum, static_cast<long>(threadIdx.x), other);
  nvshmem_quiet();
}

static void look(Pes& pe) {
  Symmetric<int> data(32, 84, 1), flag(1), wrong(1);
  pe.observe("fenced_launch", launchTogether(fenced, 1, 1, data, flag, wrong, pe.other()));
  pe.observe("fenced", wrong.readTogether()[0]);
  wrong.fill(0, 0);
  launchTogether(quieted, 1, 1, data, wrong, pe.other());
  pe.observe("quieted", wrong.readTogether()[0]);
  wrong.fill(0, 0);
  launchTogether(barriers, 1, 64, data, wrong, pe.other());
  pe.observe("barriers", wrong.readTogether()[0]);
  Symmetric<long> sum(1);
  added<<<4, 100>>>(sum, pe.other());
  SETUP(cudaDeviceSynchronize());
  pe.observe("added", sum.readTogether()[0]);
  // Hosts: 30 rounds of put, barrier, look.
  int bad = 0;
  for (int round = 1; round <= 30; ++round) {
    nvshmem_int_p(data, round, pe.other());
    nvshmem_barrier_all();
    bad += data.read()[0] != round;
    nvshmem_barrier_all();
  }
  pe.observe("hosts", bad);
}

int main(int argc, char** argv) { return Pes::run(observedCase, argc, argv, look); }
