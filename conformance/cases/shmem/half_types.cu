// half and bfloat16.
// requires: devices>=2
// links: nvshmem
#include <cuda_bf16.h>
#include <cuda_fp16.h>

#include "../../framework/pes.h"

CONFORMANCE_CASE("shmem.half_types");

template <class T>
static std::vector<float> asFloats(const std::vector<T>& values) {
  std::vector<float> out;
  for (const T& value : values) out.push_back(static_cast<float>(value));
  return out;
}

#define KERNEL(name, type)                                               \
  __global__ void kernel_##name(type* to, const type* from, int other) { \
    nvshmem_##name##_put(to, from, 3, other);                            \
    nvshmem_##name##_get(to + 3, from + 2, 2, other);                    \
    nvshmem_quiet();                                                     \
  }                                                                      \
  __global__ void sum_##name(type* to, const type* from) {               \
    nvshmemx_##name##_sum_reduce_block(NVSHMEM_TEAM_WORLD, to, from, 6); \
  }
KERNEL(half, half)
KERNEL(bfloat16, __nv_bfloat16)

static void look(Pes& pe) {
  const int other = pe.other();
#define TYPE(name, type)                                                                           \
  {                                                                                                \
    Symmetric<type> to(6), from(6);                                                                \
    std::vector<type> values;                                                                      \
    for (int i = 0; i < 6; ++i)                                                                    \
      values.push_back(                                                                            \
          static_cast<type>(0.1f + static_cast<float>(i) * (1.3f + static_cast<float>(pe.me())))); \
    to.write(std::vector<type>(6, static_cast<type>(0.0f)));                                       \
    from.write(values);                                                                            \
    nvshmem_##name##_put(to, from, 4, other);                                                      \
    nvshmem_quiet();                                                                               \
    pe.observeAll("put_" #name, asFloats(to.readTogether()));                                      \
    nvshmem_##name##_get(to, from + 1, 4, other);                                                  \
    pe.observeAll("get_" #name, asFloats(to.readTogether()));                                      \
    pe.observe("g_" #name, static_cast<float>(nvshmem_##name##_g(from + 3, other)));               \
    kernel_##name<<<1, 1>>>(to, from, other);                                                      \
    SETUP(cudaDeviceSynchronize());                                                                \
    pe.observeAll("kernel_" #name, asFloats(to.readTogether()));                                   \
    pe.observe("sum_status_" #name, nvshmem_##name##_sum_reduce(NVSHMEM_TEAM_WORLD, to, from, 6)); \
    pe.observeAll("sum_" #name, asFloats(to.readTogether()));                                      \
    nvshmem_##name##_prod_reduce(NVSHMEM_TEAM_WORLD, to, from, 6);                                 \
    pe.observeAll("prod_" #name, asFloats(to.readTogether()));                                     \
    nvshmem_##name##_max_reduce(NVSHMEM_TEAM_WORLD, to, from, 6);                                  \
    pe.observeAll("max_" #name, asFloats(to.readTogether()));                                      \
    nvshmem_##name##_min_reduce(NVSHMEM_TEAM_WORLD, to, from, 6);                                  \
    pe.observeAll("min_" #name, asFloats(to.readTogether()));                                      \
    nvshmem_##name##_broadcast(NVSHMEM_TEAM_WORLD, to, from, 6, 1);                                \
    pe.observeAll("broadcast_" #name, asFloats(to.readTogether()));                                \
    launchTogether(sum_##name, 1, 32, to, from);                                                   \
    pe.observeAll("block_sum_" #name, asFloats(to.readTogether()));                                \
  }
  TYPE(half, half)
  TYPE(bfloat16, __nv_bfloat16)
}

int main(int argc, char** argv) { return Pes::run(observedCase, argc, argv, look); }
