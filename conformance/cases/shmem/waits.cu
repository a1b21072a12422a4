// Waiting inside kernels for what the other PE writes: each comparison, sets, masks, vectors.
// requires: devices>=2
// links: nvshmem
#include "../../framework/pes.h"

CONFORMANCE_CASE("shmem.waits");

// Each PE writes 10, 20, 30, 40 into the other's four variables.
__global__ void single(int* variables, int* seen, int other) {
  nvshmem_int_p(variables, 10, other);
  nvshmem_int_wait_until(variables, NVSHMEM_CMP_EQ, 10);
  nvshmem_int_p(variables + 1, 20, other);
  nvshmem_int_wait_until(variables + 1, NVSHMEM_CMP_NE, 0);
  nvshmem_int_p(variables + 2, 30, other);
  nvshmem_int_wait_until(variables + 2, NVSHMEM_CMP_GT, 29);
  nvshmem_int_p(variables + 3, -40, other);
  nvshmem_int_wait_until(variables + 3, NVSHMEM_CMP_LT, 0);
  nvshmem_int_wait_until(variables + 3, NVSHMEM_CMP_LE, -40);
  nvshmem_int_wait_until(variables + 2, NVSHMEM_CMP_GE, 30);
  for (int i = 0; i < 4; ++i) seen[i] = variables[i];
}
__global__ void several(int* variables, int* status, int* vector, size_t* indices, long long* seen,
                        int other) {
  for (int i = 0; i < 4; ++i) nvshmem_int_p(variables + i, 10 * (i + 1), other);
  nvshmem_quiet();
  nvshmem_int_wait_until_all(variables, 4, nullptr, NVSHMEM_CMP_GE, 10);
  seen[0] = static_cast<long long>(nvshmem_int_wait_until_any(variables, 4, nullptr, NVSHMEM_CMP_EQ, 30));
  seen[1] =
      static_cast<long long>(nvshmem_int_wait_until_some(variables, 4, indices, nullptr, NVSHMEM_CMP_GE, 20));
  seen[2] = static_cast<long long>(indices[0]);
  seen[3] = static_cast<long long>(indices[1]);
  seen[4] = static_cast<long long>(indices[2]);
  // Masked out: 0 and 2.
  seen[5] = static_cast<long long>(nvshmem_int_wait_until_any(variables, 4, status, NVSHMEM_CMP_GE, 30));
  seen[6] =
      static_cast<long long>(nvshmem_int_wait_until_some(variables, 4, indices, status, NVSHMEM_CMP_GE, 10));
  seen[7] = static_cast<long long>(indices[0]);
  seen[8] = static_cast<long long>(indices[1]);
  nvshmem_int_wait_until_all(variables, 4, status, NVSHMEM_CMP_NE, 10);
  nvshmem_int_wait_until_all_vector(variables, 4, nullptr, NVSHMEM_CMP_EQ, vector);
  seen[9] =
      static_cast<long long>(nvshmem_int_wait_until_any_vector(variables, 4, status, NVSHMEM_CMP_EQ, vector));
  seen[10] = static_cast<long long>(
      nvshmem_int_wait_until_some_vector(variables, 4, indices, status, NVSHMEM_CMP_EQ, vector));
  seen[11] = static_cast<long long>(indices[0]);
  // Nothing to wait for.
  nvshmem_int_wait_until_all(variables, 0, nullptr, NVSHMEM_CMP_EQ, 77);
  seen[12] = static_cast<long long>(nvshmem_int_wait_until_any(variables, 0, nullptr, NVSHMEM_CMP_EQ, 77));
  seen[13] =
      static_cast<long long>(nvshmem_int_wait_until_some(variables, 0, indices, nullptr, NVSHMEM_CMP_EQ, 77));
}
__global__ void masked(int* variables, int* none, size_t* indices, long long* seen) {
  nvshmem_int_wait_until_all(variables, 4, none, NVSHMEM_CMP_EQ, 77);
  seen[0] = static_cast<long long>(nvshmem_int_wait_until_any(variables, 4, none, NVSHMEM_CMP_EQ, 77));
  seen[1] =
      static_cast<long long>(nvshmem_int_wait_until_some(variables, 4, indices, none, NVSHMEM_CMP_EQ, 77));
}
#define WAIT_TYPES(X)                                                                              \
  X(short, short)                                                                                  \
  X(int, int)                                                                                      \
  X(long, long) X(longlong, long long) X(ushort, unsigned short) X(uint, unsigned int)             \
      X(ulong, unsigned long) X(ulonglong, unsigned long long) X(int32, int32_t) X(int64, int64_t) \
          X(uint32, uint32_t) X(uint64, uint64_t) X(size, size_t) X(ptrdiff, ptrdiff_t)
#define KERNEL(name, type)                                                                \
  __global__ void wait_##name(type* variables, int* seen, int other) {                    \
    nvshmem_##name##_p(variables, static_cast<type>(3), other);                           \
    nvshmem_##name##_p(variables + 1, static_cast<type>(-1), other);                      \
    nvshmem_##name##_wait_until(variables, NVSHMEM_CMP_EQ, static_cast<type>(3));         \
    nvshmem_##name##_wait_until(variables + 1, NVSHMEM_CMP_NE, static_cast<type>(0));     \
    seen[0] = nvshmem_##name##_test(variables + 1, NVSHMEM_CMP_GT, static_cast<type>(0)); \
    seen[1] = nvshmem_##name##_test(variables, NVSHMEM_CMP_LE, static_cast<type>(3));     \
  }
WAIT_TYPES(KERNEL)

static void look(Pes& pe) {
  const int other = pe.other();
  Symmetric<int> variables(4), seen(4), status(4), none(4, 1), vector(4, 10, 10);
  Symmetric<size_t> indices(4);
  Symmetric<long long> returns(14, -7);
  status.write({1, 0, 1, 0});
  pe.observe("launch", launchTogether(single, 1, 1, variables, seen, other));
  pe.observeAll("single", seen.readTogether());
  variables.fill(0, 0);
  launchTogether(several, 1, 1, variables, status, vector, indices, returns, other);
  pe.observeAll("several", returns.readTogether());
  returns.fill(-7, 0);
  launchTogether(masked, 1, 1, variables, none, indices, returns);
  std::vector<long long> all = returns.readTogether();
  pe.observe("all_masked_any", all[0]);
  pe.observe("all_masked_some", all[1]);
#define RUN(name, type)                                                         \
  {                                                                             \
    Symmetric<type> data(2);                                                    \
    launchTogether(wait_##name, 1, 1, data, seen, other);                       \
    const std::vector<int> got = seen.readTogether();                           \
    pe.observe("test_" #name, std::to_string(got[0]) + std::to_string(got[1])); \
  }
  WAIT_TYPES(RUN)
}

int main(int argc, char** argv) { return Pes::run(observedCase, argc, argv, look); }
