// Puts and gets inside kernels: by a thread, a warp, a block.
// requires: devices>=2
// links: nvshmem
#include "../../framework/pes.h"

CONFORMANCE_CASE("shmem.device_rma");

__global__ void byThread(int* to, const int* from, int other) {
  nvshmem_int_p(to, 5, other);
  nvshmem_int_put(to + 1, from + 1, 3, other);
  nvshmem_putmem(to + 4, from + 4, 4, other);
  nvshmem_put32(to + 5, from + 5, 1, other);
  nvshmem_put64(to + 6, from + 6, 1, other);
  nvshmem_put128_nbi(to + 8, from + 8, 1, other);
  nvshmem_iput32(to + 12, from + 12, 2, 1, 2, other);
  nvshmem_quiet();
}
__global__ void byThreadGet(int* to, const int* from, int other) {
  to[0] = nvshmem_int_g(from + 7, other);
  nvshmem_int_get(to + 1, from + 1, 3, other);
  nvshmem_getmem(to + 4, from + 4, 4, other);
  nvshmem_get64(to + 6, from + 6, 1, other);
  nvshmem_get128_nbi(to + 8, from + 8, 1, other);
  nvshmem_int_iget(to + 12, from, 1, 3, 4, other);
  nvshmem_quiet();
}
__global__ void byWarp(int* to, const int* from, int count, int other) {
  nvshmemx_int_put_warp(to, from, count, other);
  nvshmemx_int_get_warp(to + count, from + 1, count, other);
  nvshmemx_putmem_nbi_warp(to + 2 * count, from + 2, 4, other);
  nvshmemx_put64_warp(to + 2 * count + 2, from + 2, 1, other);
  if (threadIdx.x == 0) nvshmem_quiet();
}
__global__ void byBlock(int* to, const int* from, int count, int other) {
  nvshmemx_int_put_block(to, from, count, other);
  nvshmemx_int_get_block(to + count, from + 1, count, other);
  nvshmemx_putmem_nbi_block(to + 2 * count, from + 2, 4, other);
  nvshmemx_get128_block(to + 2 * count + 4, from + 4, 1, other);
  nvshmemx_int_iput_block(to + 2 * count + 8, from, 2, 3, 3, other);
  if (threadIdx.x == 0) nvshmem_quiet();
}
__global__ void everyThread(int* to, const int* from, int other) {
  const int i = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
  nvshmem_int_put_nbi(to + i, from + i, 1, other);
  nvshmem_quiet();
}
__global__ void pEveryThread(int* to, int other) {
  const int i = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
  nvshmem_int_p(to + i, 3 * i + nvshmem_my_pe(), other);
}
__global__ void nothing(int* to, const int* from, int other) {
  nvshmem_int_put(to, from, 0, other);
  nvshmem_int_get(to, from, 0, other);
  nvshmem_int_iput(to, from, 1, 1, 0, other);
  nvshmem_fence();
  nvshmem_quiet();
}

static void look(Pes& pe) {
  const int me = pe.me(), other = pe.other();
  Symmetric<int> to(16, -1), from(16, 100 * me, 1);
  byThread<<<1, 1>>>(to, from, other);
  SETUP(cudaDeviceSynchronize());
  pe.observeAll("thread_put", to.readTogether());
  to.fill(-1, 0);
  byThreadGet<<<1, 1>>>(to, from, other);
  pe.observeAll("thread_get", to.readTogether());
  to.fill(-1, 0);
  nothing<<<1, 1>>>(to, from, other);
  pe.observeAll("nothing", to.readTogether());
  byThread<<<1, 1>>>(to, from, me);
  pe.observeAll("thread_put_own", to.readTogether());
  Symmetric<int> wide(2200, -1), source(2200, 10000 * me, 1);
  for (const int count : {1, 31, 33, 1000}) {
    wide.fill(-1, 0);
    byWarp<<<1, 32>>>(wide, source, count, other);
    std::vector<int> seen = wide.readTogether();
    pe.observe("warp_" + std::to_string(count), checksum(seen.data(), seen.size() * sizeof(int)));
    for (const int threads : {32, 100, 256}) {
      wide.fill(-1, 0);
      byBlock<<<1, threads>>>(wide, source, count, other);
      seen = wide.readTogether();
      pe.observe("block_" + std::to_string(count) + "_by_" + std::to_string(threads),
                 checksum(seen.data(), seen.size() * sizeof(int)));
    }
  }
  wide.fill(-1, 0);
  everyThread<<<8, 128>>>(wide, source, other);
  std::vector<int> seen = wide.readTogether();
  pe.observe("every_thread", checksum(seen.data(), seen.size() * sizeof(int)));
  wide.fill(-1, 0);
  pEveryThread<<<8, 128>>>(wide, other);
  seen = wide.readTogether();
  pe.observe("p_every_thread", checksum(seen.data(), seen.size() * sizeof(int)));
}

int main(int argc, char** argv) { return Pes::run(observedCase, argc, argv, look); }
