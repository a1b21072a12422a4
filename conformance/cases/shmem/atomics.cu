// Atomics inside kernels: what they return, and what is left.
// requires: devices>=2
// links: nvshmem
#include "../../framework/pes.h"

CONFORMANCE_CASE("shmem.atomics");

#define STANDARD(name, type)                                                                              \
  __global__ void standard_##name(type* there, type* seen, int other) {                                   \
    seen[0] = nvshmem_##name##_atomic_fetch(there, other);                                                \
    seen[1] = nvshmem_##name##_atomic_fetch_add(there, static_cast<type>(5), other);                      \
    seen[2] = nvshmem_##name##_atomic_fetch_inc(there, other);                                            \
    seen[3] = nvshmem_##name##_atomic_swap(there, static_cast<type>(40), other);                          \
    seen[4] =                                                                                             \
        nvshmem_##name##_atomic_compare_swap(there, static_cast<type>(40), static_cast<type>(50), other); \
    seen[5] =                                                                                             \
        nvshmem_##name##_atomic_compare_swap(there, static_cast<type>(40), static_cast<type>(60), other); \
    nvshmem_##name##_atomic_add(there, static_cast<type>(3), other);                                      \
    nvshmem_##name##_atomic_inc(there, other);                                                            \
    nvshmem_quiet();                                                                                      \
    seen[6] = nvshmem_##name##_atomic_fetch(there, other);                                                \
    nvshmem_##name##_atomic_set(there + 1, static_cast<type>(9), other);                                  \
    nvshmem_quiet();                                                                                      \
  }
// NVSHMEM 3.4's device library lacks additions of signed 64-bit types but long.
#define EXCHANGES(name, type)                                                                             \
  __global__ void exchanges_##name(type* there, type* seen, int other) {                                  \
    seen[0] = nvshmem_##name##_atomic_fetch(there, other);                                                \
    seen[1] = nvshmem_##name##_atomic_swap(there, static_cast<type>(40), other);                          \
    seen[2] =                                                                                             \
        nvshmem_##name##_atomic_compare_swap(there, static_cast<type>(40), static_cast<type>(50), other); \
    seen[3] =                                                                                             \
        nvshmem_##name##_atomic_compare_swap(there, static_cast<type>(40), static_cast<type>(60), other); \
    nvshmem_##name##_atomic_set(there + 1, static_cast<type>(9), other);                                  \
    nvshmem_quiet();                                                                                      \
  }
#define BITWISE(name, type)                                                                 \
  __global__ void bitwise_##name(type* there, type* seen, int other) {                      \
    seen[0] = nvshmem_##name##_atomic_fetch_and(there + 2, static_cast<type>(0x3c), other); \
    seen[1] = nvshmem_##name##_atomic_fetch_or(there + 2, static_cast<type>(0x03), other);  \
    seen[2] = nvshmem_##name##_atomic_fetch_xor(there + 2, static_cast<type>(0xff), other); \
    nvshmem_##name##_atomic_and(there + 2, static_cast<type>(0xf0), other);                 \
    nvshmem_##name##_atomic_or(there + 2, static_cast<type>(0x05), other);                  \
    nvshmem_##name##_atomic_xor(there + 2, static_cast<type>(0x11), other);                 \
    nvshmem_quiet();                                                                        \
    seen[3] = nvshmem_##name##_atomic_fetch(there + 2, other);                              \
  }
#define EXTENDED(name, type)                                                      \
  __global__ void extended_##name(type* there, type* seen, int other) {           \
    seen[0] = nvshmem_##name##_atomic_fetch(there, other);                        \
    seen[1] = nvshmem_##name##_atomic_swap(there, static_cast<type>(2.5), other); \
    seen[2] = nvshmem_##name##_atomic_fetch(there, other);                        \
    nvshmem_##name##_atomic_set(there, static_cast<type>(-0.25), other);          \
    nvshmem_quiet();                                                              \
    seen[3] = nvshmem_##name##_atomic_fetch(there, other);                        \
  }
#define BITWISE_TYPES(X)                                                                   \
  X(uint, unsigned int)                                                                    \
  X(ulong, unsigned long)                                                                  \
  X(ulonglong, unsigned long long) X(int32, int32_t) X(uint32, uint32_t) X(int64, int64_t) \
      X(uint64, uint64_t)
#define ADDED_TYPES(X)                                                                           \
  X(int, int)                                                                                    \
  X(long, long)                                                                                  \
  X(size, size_t) X(uint, unsigned int) X(ulong, unsigned long) X(ulonglong, unsigned long long) \
      X(int32, int32_t) X(uint32, uint32_t) X(uint64, uint64_t)
#define EXCHANGED_TYPES(X) X(longlong, long long) X(int64, int64_t) X(ptrdiff, ptrdiff_t)
ADDED_TYPES(STANDARD)
EXCHANGED_TYPES(EXCHANGES)
BITWISE_TYPES(BITWISE)
EXTENDED(float, float)
EXTENDED(double, double)

__global__ void crowd(unsigned long long* count, int pe) {
  nvshmem_ulonglong_atomic_inc(count, pe);
  nvshmem_ulonglong_atomic_add(count + 1, threadIdx.x, pe);
  nvshmem_ulonglong_atomic_fetch_add(count + 2, 2, pe);
}
__global__ void negative(int* value, int* seen, int other) {
  seen[0] = nvshmem_int_atomic_fetch_add(value, -5, other);
  seen[1] = nvshmem_int_atomic_fetch_add(value, 2147483647, other);
  seen[2] = nvshmem_int_atomic_fetch_add(value, 2147483647, other);
  seen[3] = nvshmem_int_atomic_fetch(value, other);
}

static void look(Pes& pe) {
  const int me = pe.me(), other = pe.other();
#define RUN_STANDARD(name, type)                          \
  {                                                       \
    Symmetric<type> there(3, 10 + me, 20), seen(7);       \
    standard_##name<<<1, 1>>>(there, seen, other);        \
    pe.observeAll("returns_" #name, seen.readTogether()); \
    pe.observeAll("left_" #name, there.readTogether());   \
  }
#define RUN_EXCHANGES(name, type)                         \
  {                                                       \
    Symmetric<type> there(2, 10 + me, 20), seen(4);       \
    exchanges_##name<<<1, 1>>>(there, seen, other);       \
    pe.observeAll("returns_" #name, seen.readTogether()); \
    pe.observeAll("left_" #name, there.readTogether());   \
  }
#define RUN_BITWISE(name, type)                        \
  {                                                    \
    Symmetric<type> there(3, 10 + me, 20), seen(4);    \
    bitwise_##name<<<1, 1>>>(there, seen, other);      \
    pe.observeAll("bits_" #name, seen.readTogether()); \
  }
#define RUN_EXTENDED(name, type)                          \
  {                                                       \
    Symmetric<type> there(1, 10 + me), seen(4);           \
    extended_##name<<<1, 1>>>(there, seen, other);        \
    pe.observeAll("returns_" #name, seen.readTogether()); \
  }
  ADDED_TYPES(RUN_STANDARD)
  EXCHANGED_TYPES(RUN_EXCHANGES)
  BITWISE_TYPES(RUN_BITWISE)
  RUN_EXTENDED(float, float)
  RUN_EXTENDED(double, double)
  Symmetric<unsigned long long> count(3);
  crowd<<<16, 128>>>(count, 0);
  pe.observeAll("crowd", count.readTogether());
  Symmetric<int> value(1, 3), seen(4);
  negative<<<1, 1>>>(value, seen, other);
  pe.observeAll("negative_and_wrapped", seen.readTogether());
}

int main(int argc, char** argv) { return Pes::run(observedCase, argc, argv, look); }
