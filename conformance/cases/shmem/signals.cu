// Puts with signals, and signals alone, inside kernels.
// requires: devices>=2
// links: nvshmem
#include "../../framework/pes.h"

CONFORMANCE_CASE("shmem.signals");

__global__ void byThread(int* to, const int* from, uint64_t* flags, uint64_t* seen, int other) {
  nvshmem_int_put_signal(to, from, 3, flags, 5, NVSHMEM_SIGNAL_SET, other);
  seen[0] = nvshmem_signal_wait_until(flags, NVSHMEM_CMP_EQ, 5);
  nvshmem_int_put_signal_nbi(to + 3, from + 3, 3, flags + 1, 7, NVSHMEM_SIGNAL_ADD, other);
  seen[1] = nvshmem_signal_wait_until(flags + 1, NVSHMEM_CMP_GE, 7);
  nvshmem_barrier_all();  // both have seen it
  nvshmem_putmem_signal(to + 6, from + 6, 8, flags + 1, 3, NVSHMEM_SIGNAL_ADD, other);
  seen[2] = nvshmem_signal_wait_until(flags + 1, NVSHMEM_CMP_GT, 7);
  nvshmem_put64_signal(to + 8, from + 8, 1, flags + 2, 9, NVSHMEM_SIGNAL_SET, other);
  seen[3] = nvshmem_signal_wait_until(flags + 2, NVSHMEM_CMP_NE, 0);
  nvshmemx_signal_op(flags + 3, 11, NVSHMEM_SIGNAL_SET, other);
  seen[4] = nvshmem_signal_wait_until(flags + 3, NVSHMEM_CMP_EQ, 11);
  nvshmem_barrier_all();
  nvshmemx_signal_op(flags + 3, 4, NVSHMEM_SIGNAL_ADD, other);
  seen[5] = nvshmem_signal_wait_until(flags + 3, NVSHMEM_CMP_GT, 11);
  nvshmem_int_put_signal(to, from, 0, flags + 4, 1, NVSHMEM_SIGNAL_ADD, other);
  seen[6] = nvshmem_signal_wait_until(flags + 4, NVSHMEM_CMP_GE, 1);
  seen[7] = nvshmem_signal_fetch(flags + 3);
}
__global__ void byWarp(int* to, const int* from, uint64_t* flags, uint64_t* seen, int other) {
  nvshmemx_int_put_signal_warp(to, from, 500, flags, 1, NVSHMEM_SIGNAL_ADD, other);
  nvshmemx_putmem_signal_nbi_warp(to + 500, from + 500, 2000, flags, 1, NVSHMEM_SIGNAL_ADD, other);
  if (threadIdx.x == 0) seen[0] = nvshmem_signal_wait_until(flags, NVSHMEM_CMP_GE, 2);
}
__global__ void byBlock(int* to, const int* from, uint64_t* flags, uint64_t* seen, int other) {
  nvshmemx_int_put_signal_block(to, from, 500, flags, 1, NVSHMEM_SIGNAL_ADD, other);
  nvshmemx_int_put_signal_nbi_block(to + 500, from + 500, 500, flags, 1, NVSHMEM_SIGNAL_ADD, other);
  if (threadIdx.x == 0) seen[0] = nvshmem_signal_wait_until(flags, NVSHMEM_CMP_GE, 2);
}
// What was put before a signal is there when the signal is.
__global__ void rounds(int* to, const int* from, uint64_t* flags, int* wrong, int other) {
  for (int round = 1; round <= 50; ++round) {
    nvshmem_int_p(to, round, other);
    nvshmem_fence();
    nvshmemx_signal_op(flags, static_cast<uint64_t>(round), NVSHMEM_SIGNAL_SET, other);
    nvshmem_signal_wait_until(flags, NVSHMEM_CMP_GE, static_cast<uint64_t>(round));
    if (*static_cast<volatile int*>(to) < round) ++*wrong;
    nvshmemx_signal_op(flags + 1, static_cast<uint64_t>(round), NVSHMEM_SIGNAL_SET, other);
    nvshmem_signal_wait_until(flags + 1, NVSHMEM_CMP_GE, static_cast<uint64_t>(round));
  }
}

static void look(Pes& pe) {
  const int me = pe.me(), other = pe.other();
  Symmetric<int> to(1000, -1), from(1000, 100 * me, 1);
  Symmetric<uint64_t> flags(5), seen(8);
  pe.observe("launch", launchTogether(byThread, 1, 1, to, from, flags, seen, other));
  pe.observeAll("thread_returns", seen.readTogether());
  pe.observeAll("thread_flags", flags.readTogether());
  std::vector<int> values = to.readTogether();
  pe.observeAll("thread_values", std::vector<int>(values.begin(), values.begin() + 12));
  pe.observe("host_fetch", static_cast<unsigned long>(nvshmem_signal_fetch(flags + 3)));
  for (const bool warp : {true, false}) {
    to.fill(-1, 0);
    flags.fill(0, 0);
    seen.fill(0, 0);
    launchTogether(warp ? byWarp : byBlock, 1, warp ? 32 : 128, to, from, flags, seen, other);
    const std::string key = warp ? "warp" : "block";
    values = to.readTogether();
    pe.observe(key + "_values", checksum(values.data(), values.size() * sizeof(int)));
    pe.observe(key + "_flag", static_cast<unsigned long>(flags.readTogether()[0]));
    pe.observe(key + "_return", static_cast<unsigned long>(seen.readTogether()[0]));
  }
  to.fill(0, 0);
  flags.fill(0, 0);
  Symmetric<int> wrong(1);
  launchTogether(rounds, 1, 1, to, from, flags, wrong, other);
  pe.observe("signal_before_data", wrong.readTogether()[0]);
}

int main(int argc, char** argv) { return Pes::run(observedCase, argc, argv, look); }
