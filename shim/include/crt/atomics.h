/* Atomic functions (CUDA C++ Programming Guide, "Atomic Functions"): relaxed order,
 * each returns the value from before. The _block and _system forms differ from the
 * plain ones in scope only, and a processor's atomics always have the widest.
 */
#ifndef MUSASHIM_CRT_ATOMICS_H
#define MUSASHIM_CRT_ATOMICS_H

#include "../vector_types.h"
#include "host_defines.h"
#include "standard_headers.h"

/* One function in its three scopes. */
#define MUSASHIM_ATOMIC(name, T, parameters, arguments, ...)                                                \
  MUSASHIM_D T name parameters{__VA_ARGS__} MUSASHIM_D T name##_block parameters { return name arguments; } \
  MUSASHIM_D T name##_system parameters { return name arguments; }                                          \
  static_assert(true, "takes the semicolon")

#define MUSASHIM_ATOMIC_FETCH(name, T, builtin)                      \
  MUSASHIM_ATOMIC(name, T, (T * address, T value), (address, value), \
                  return builtin(address, value, __ATOMIC_RELAXED);)

#define MUSASHIM_ATOMIC_CAS(T)                                                                          \
  MUSASHIM_ATOMIC(                                                                                      \
      atomicCAS, T, (T * address, T compare, T value), (address, compare, value),                       \
      __atomic_compare_exchange_n(address, &compare, value, false, __ATOMIC_RELAXED, __ATOMIC_RELAXED); \
      return compare;)

/* An integer type's arithmetic, and its exchanges and bitwise operations. */
#define MUSASHIM_ATOMIC_INTEGER(T)                           \
  MUSASHIM_ATOMIC_FETCH(atomicAdd, T, __atomic_fetch_add);   \
  MUSASHIM_ATOMIC_FETCH(atomicMin, T, __atomic_fetch_min);   \
  MUSASHIM_ATOMIC_FETCH(atomicMax, T, __atomic_fetch_max);   \
  MUSASHIM_ATOMIC_FETCH(atomicExch, T, __atomic_exchange_n); \
  MUSASHIM_ATOMIC_FETCH(atomicAnd, T, __atomic_fetch_and);   \
  MUSASHIM_ATOMIC_FETCH(atomicOr, T, __atomic_fetch_or);     \
  MUSASHIM_ATOMIC_FETCH(atomicXor, T, __atomic_fetch_xor);   \
  MUSASHIM_ATOMIC_CAS(T)

MUSASHIM_ATOMIC_INTEGER(int);
MUSASHIM_ATOMIC_INTEGER(unsigned int);
MUSASHIM_ATOMIC_INTEGER(unsigned long long);
MUSASHIM_ATOMIC_FETCH(atomicSub, int, __atomic_fetch_sub);
MUSASHIM_ATOMIC_FETCH(atomicSub, unsigned int, __atomic_fetch_sub);
MUSASHIM_ATOMIC_FETCH(atomicMin, long long, __atomic_fetch_min);
MUSASHIM_ATOMIC_FETCH(atomicMax, long long, __atomic_fetch_max);
MUSASHIM_ATOMIC_FETCH(atomicAnd, long long, __atomic_fetch_and);
MUSASHIM_ATOMIC_FETCH(atomicOr, long long, __atomic_fetch_or);
MUSASHIM_ATOMIC_FETCH(atomicXor, long long, __atomic_fetch_xor);
MUSASHIM_ATOMIC_CAS(unsigned short);

MUSASHIM_ATOMIC_FETCH(atomicAdd, float, __atomic_fetch_add);
MUSASHIM_ATOMIC_FETCH(atomicAdd, double, __atomic_fetch_add);
MUSASHIM_ATOMIC(atomicExch, float, (float* address, float value), (address, value), float old;
                __atomic_exchange(address, &value, &old, __ATOMIC_RELAXED); return old;);

/* size_t and uint64_t, for which CUDA has none: programs have functions of their own by these names. As
 * templates these here are no second definition of one, and come behind it. */
template <typename T>
struct __musa_if_unsigned_long {};
template <>
struct __musa_if_unsigned_long<unsigned long> {
  typedef unsigned long type;
};
#define MUSASHIM_UNSIGNED_LONG typename __musa_if_unsigned_long<T>::type

#define MUSASHIM_ATOMIC_UNSIGNED_LONG(name, parameters, arguments, ...) \
  template <typename T>                                                 \
  MUSASHIM_D MUSASHIM_UNSIGNED_LONG name parameters {                   \
    __VA_ARGS__                                                         \
  }                                                                     \
  template <typename T>                                                 \
  MUSASHIM_D MUSASHIM_UNSIGNED_LONG name##_block parameters {           \
    return name arguments;                                              \
  }                                                                     \
  template <typename T>                                                 \
  MUSASHIM_D MUSASHIM_UNSIGNED_LONG name##_system parameters {          \
    return name arguments;                                              \
  }                                                                     \
  static_assert(true, "takes the semicolon")
#define MUSASHIM_ATOMIC_UNSIGNED_LONG_FETCH(name, builtin)                                           \
  MUSASHIM_ATOMIC_UNSIGNED_LONG(name, (T * address, MUSASHIM_UNSIGNED_LONG value), (address, value), \
                                return builtin(address, value, __ATOMIC_RELAXED);)

MUSASHIM_ATOMIC_UNSIGNED_LONG_FETCH(atomicAdd, __atomic_fetch_add);
MUSASHIM_ATOMIC_UNSIGNED_LONG_FETCH(atomicMin, __atomic_fetch_min);
MUSASHIM_ATOMIC_UNSIGNED_LONG_FETCH(atomicMax, __atomic_fetch_max);
MUSASHIM_ATOMIC_UNSIGNED_LONG_FETCH(atomicExch, __atomic_exchange_n);
MUSASHIM_ATOMIC_UNSIGNED_LONG_FETCH(atomicAnd, __atomic_fetch_and);
MUSASHIM_ATOMIC_UNSIGNED_LONG_FETCH(atomicOr, __atomic_fetch_or);
MUSASHIM_ATOMIC_UNSIGNED_LONG_FETCH(atomicXor, __atomic_fetch_xor);
MUSASHIM_ATOMIC_UNSIGNED_LONG(atomicCAS,
                              (T * address, MUSASHIM_UNSIGNED_LONG compare, MUSASHIM_UNSIGNED_LONG value),
                              (address, compare, value),
                              __atomic_compare_exchange_n(address, &compare, value, false, __ATOMIC_RELAXED,
                                                          __ATOMIC_RELAXED);
                              return compare;);

/* Each element is added in a step of its own, as CUDA says. */
MUSASHIM_ATOMIC(atomicAdd, float2, (float2 * address, float2 value), (address, value),
                return (float2{atomicAdd(&address->x, value.x), atomicAdd(&address->y, value.y)}););
MUSASHIM_ATOMIC(atomicAdd, float4, (float4 * address, float4 value), (address, value),
                return (float4{atomicAdd(&address->x, value.x), atomicAdd(&address->y, value.y),
                               atomicAdd(&address->z, value.z), atomicAdd(&address->w, value.w)}););

/* Replaces *address by update(old) in one step. Bits, not values, decide whether
 * somebody else was faster, so that a NaN does not loop for ever. T has 2, 4 or 8
 * bytes and no padding. Also used for half and bf16. */
template <typename T, typename Bits, typename Update>
MUSASHIM_D T __musa_atomic_update(T* address, Update update) {
  static_assert(sizeof(T) == sizeof(Bits), "the bits of a T");
  Bits* const cell = reinterpret_cast<Bits*>(address);
  Bits old_bits = __atomic_load_n(cell, __ATOMIC_RELAXED);
  for (;;) {
    T old;
    __builtin_memcpy(&old, &old_bits, sizeof(T));
    const T updated = update(old);
    Bits new_bits;
    __builtin_memcpy(&new_bits, &updated, sizeof(T));
    if (__atomic_compare_exchange_n(cell, &old_bits, new_bits, true, __ATOMIC_RELAXED, __ATOMIC_RELAXED))
      return old;
  }
}

/* Counts up to `limit`, then starts again at 0. */
struct __musa_increment {
  unsigned int limit;
  MUSASHIM_D unsigned int operator()(unsigned int old) const { return old >= limit ? 0u : old + 1u; }
};
/* Counts down to 0, then starts again at `limit`. */
struct __musa_decrement {
  unsigned int limit;
  MUSASHIM_D unsigned int operator()(unsigned int old) const {
    return old == 0 || old > limit ? limit : old - 1u;
  }
};
MUSASHIM_ATOMIC(atomicInc, unsigned int, (unsigned int* address, unsigned int limit), (address, limit),
                return __musa_atomic_update<unsigned int, unsigned int>(address, __musa_increment{limit}););
MUSASHIM_ATOMIC(atomicDec, unsigned int, (unsigned int* address, unsigned int limit), (address, limit),
                return __musa_atomic_update<unsigned int, unsigned int>(address, __musa_decrement{limit}););

/* -- 16 bytes at once: any type of that size and alignment, and unsigned __int128 -- */
/* Sets *cell to `value` if it is `expected`; else `expected` becomes what it is. */
MUSASHIM_D bool __musa_compare_exchange_16(void* cell, unsigned __int128* expected, unsigned __int128 value) {
#if defined(__x86_64__)
  unsigned long long low = (unsigned long long)*expected, high = (unsigned long long)(*expected >> 64);
  bool exchanged;
  __asm__ volatile("lock cmpxchg16b %1"
                   : "=@ccz"(exchanged), "+m"(*(unsigned __int128*)cell), "+a"(low), "+d"(high)
                   : "b"((unsigned long long)value), "c"((unsigned long long)(value >> 64))
                   : "memory");
  *expected = (unsigned __int128)high << 64 | low;
  return exchanged;
#else
  return __atomic_compare_exchange_n((unsigned __int128*)cell, expected, value, false, __ATOMIC_RELAXED,
                                     __ATOMIC_RELAXED);
#endif
}
template <typename T>
using __musa_if_16_bytes = typename std::enable_if<sizeof(T) == 16 && alignof(T) >= 16, T>::type;

#define MUSASHIM_ATOMIC_16(suffix)                                                     \
  template <typename T>                                                                \
  MUSASHIM_D __musa_if_16_bytes<T> atomicCAS##suffix(T* address, T compare, T value) { \
    unsigned __int128 expected, desired;                                               \
    __builtin_memcpy(&expected, &compare, 16);                                         \
    __builtin_memcpy(&desired, &value, 16);                                            \
    __musa_compare_exchange_16(address, &expected, desired);                           \
    __builtin_memcpy(&compare, &expected, 16);                                         \
    return compare;                                                                    \
  }                                                                                    \
  template <typename T>                                                                \
  MUSASHIM_D __musa_if_16_bytes<T> atomicExch##suffix(T* address, T value) {           \
    unsigned __int128 expected = 0, desired;                                           \
    __builtin_memcpy(&desired, &value, 16);                                            \
    while (!__musa_compare_exchange_16(address, &expected, desired)) {                 \
    }                                                                                  \
    __builtin_memcpy(&value, &expected, 16);                                           \
    return value;                                                                      \
  }                                                                                    \
  static_assert(true, "takes the semicolon")
MUSASHIM_ATOMIC_16();
MUSASHIM_ATOMIC_16(_block);
MUSASHIM_ATOMIC_16(_system);
#undef MUSASHIM_ATOMIC_16

#undef MUSASHIM_ATOMIC_INTEGER
#undef MUSASHIM_ATOMIC_CAS
#undef MUSASHIM_ATOMIC_FETCH

#endif
