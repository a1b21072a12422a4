/* Atomic functions (CUDA C++ Programming Guide, "Atomic Functions"): relaxed order,
 * each returns the value from before. The _block and _system forms differ from the
 * plain ones in scope only, and a processor's atomics always have the widest.
 */
#ifndef MUSASHIM_CRT_ATOMICS_H
#define MUSASHIM_CRT_ATOMICS_H

#include "host_defines.h"

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
MUSASHIM_ATOMIC_INTEGER(unsigned long); /* size_t and uint64_t; CUDA itself has none */
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

#undef MUSASHIM_ATOMIC_INTEGER
#undef MUSASHIM_ATOMIC_CAS
#undef MUSASHIM_ATOMIC_FETCH

#endif
