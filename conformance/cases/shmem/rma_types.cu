// Puts, gets, p and g of every type: from the host, on streams and in kernels.
// requires: devices>=2
// links: nvshmem
#include "../../framework/pes.h"

CONFORMANCE_CASE("shmem.rma_types");

#define KERNEL(name, type)                                               \
  __global__ void kernel_##name(type* to, const type* from, int other) { \
    nvshmem_##name##_p(to, static_cast<type>(7), other);                 \
    to[8] = nvshmem_##name##_g(from + 1, other);                         \
    nvshmem_##name##_put(to + 1, from + 1, 2, other);                    \
    nvshmem_##name##_get(to + 9, from + 2, 2, other);                    \
    nvshmem_##name##_iput(to + 3, from, 2, 3, 2, other);                 \
    nvshmem_##name##_put_nbi(to + 6, from + 6, 2, other);                \
    nvshmem_##name##_get_nbi(to + 11, from + 5, 1, other);               \
    nvshmem_quiet();                                                     \
  }
SHMEM_OTHER_TYPES(KERNEL)
#define KERNEL_WITHOUT_WORDS(name, type)                                 \
  __global__ void kernel_##name(type* to, const type* from, int other) { \
    nvshmem_##name##_put(to + 1, from + 1, 2, other);                    \
    nvshmem_##name##_get(to + 9, from + 2, 2, other);                    \
    nvshmem_quiet();                                                     \
  }
SHMEM_SIGNED_CHARS(KERNEL_WITHOUT_WORDS)

static void look(Pes& pe) {
  const int me = pe.me(), other = pe.other();
  cudaStream_t stream = nullptr;
  SETUP(cudaStreamCreate(&stream));
#define TYPE(name, type)                                                         \
  {                                                                              \
    Symmetric<type> to(12, 0), from(12, 10 * me, 1);                             \
    nvshmem_##name##_p(to, static_cast<type>(5 + me), other);                    \
    nvshmem_##name##_put(to + 1, from + 1, 3, other);                            \
    nvshmem_##name##_get(to + 8, from + 4, 2, other);                            \
    nvshmem_##name##_iput(to + 4, from, 2, 3, 2, other);                         \
    nvshmem_quiet();                                                             \
    pe.observeAll("host_" #name, to.readTogether());                             \
    pe.observe("host_g_" #name, nvshmem_##name##_g(from + 2, other));            \
    to.fill(0, 0);                                                               \
    nvshmemx_##name##_p_on_stream(to, static_cast<type>(5 + me), other, stream); \
    nvshmemx_##name##_put_on_stream(to + 1, from + 1, 3, other, stream);         \
    nvshmemx_##name##_get_on_stream(to + 8, from + 4, 2, other, stream);         \
    nvshmemx_quiet_on_stream(stream);                                            \
    SETUP(cudaStreamSynchronize(stream));                                        \
    pe.observeAll("stream_" #name, to.readTogether());                           \
    to.fill(0, 0);                                                               \
    kernel_##name<<<1, 1>>>(to, from, other);                                    \
    SETUP(cudaDeviceSynchronize());                                              \
    pe.observeAll("kernel_" #name, to.readTogether());                           \
  }
  SHMEM_TYPES(TYPE)
  SETUP(cudaStreamDestroy(stream));
}

int main(int argc, char** argv) { return Pes::run(observedCase, argc, argv, look); }
