// Puts, gets and signals in the order of a stream.
// requires: devices>=2
// links: nvshmem
#include "../../framework/pes.h"

CONFORMANCE_CASE("shmem.stream_rma");

__global__ void fill(int* data, int count, int value) {
  for (int i = static_cast<int>(threadIdx.x); i < count; i += static_cast<int>(blockDim.x))
    data[i] = value + i;
}

static void look(Pes& pe) {
  const int me = pe.me(), other = pe.other();
  cudaStream_t stream = nullptr;
  SETUP(cudaStreamCreate(&stream));
  Symmetric<int> to(16, -1), from(16, 100 * me, 1);
  Symmetric<uint64_t> flags(4);
  fill<<<1, 32, 0, stream>>>(from, 16, 1000 * (me + 1));
  nvshmemx_int_put_on_stream(to, from, 4, other, stream);
  nvshmemx_putmem_on_stream(to + 4, from + 4, 8, other, stream);
  nvshmemx_int_put_nbi_on_stream(to + 6, from + 6, 2, other, stream);
  nvshmemx_quiet_on_stream(stream);
  nvshmemx_barrier_all_on_stream(stream);
  SETUP(cudaStreamSynchronize(stream));
  pe.observeAll("after_a_kernel", to.readTogether());
  to.fill(-1, 0);
  nvshmemx_int_get_on_stream(to, from, 4, other, stream);
  nvshmemx_int_iget_on_stream(to + 4, from, 2, 3, 3, other, stream);
  nvshmemx_int_iput_on_stream(to + 10, from, 3, 2, 2, other, stream);
  nvshmemx_quiet_on_stream(stream);
  SETUP(cudaStreamSynchronize(stream));
  pe.observeAll("get_iget_iput", to.readTogether());
  pe.observe("g_on_stream", nvshmemx_int_g_on_stream(from + 5, other, stream));
  to.fill(-1, 0);
  nvshmemx_int_put_signal_on_stream(to, from, 3, flags, 5, NVSHMEM_SIGNAL_SET, other, stream);
  nvshmemx_signal_wait_until_on_stream(flags, NVSHMEM_CMP_EQ, 5, stream);
  nvshmemx_int_put_signal_nbi_on_stream(to + 4, from + 4, 3, flags + 1, 7, NVSHMEM_SIGNAL_ADD, other, stream);
  nvshmemx_signal_wait_until_on_stream(flags + 1, NVSHMEM_CMP_GE, 7, stream);
  nvshmemx_putmem_signal_on_stream(to + 8, from + 8, 8, flags + 1, 3, NVSHMEM_SIGNAL_ADD, other, stream);
  nvshmemx_signal_wait_until_on_stream(flags + 1, NVSHMEM_CMP_GT, 9, stream);
  nvshmemx_put64_signal_on_stream(to + 10, from + 10, 1, flags + 2, 1, NVSHMEM_SIGNAL_SET, other, stream);
  nvshmemx_signal_wait_until_on_stream(flags + 2, NVSHMEM_CMP_NE, 0, stream);
  nvshmemx_signal_op_on_stream(flags + 3, 11, NVSHMEM_SIGNAL_SET, other, stream);
  nvshmemx_signal_op_on_stream(flags + 3, 4, NVSHMEM_SIGNAL_ADD, other, stream);
  nvshmemx_signal_wait_until_on_stream(flags + 3, NVSHMEM_CMP_EQ, 15, stream);
  SETUP(cudaStreamSynchronize(stream));
  pe.observeAll("with_signals", to.readTogether());
  pe.observeAll("flags", flags.readTogether());
  nvshmemx_sync_all_on_stream(stream);
  pe.observe("barrier_on_stream", nvshmemx_barrier_on_stream(NVSHMEM_TEAM_WORLD, stream));
  pe.observe("team_sync_on_stream", nvshmemx_team_sync_on_stream(NVSHMEM_TEAM_WORLD, stream));
  SETUP(cudaStreamSynchronize(stream));
  // A kernel behind a barrier sees what the other put before it.
  to.fill(-1, 0);
  nvshmemx_int_p_on_stream(to, 70 + me, other, stream);
  nvshmemx_barrier_all_on_stream(stream);
  SETUP(cudaMemcpyAsync(to + 1, to, sizeof(int), cudaMemcpyDeviceToDevice, stream));
  SETUP(cudaStreamSynchronize(stream));
  pe.observeAll("p_barrier_copy", to.readTogether());
  SETUP(cudaStreamDestroy(stream));
}

int main(int argc, char** argv) { return Pes::run(observedCase, argc, argv, look); }
