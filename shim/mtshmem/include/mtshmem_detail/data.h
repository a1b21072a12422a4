/* Puts, gets and atomics, at PEs of this host and of others. */
#ifndef MTSHMEM_DETAIL_DATA_H
#define MTSHMEM_DETAIL_DATA_H

#include "ask.h"

namespace mtshmemi {

struct alignas(16) Word128 {
  uint64_t parts[2];
};

/* One thread of the scope asks for all. */
template <typename Scope>
MTSHMEMI_FN void farPutTogether(void* to, const void* from, size_t bytes, int pe, bool wait) {
  Scope::sync();
  if (Scope::rank() == 0) farPut(to, from, bytes, pe, wait);
  Scope::sync();
}

template <typename Scope>
MTSHMEMI_FN void put(void* to, const void* from, size_t bytes, int pe) {
  if (bytes == 0) return;
  if (isFar(pe)) return farPutTogether<Scope>(to, from, bytes, pe, true);
  Scope::sync();
  copyBytes<Scope>(nearPlace(static_cast<char*>(to), pe), from, bytes);
  Scope::sync();
}

template <typename Scope>
MTSHMEMI_FN void putNbi(void* to, const void* from, size_t bytes, int pe) {
  if (isFar(pe)) return farPutTogether<Scope>(to, from, bytes, pe, false);
  put<Scope>(to, from, bytes, pe);
}

template <typename Scope>
MTSHMEMI_FN void get(void* to, const void* from, size_t bytes, int pe) {
  if (bytes == 0) return;
  if (isFar(pe)) {
    Scope::sync();
    if (Scope::rank() == 0) farGet(to, from, bytes, pe);
  } else {
    copyBytes<Scope>(to, nearPlace(static_cast<const char*>(from), pe), bytes);
  }
  Scope::sync();
}

template <typename Scope, typename T>
MTSHMEMI_FN void putStrided(T* to, const T* from, ptrdiff_t toStride, ptrdiff_t fromStride, size_t count,
                            int pe) {
  const bool far = isFar(pe);
  T* const place = far || count == 0 ? to : nearPlace(to, pe);
  for (size_t i = static_cast<size_t>(Scope::rank()); i < count; i += static_cast<size_t>(Scope::size())) {
    const ptrdiff_t at = static_cast<ptrdiff_t>(i);
    if (far) {
      farPut(to + at * toStride, from + at * fromStride, sizeof(T), pe, true);
    } else {
      place[at * toStride] = from[at * fromStride];
    }
  }
  Scope::sync();
}

template <typename Scope, typename T>
MTSHMEMI_FN void getStrided(T* to, const T* from, ptrdiff_t toStride, ptrdiff_t fromStride, size_t count,
                            int pe) {
  const bool far = isFar(pe);
  const T* const place = far || count == 0 ? from : nearPlace(from, pe);
  for (size_t i = static_cast<size_t>(Scope::rank()); i < count; i += static_cast<size_t>(Scope::size())) {
    const ptrdiff_t at = static_cast<ptrdiff_t>(i);
    if (far) {
      farGet(to + at * toStride, from + at * fromStride, sizeof(T), pe);
    } else {
      to[at * toStride] = place[at * fromStride];
    }
  }
  Scope::sync();
}

template <typename T>
MTSHMEMI_FN void putWord(T* to, T value, int pe) {
  if (isFar(pe)) return farSet(to, value, pe);
  store(nearPlace(to, pe), value);
}
template <typename T>
MTSHMEMI_FN T getWord(const T* from, int pe) {
  return isFar(pe) ? farWord(from, pe) : load(nearPlace(from, pe));
}

template <typename T>
MTSHMEMI_FN T atomicFetch(const T* object, int pe) {
  return isFar(pe) ? farAtomic(MTSHMEMI_FETCH, object, pe, T{}, T{}, true) : load(nearPlace(object, pe));
}
template <typename T>
MTSHMEMI_FN void atomicSet(T* object, T value, int pe) {
  if (isFar(pe)) {
    farAtomic(MTSHMEMI_SET, object, pe, value, T{}, false);
  } else {
    store(nearPlace(object, pe), value);
  }
}
template <typename T>
MTSHMEMI_FN T atomicSwap(T* object, T value, int pe) {
  return isFar(pe) ? farAtomic(MTSHMEMI_SWAP, object, pe, value, T{}, true)
                   : swap(nearPlace(object, pe), value);
}
template <typename T>
MTSHMEMI_FN T atomicCompareSwap(T* object, T expected, T value, int pe) {
  return isFar(pe) ? farAtomic(MTSHMEMI_COMPARE_SWAP, object, pe, value, expected, true)
                   : compareSwap(nearPlace(object, pe), expected, value);
}

/* atomicAdd, atomicFetchAdd and so on. */
#define MTSHMEMI_ATOMIC(Name, OPERATION)                                             \
  template <typename T>                                                              \
  MTSHMEMI_FN T atomicFetch##Name(T* object, T value, int pe) {                      \
    return isFar(pe) ? farAtomic(MTSHMEMI_##OPERATION, object, pe, value, T{}, true) \
                     : fetch##Name(nearPlace(object, pe), value);                    \
  }                                                                                  \
  template <typename T>                                                              \
  MTSHMEMI_FN void atomic##Name(T* object, T value, int pe) {                        \
    if (isFar(pe)) {                                                                 \
      farAtomic(MTSHMEMI_##OPERATION, object, pe, value, T{}, false);                \
    } else {                                                                         \
      fetch##Name(nearPlace(object, pe), value);                                     \
    }                                                                                \
  }
MTSHMEMI_ATOMIC(Add, ADD)
MTSHMEMI_ATOMIC(And, AND)
MTSHMEMI_ATOMIC(Or, OR)
MTSHMEMI_ATOMIC(Xor, XOR)
#undef MTSHMEMI_ATOMIC

}  // namespace mtshmemi

#endif
