// Broadcast, fcollect, alltoall and barriers: from the host, on streams, in kernels by each scope.
// requires: devices>=2
// links: nvshmem
#include "../../framework/pes.h"

CONFORMANCE_CASE("shmem.collectives");

__global__ void byThread(int* to, const int* from, int count, int* seen) {
  seen[0] = nvshmem_int_broadcast(NVSHMEM_TEAM_WORLD, to, from, count, 1);
  seen[1] = nvshmem_int_fcollect(NVSHMEM_TEAM_WORLD, to + count, from, count);
  seen[2] = nvshmem_int_alltoall(NVSHMEM_TEAM_WORLD, to + 3 * count, from, count);
  seen[3] = nvshmem_barrier(NVSHMEM_TEAM_WORLD);
  seen[4] = nvshmem_team_sync(NVSHMEM_TEAM_WORLD);
  nvshmem_barrier_all();
  nvshmem_sync_all();
}
__global__ void byWarp(int* to, const int* from, int count, int* seen) {
  const int status[] = {nvshmemx_int_broadcast_warp(NVSHMEM_TEAM_WORLD, to, from, count, 1),
                        nvshmemx_int_fcollect_warp(NVSHMEM_TEAM_WORLD, to + count, from, count),
                        nvshmemx_int_alltoall_warp(NVSHMEM_TEAM_WORLD, to + 3 * count, from, count),
                        nvshmemx_barrier_warp(NVSHMEM_TEAM_WORLD),
                        nvshmemx_team_sync_warp(NVSHMEM_TEAM_WORLD)};
  nvshmemx_barrier_all_warp();
  nvshmemx_sync_all_warp();
  if (threadIdx.x == 0) {
    for (int i = 0; i < 5; ++i) seen[i] = status[i];
  }
}
__global__ void byBlock(int* to, const int* from, int count, int* seen) {
  const int status[] = {nvshmemx_int_broadcast_block(NVSHMEM_TEAM_WORLD, to, from, count, 1),
                        nvshmemx_int_fcollect_block(NVSHMEM_TEAM_WORLD, to + count, from, count),
                        nvshmemx_int_alltoall_block(NVSHMEM_TEAM_WORLD, to + 3 * count, from, count),
                        nvshmemx_barrier_block(NVSHMEM_TEAM_WORLD),
                        nvshmemx_team_sync_block(NVSHMEM_TEAM_WORLD)};
  nvshmemx_barrier_all_block();
  nvshmemx_sync_all_block();
  if (threadIdx.x == 0) {
    for (int i = 0; i < 5; ++i) seen[i] = status[i];
  }
}

static void show(Pes& pe, const std::string& key, const Symmetric<int>& to, const std::vector<int>& seen) {
  const std::vector<int> values = to.readTogether();
  if (values.size() <= 20) {
    pe.observeAll(key, values);
  } else {
    pe.observe(key, checksum(values.data(), values.size() * sizeof(int)));
  }
  pe.observeAll(key + "_status", seen);
}

static void look(Pes& pe) {
  cudaStream_t stream = nullptr;
  SETUP(cudaStreamCreate(&stream));
  Symmetric<int> seen(5);
  for (const int count : {1, 3, 5000}) {
    const std::string suffix = "_" + std::to_string(count);
    const size_t size = static_cast<size_t>(count);
    Symmetric<int> to(5 * size, -1), from(2 * size, 100000 * (pe.me() + 1), 1);
    std::vector<int> status = {nvshmem_int_broadcast(NVSHMEM_TEAM_WORLD, to, from, size, 1),
                               nvshmem_int_fcollect(NVSHMEM_TEAM_WORLD, to + count, from, size),
                               nvshmem_int_alltoall(NVSHMEM_TEAM_WORLD, to + 3 * count, from, size),
                               nvshmem_barrier(NVSHMEM_TEAM_WORLD), nvshmem_team_sync(NVSHMEM_TEAM_WORLD)};
    show(pe, "host" + suffix, to, status);
    to.fill(-1, 0);
    status = {nvshmemx_int_broadcast_on_stream(NVSHMEM_TEAM_WORLD, to, from, size, 0, stream),
              nvshmemx_int_fcollect_on_stream(NVSHMEM_TEAM_WORLD, to + count, from, size, stream),
              nvshmemx_int_alltoall_on_stream(NVSHMEM_TEAM_WORLD, to + 3 * count, from, size, stream)};
    SETUP(cudaStreamSynchronize(stream));
    show(pe, "stream" + suffix, to, status);
    to.fill(-1, 0);
    launchTogether(byThread, 1, 1, to, from, count, seen);
    show(pe, "thread" + suffix, to, seen.read());
    to.fill(-1, 0);
    launchTogether(byWarp, 1, 32, to, from, count, seen);
    show(pe, "warp" + suffix, to, seen.read());
    to.fill(-1, 0);
    launchTogether(byBlock, 1, 96, to, from, count, seen);
    show(pe, "block" + suffix, to, seen.read());
  }
  Symmetric<int> to(8, -1), from(8, 10 * (pe.me() + 1), 1);
  std::vector<int> status = {nvshmem_broadcastmem(NVSHMEM_TEAM_WORLD, to, from, 8, 0),
                             nvshmem_fcollectmem(NVSHMEM_TEAM_WORLD, to + 2, from, 8),
                             nvshmem_alltoallmem(NVSHMEM_TEAM_WORLD, to + 6, from, 4)};
  show(pe, "mem", to, status);
  to.fill(-1, 0);
  status = {nvshmem_int_broadcast(NVSHMEM_TEAM_WORLD, to, from, 0, 0),
            nvshmem_int_fcollect(NVSHMEM_TEAM_WORLD, to, from, 0),
            nvshmem_int_alltoall(NVSHMEM_TEAM_WORLD, to, from, 0)};
  show(pe, "no_elements", to, status);
  nvshmem_team_t team = NVSHMEM_TEAM_INVALID;
  nvshmem_team_split_strided(NVSHMEM_TEAM_WORLD, 0, 1, 2, nullptr, 0, &team);
  to.fill(-1, 0);
  status = {nvshmem_int_broadcast(team, to, from, 2, 1), nvshmem_int_fcollect(team, to + 2, from, 2)};
  show(pe, "own_team", to, status);
  nvshmem_team_destroy(team);
  SETUP(cudaStreamDestroy(stream));
}

int main(int argc, char** argv) { return Pes::run(observedCase, argc, argv, look); }
