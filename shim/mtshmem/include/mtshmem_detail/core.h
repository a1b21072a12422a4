/* The operations themselves, for kernels and, in libmtshmem, for the host: one text, so that both do the same
 * on the same memory. A scope says who works together: a thread, a warp, a block, the host. */
#ifndef MTSHMEM_DETAIL_CORE_H
#define MTSHMEM_DETAIL_CORE_H

#include <stdio.h>

#include <type_traits>

#include "layout.h"

#if defined(MTSHMEMI_HOST)
#include <sched.h>
#define MTSHMEMI_FN inline
#define MTSHMEMI_FAR inline
#else
#define MTSHMEMI_FN __device__ inline
/* Rare, and slow by nature: once in a program, not at each call. */
#define MTSHMEMI_FAR static __device__ __attribute__((noinline))
#endif

namespace mtshmemi {

#if defined(MTSHMEMI_HOST)
extern mtshmemi_state_t gState;
inline const mtshmemi_state_t& state() { return gState; }
inline void rest(uint32_t turns) {
  if (turns % 64 == 0) sched_yield();
}
inline void sayWhere(mtshmemi_wait_t&) {}
/* Posts it; with `wait`, until it is done. Ends the process if the network fails. */
void ask(mtshmemi_request_t& request, bool wait);
[[noreturn]] void outside(const void* object, int pe);
inline void needHeap() {}  // the entries have looked
struct Host {
  static int rank() { return 0; }
  static int size() { return 1; }
  static void sync() {}
};
using Thread = Host;
#else
static __device__ mtshmemi_state_t gDeviceState = {-1, -1};
__device__ inline const mtshmemi_state_t& state() { return gDeviceState; }
__device__ inline void rest(uint32_t turns) { __nanosleep(turns < 16 ? 20 : 200); }
__device__ inline int threadOfBlock() {
  return static_cast<int>(threadIdx.x + blockDim.x * (threadIdx.y + blockDim.y * threadIdx.z));
}
MTSHMEMI_FAR void sayWhere(mtshmemi_wait_t& wait) {
  wait.isOfKernel = 1;
  wait.block[0] = blockIdx.x, wait.block[1] = blockIdx.y, wait.block[2] = blockIdx.z;
  wait.thread[0] = threadIdx.x, wait.thread[1] = threadIdx.y, wait.thread[2] = threadIdx.z;
}
/* The state is there on the device of the heap alone, and from its beginning on. */
MTSHMEMI_FAR void needHeap() {
  if (state().heap != nullptr) return;
  printf(
      "mtshmem: this kernel's device has no symmetric heap of this PE: the heap is on the device that was "
      "current at mtshmem_init(), or else at the first mtshmem_malloc()\n");
  __trap();
}
MTSHMEMI_FAR void outside(const void* object, int pe) {
  needHeap();
  printf("mtshmem: %p is no symmetric memory of PE %d\n", object, pe);
  __trap();
}
struct Thread {
  static __device__ int rank() { return 0; }
  static __device__ int size() { return 1; }
  static __device__ void sync() {}
};
struct Warp {
  static __device__ int rank() { return threadOfBlock() % warpSize; }
  static __device__ int size() {
    const int threads = static_cast<int>(blockDim.x * blockDim.y * blockDim.z);
    const int first = threadOfBlock() / warpSize * warpSize;
    return threads - first < warpSize ? threads - first : warpSize;
  }
  static __device__ void sync() { __syncwarp(); }
};
struct Block {
  static __device__ int rank() { return threadOfBlock(); }
  static __device__ int size() { return static_cast<int>(blockDim.x * blockDim.y * blockDim.z); }
  static __device__ void sync() { __syncthreads(); }
};
#endif

/* --- addresses ------------------------------------------------------------------------------------- */

/* Where the symmetric object is at another PE; null if it is none. */
template <typename T>
MTSHMEMI_FN T* at(const T* object, int pe) {
  const mtshmemi_state_t& here = state();
  const char* const bytes = reinterpret_cast<const char*>(object);
  if (bytes < here.heap || bytes >= here.heap + here.bytes || pe < 0 || pe >= here.size) return nullptr;
  return reinterpret_cast<T*>(here.peers[pe] + (bytes - here.heap));
}

MTSHMEMI_FN mtshmemi_heap_head_t* head(int pe) {
  return reinterpret_cast<mtshmemi_heap_head_t*>(state().peers[pe]);
}

MTSHMEMI_FN int worldPe(const mtshmemi_team_t& team, int pe) { return team.start + pe * team.stride; }

/* On another host. */
MTSHMEMI_FN bool isFar(int pe) {
  return state().isFar && pe >= 0 && pe < state().size && state().peers[pe] == nullptr;
}

/* As at(), of an object that must be symmetric and a PE that is near. */
template <typename T>
MTSHMEMI_FN T* nearPlace(T* object, int pe) {
  T* const place = at(object, pe);
  if (place == nullptr) outside(object, pe);
  return place;
}

/* --- copies ---------------------------------------------------------------------------------------- */

/* All stores are to memory that PEs share: in order they are done. */
MTSHMEMI_FN void fence() { __atomic_thread_fence(__ATOMIC_ACQ_REL); }

/* By one thread, behind a sync: the threads of a block are one thread of the host's, and a loop over what
 * lies side by side is the quickest that it can do. */
template <typename Scope, typename T>
MTSHMEMI_FN void copyElements(T* to, const T* from, size_t count) {
  if (Scope::rank() != 0) return;
  for (size_t i = 0; i < count; ++i) to[i] = from[i];
}

/* Bytes that may lie anywhere: by words where both ends allow it. */
template <typename Scope>
MTSHMEMI_FN void copyBytes(void* to, const void* from, size_t bytes) {
#if defined(MTSHMEMI_HOST)
  __builtin_memcpy(to, from, bytes);
#else
  const uintptr_t both = reinterpret_cast<uintptr_t>(to) | reinterpret_cast<uintptr_t>(from);
  if (both % 8 != 0)
    return copyElements<Scope>(static_cast<char*>(to), static_cast<const char*>(from), bytes);
  const size_t words = bytes / 8;
  copyElements<Scope>(static_cast<uint64_t*>(to), static_cast<const uint64_t*>(from), words);
  copyElements<Scope>(static_cast<char*>(to) + 8 * words, static_cast<const char*>(from) + 8 * words,
                      bytes % 8);
#endif
}

/* --- words --------------------------------------------------------------------------------------- */

template <typename T>
MTSHMEMI_FN T load(const T* from) {
  T value;
  __atomic_load(const_cast<T*>(from), &value, __ATOMIC_ACQUIRE);
  return value;
}
template <typename T>
MTSHMEMI_FN void store(T* to, T value) {
  __atomic_store(to, &value, __ATOMIC_RELEASE);
}
template <typename T>
MTSHMEMI_FN T swap(T* at, T value) {
  T before;
  __atomic_exchange(at, &value, &before, __ATOMIC_SEQ_CST);
  return before;
}
template <typename T>
MTSHMEMI_FN T compareSwap(T* at, T expected, T value) {
  __atomic_compare_exchange(at, &expected, &value, false, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST);
  return expected;
}
template <typename T>
MTSHMEMI_FN T fetchAdd(T* at, T value) {
  return __atomic_fetch_add(at, value, __ATOMIC_SEQ_CST);
}
template <typename T>
MTSHMEMI_FN T fetchAnd(T* at, T value) {
  return __atomic_fetch_and(at, value, __ATOMIC_SEQ_CST);
}
template <typename T>
MTSHMEMI_FN T fetchOr(T* at, T value) {
  return __atomic_fetch_or(at, value, __ATOMIC_SEQ_CST);
}
template <typename T>
MTSHMEMI_FN T fetchXor(T* at, T value) {
  return __atomic_fetch_xor(at, value, __ATOMIC_SEQ_CST);
}

}  // namespace mtshmemi

#endif
