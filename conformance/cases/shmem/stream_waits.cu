// Streams that wait for what the other PE writes.
// requires: devices>=2
// links: nvshmem
#include "../../framework/pes.h"

CONFORMANCE_CASE("shmem.stream_waits");

static void look(Pes& pe) {
  const int other = pe.other();
  cudaStream_t stream = nullptr, second = nullptr;
  SETUP(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking));
  SETUP(cudaStreamCreateWithFlags(&second, cudaStreamNonBlocking));
  Symmetric<int> variables(4), copy(4), status(4), vector(4, 10, 10);
  status.write({0, 1, 0, 1});
  nvshmemx_int_wait_until_on_stream(variables, NVSHMEM_CMP_EQ, 10, stream);
  SETUP(cudaMemcpyAsync(copy, variables, sizeof(int), cudaMemcpyDeviceToDevice, stream));
  pe.observe("waits", cudaStreamQuery(stream));
  nvshmem_barrier_all();  // of both hosts: the stream still waits
  nvshmemx_int_p_on_stream(variables, 10, other, second);
  SETUP(cudaStreamSynchronize(second));
  SETUP(cudaStreamSynchronize(stream));
  pe.observeAll("seen", copy.readTogether());
  for (int i = 1; i < 4; ++i) nvshmemx_int_p_on_stream(variables + i, 10 * (i + 1), other, second);
  nvshmemx_int_wait_until_all_on_stream(variables, 4, nullptr, NVSHMEM_CMP_GE, 10, stream);
  nvshmemx_int_wait_until_all_on_stream(variables, 4, status, NVSHMEM_CMP_NE, 20, stream);
  nvshmemx_int_wait_until_all_vector_on_stream(variables, 4, nullptr, NVSHMEM_CMP_EQ, vector, stream);
  nvshmemx_int_wait_until_all_on_stream(variables, 0, nullptr, NVSHMEM_CMP_EQ, 77, stream);
  SETUP(cudaMemcpyAsync(copy, variables, 4 * sizeof(int), cudaMemcpyDeviceToDevice, stream));
  SETUP(cudaStreamSynchronize(stream));
  pe.observeAll("all", copy.readTogether());
  nvshmemx_int_wait_until_on_stream(variables, NVSHMEM_CMP_LT, 11, stream);
  nvshmemx_int_wait_until_on_stream(variables + 1, NVSHMEM_CMP_GT, 11, stream);
  nvshmemx_int_wait_until_on_stream(variables + 2, NVSHMEM_CMP_LE, 30, stream);
  nvshmemx_int_wait_until_on_stream(variables + 3, NVSHMEM_CMP_NE, 30, stream);
  pe.observe("true_already", cudaStreamSynchronize(stream));
  SETUP(cudaStreamDestroy(stream));
  SETUP(cudaStreamDestroy(second));
}

int main(int argc, char** argv) { return Pes::run(observedCase, argc, argv, look); }
