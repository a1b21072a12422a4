// CUDA's barriers and warp operations on the coroutines of reference.h.
#pragma once

#include <algorithm>
#include <bit>
#include <cstring>
#include <utility>

inline void __syncthreads() { reference::meet(reference::Op::kBarrier, 0, 0, 0); }
inline int __syncthreads_count(int x) {
  return static_cast<int>(reference::meet(reference::Op::kBarrier, 1, 0, x != 0).result);
}
inline int __syncthreads_and(int x) {
  return static_cast<int>(reference::meet(reference::Op::kBarrier, 2, 0, x != 0).result);
}
inline int __syncthreads_or(int x) {
  return static_cast<int>(reference::meet(reference::Op::kBarrier, 3, 0, x != 0).result);
}
inline void __syncwarp(unsigned mask = ~0u) { reference::meet(reference::Op::kSyncwarp, 0, mask, 0); }

// --- Shuffles: the PTX ISA's "shfl.sync" ---------------------------------------------------

namespace reference {

enum Shuffle { kUp, kDown, kXor, kIdx };

inline unsigned shuffleSource(Shuffle form, unsigned lane, unsigned b, unsigned width) {
  const unsigned segment = (32 - width) & 31;  // bits that stay the caller's
  const unsigned first = lane & segment, last = first | (31 & ~segment);
  const int own = static_cast<int>(lane), by = static_cast<int>(b & 31);
  switch (form) {
    case kUp:
      return own - by >= static_cast<int>(first) ? lane - (b & 31) : lane;
    case kDown:
      return lane + (b & 31) <= last ? lane + (b & 31) : lane;
    case kXor:
      return (lane ^ (b & 31)) <= last ? lane ^ (b & 31) : lane;
    default:
      return first | (b & 31 & ~segment);
  }
}

template <class T>
T shuffle(Shuffle form, unsigned mask, T value, unsigned b, int width) {
  uint64_t bits = 0;
  std::memcpy(&bits, &value, sizeof value);
  const unsigned source = shuffleSource(form, block->current->linear % 32, b, static_cast<unsigned>(width));
  const Thread& thread = meet(Op::kShuffle, form, mask, bits);
  std::memcpy(&value, &thread.values[source], sizeof value);
  return value;
}

// Folds what the lanes of the mask contributed.
template <class T, class Fold>
T reduce(int kind, unsigned mask, T value, Fold fold) {
  const Thread& thread = meet(Op::kReduce, kind, mask, static_cast<unsigned>(value));
  bool first = true;
  T result{};
  for (unsigned lane = 0; lane < 32; ++lane) {
    if (((thread.present >> lane) & 1) == 0) continue;
    const T other = static_cast<T>(static_cast<unsigned>(thread.values[lane]));
    result = first ? other : fold(result, other);
    first = false;
  }
  return result;
}

inline unsigned lanesWith(const Thread& thread, uint64_t value) {
  unsigned result = 0;
  for (unsigned lane = 0; lane < 32; ++lane) {
    if (((thread.present >> lane) & 1) != 0 && thread.values[lane] == value) result |= 1u << lane;
  }
  return result;
}

}  // namespace reference

template <class T>
T __shfl_sync(unsigned mask, T value, int lane, int width = 32) {
  return reference::shuffle(reference::kIdx, mask, value, static_cast<unsigned>(lane), width);
}
template <class T>
T __shfl_up_sync(unsigned mask, T value, unsigned delta, int width = 32) {
  return reference::shuffle(reference::kUp, mask, value, delta, width);
}
template <class T>
T __shfl_down_sync(unsigned mask, T value, unsigned delta, int width = 32) {
  return reference::shuffle(reference::kDown, mask, value, delta, width);
}
template <class T>
T __shfl_xor_sync(unsigned mask, T value, int bits, int width = 32) {
  return reference::shuffle(reference::kXor, mask, value, static_cast<unsigned>(bits), width);
}

// --- Votes, matches, reductions --------------------------------------------------------------

inline unsigned __ballot_sync(unsigned mask, int x) {
  return reference::lanesWith(reference::meet(reference::Op::kVote, 0, mask, x != 0), 1);
}
inline int __all_sync(unsigned mask, int x) {
  const reference::Thread& thread = reference::meet(reference::Op::kVote, 1, mask, x != 0);
  return reference::lanesWith(thread, 1) == thread.present;
}
inline int __any_sync(unsigned mask, int x) {
  return reference::lanesWith(reference::meet(reference::Op::kVote, 2, mask, x != 0), 1) != 0;
}
template <class T>
unsigned __match_any_sync(unsigned mask, T value) {
  const auto bits = static_cast<uint64_t>(value);
  return reference::lanesWith(reference::meet(reference::Op::kMatch, 0, mask, bits), bits);
}
template <class T>
unsigned __match_all_sync(unsigned mask, T value, int* all) {
  const auto bits = static_cast<uint64_t>(value);
  const reference::Thread& thread = reference::meet(reference::Op::kMatch, 1, mask, bits);
  *all = reference::lanesWith(thread, bits) == thread.present;
  return *all ? thread.present : 0;
}
template <class T>
T __reduce_add_sync(unsigned mask, T x) {
  return reference::reduce(0, mask, x, [](T a, T b) {
    return static_cast<T>(static_cast<unsigned>(a) + static_cast<unsigned>(b));
  });
}
template <class T>
T __reduce_min_sync(unsigned mask, T x) {
  return reference::reduce(1, mask, x, [](T a, T b) { return std::min(a, b); });
}
template <class T>
T __reduce_max_sync(unsigned mask, T x) {
  return reference::reduce(2, mask, x, [](T a, T b) { return std::max(a, b); });
}
inline unsigned __reduce_and_sync(unsigned mask, unsigned x) {
  return reference::reduce(3, mask, x, [](unsigned a, unsigned b) { return a & b; });
}
inline unsigned __reduce_or_sync(unsigned mask, unsigned x) {
  return reference::reduce(4, mask, x, [](unsigned a, unsigned b) { return a | b; });
}
inline unsigned __reduce_xor_sync(unsigned mask, unsigned x) {
  return reference::reduce(5, mask, x, [](unsigned a, unsigned b) { return a ^ b; });
}

// Kernels use the caller's own bit only: who else is active is not defined.
inline unsigned __activemask() { return 1u << (reference::block->current->linear % 32); }

// --- What needs no other thread ---------------------------------------------------------------

template <class T>
T atomicAdd(T* place, T value) {
  const T before = *place;
  *place += value;
  return before;
}
inline unsigned atomicCAS(unsigned* place, unsigned expected, unsigned value) {
  const unsigned before = *place;
  if (before == expected) *place = value;
  return before;
}
inline unsigned atomicExch(unsigned* place, unsigned value) { return std::exchange(*place, value); }
inline void __threadfence_block() {}
inline unsigned atomicMax(unsigned* place, unsigned value) {
  const unsigned before = *place;
  *place = std::max(before, value);
  return before;
}
inline int __popc(unsigned x) { return std::popcount(x); }
inline int __clz(int x) { return std::countl_zero(static_cast<unsigned>(x)); }
inline int __ffs(int x) { return x == 0 ? 0 : std::countr_zero(static_cast<unsigned>(x)) + 1; }
inline unsigned __brev(unsigned x) {
  unsigned result = 0;
  for (unsigned i = 0; i < 32; ++i) result |= ((x >> i) & 1) << (31 - i);
  return result;
}
inline unsigned __umulhi(unsigned a, unsigned b) { return static_cast<unsigned>(uint64_t{a} * b >> 32); }
