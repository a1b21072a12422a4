/* Requests of kernels to PEs of other hosts. */
#ifndef MTSHMEM_DETAIL_ASK_H
#define MTSHMEM_DETAIL_ASK_H

#include "core.h"

namespace mtshmemi {

#if !defined(MTSHMEMI_HOST)
/* In the library, whose code waits for the answer: to the compiler of kernels this is a call like any other,
 * so that kernels whose PEs are all near stay what they are. */
__device__ inline void ask(mtshmemi_request_t& request, bool wait) {
  request.isWaitedFor = wait;
  state().ask(&request);
}
#endif

MTSHMEMI_FAR mtshmemi_request_t requestOf(mtshmemi_operation operation, const void* object, int pe) {
  const char* const bytes = static_cast<const char*>(object);
  if (bytes < state().heap || bytes >= state().heap + state().bytes) outside(object, pe);
  mtshmemi_request_t request{};
  request.operation = operation;
  request.pe = pe;
  request.offset = static_cast<uint64_t>(bytes - state().heap);
  return request;
}

template <typename T>
MTSHMEMI_FN uint64_t bitsOf(const T& value) {
  static_assert(sizeof(T) <= 8, "a word");
  uint64_t bits = 0;
  __builtin_memcpy(&bits, &value, sizeof value);
  return bits;
}
template <typename T>
MTSHMEMI_FN T ofBits(uint64_t bits) {
  T value;
  __builtin_memcpy(&value, &bits, sizeof value);
  return value;
}

/* By one thread. */
MTSHMEMI_FAR void farPut(void* to, const void* from, size_t bytes, int pe, bool wait) {
  if (bytes == 0) return;
  mtshmemi_request_t request = requestOf(MTSHMEMI_PUT, to, pe);
  request.local = const_cast<void*>(from);
  request.bytes = bytes;
  ask(request, wait);
}
MTSHMEMI_FAR void farGet(void* to, const void* from, size_t bytes, int pe) {
  if (bytes == 0) return;
  mtshmemi_request_t request = requestOf(MTSHMEMI_GET, from, pe);
  request.local = to;
  request.bytes = bytes;
  ask(request, true);
}
/* A word by its bits; what comes back. */
MTSHMEMI_FAR uint64_t farBits(mtshmemi_operation operation, const void* object, int pe, uint32_t width,
                              uint64_t operand, uint64_t compare, bool answer) {
  mtshmemi_request_t request = requestOf(operation, object, pe);
  request.operand = operand;
  request.compare = compare;
  request.bytes = width;
  request.width = width;
  request.isAnswered = answer;
  ask(request, answer);
  return request.result;
}
template <typename T>
MTSHMEMI_FN void farSet(T* to, T value, int pe) {
  farBits(MTSHMEMI_PUT, to, pe, sizeof(T), bitsOf(value), 0, false);
}
template <typename T>
MTSHMEMI_FN T farWord(const T* from, int pe) {
  return ofBits<T>(farBits(MTSHMEMI_GET, from, pe, sizeof(T), 0, 0, true));
}
template <typename T>
MTSHMEMI_FN T farAtomic(mtshmemi_operation operation, const T* object, int pe, T operand, T compare,
                        bool answer) {
  static_assert(sizeof(T) == 4 || sizeof(T) == 8, "atomics are of words of 4 or 8 bytes");
  return ofBits<T>(farBits(operation, object, pe, sizeof(T), bitsOf(operand), bitsOf(compare), answer));
}

/* Until all that this PE has asked for is done. */
MTSHMEMI_FAR void quiet() {
  fence();
  if (!state().isFar) return;
  mtshmemi_request_t request{};
  request.operation = MTSHMEMI_FLUSH;
  ask(request, true);
}

}  // namespace mtshmemi

#endif
