/* The operations themselves, for kernels and, in libmtshmem, for the host: one text, so that both do the same
 * on the same memory. A scope says who works together: a thread, a warp, a block, the host. */
#ifndef MTSHMEM_DETAIL_CORE_H
#define MTSHMEM_DETAIL_CORE_H

#include <type_traits>

#include "layout.h"

#if defined(MTSHMEMI_HOST)
#include <sched.h>
#define MTSHMEMI_FN inline
#else
#define MTSHMEMI_FN __device__ inline
#endif

namespace mtshmemi {

#if defined(MTSHMEMI_HOST)
extern mtshmemi_state_t gState;
inline const mtshmemi_state_t& state() { return gState; }
inline void pauseWaiting(unsigned& turns) {
  if (++turns % 64 == 0) sched_yield();
}
struct Host {
  static int rank() { return 0; }
  static int size() { return 1; }
  static void sync() {}
};
using Thread = Host;
#else
static __device__ mtshmemi_state_t gDeviceState;
__device__ inline const mtshmemi_state_t& state() { return gDeviceState; }
__device__ inline void pauseWaiting(unsigned& turns) { __nanosleep(++turns < 16 ? 20 : 200); }
__device__ inline int threadOfBlock() {
  return static_cast<int>(threadIdx.x + blockDim.x * (threadIdx.y + blockDim.y * threadIdx.z));
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

/* --- copies ---------------------------------------------------------------------------------------- */

MTSHMEMI_FN void fence() { __atomic_thread_fence(__ATOMIC_SEQ_CST); }

template <typename Scope, typename T>
MTSHMEMI_FN void copyElements(T* to, const T* from, size_t count) {
  const size_t step = static_cast<size_t>(Scope::size());
  for (size_t i = static_cast<size_t>(Scope::rank()); i < count; i += step) to[i] = from[i];
}

/* Bytes that may lie anywhere: by words where both ends allow it. */
template <typename Scope>
MTSHMEMI_FN void copyBytes(void* to, const void* from, size_t bytes) {
  const uintptr_t both = reinterpret_cast<uintptr_t>(to) | reinterpret_cast<uintptr_t>(from);
  if (both % 8 != 0)
    return copyElements<Scope>(static_cast<char*>(to), static_cast<const char*>(from), bytes);
  const size_t words = bytes / 8;
  copyElements<Scope>(static_cast<uint64_t*>(to), static_cast<const uint64_t*>(from), words);
  copyElements<Scope>(static_cast<char*>(to) + 8 * words, static_cast<const char*>(from) + 8 * words,
                      bytes % 8);
}

template <typename Scope>
MTSHMEMI_FN void put(void* to, const void* from, size_t bytes, int pe) {
  copyBytes<Scope>(at(static_cast<char*>(to), pe), from, bytes);
  Scope::sync();
}

template <typename Scope>
MTSHMEMI_FN void get(void* to, const void* from, size_t bytes, int pe) {
  copyBytes<Scope>(to, at(static_cast<const char*>(from), pe), bytes);
  Scope::sync();
}

template <typename Scope, typename T>
MTSHMEMI_FN void copyStrided(T* to, const T* from, ptrdiff_t toStride, ptrdiff_t fromStride, size_t count) {
  for (size_t i = static_cast<size_t>(Scope::rank()); i < count; i += static_cast<size_t>(Scope::size()))
    to[static_cast<ptrdiff_t>(i) * toStride] = from[static_cast<ptrdiff_t>(i) * fromStride];
  Scope::sync();
}

/* --- atomics --------------------------------------------------------------------------------------- */

template <typename T>
struct Bits {
  using Type = std::conditional_t<sizeof(T) == 8, uint64_t, uint32_t>;
};

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

/* --- waiting --------------------------------------------------------------------------------------- */

template <typename T>
MTSHMEMI_FN bool compares(T value, int comparison, T with) {
  switch (comparison) {
    case 0:
      return value == with;
    case 1:
      return value != with;
    case 2:
      return value > with;
    case 3:
      return value <= with;
    case 4:
      return value < with;
    case 5:
      return value >= with;
    default:
      return false;
  }
}

template <typename T>
MTSHMEMI_FN bool test(const T* variable, int comparison, T with) {
  return compares(load(variable), comparison, with);
}

template <typename T>
MTSHMEMI_FN void waitUntil(const T* variable, int comparison, T with) {
  unsigned turns = 0;
  while (!test(variable, comparison, with)) pauseWaiting(turns);
}

/* How many of those that count hold; `one` is the last of them. A status that is not 0 leaves its variable
 * out. */
template <typename T>
MTSHMEMI_FN size_t testSome(const T* variables, size_t count, size_t* which, const int* status,
                            int comparison, const T* with, size_t step, size_t& left) {
  size_t found = 0;
  left = 0;
  for (size_t i = 0; i < count; ++i) {
    if (status != nullptr && status[i] != 0) continue;
    ++left;
    if (!test(variables + i, comparison, with[i * step])) continue;
    if (which != nullptr) which[found] = i;
    ++found;
  }
  return found;
}

template <typename T>
MTSHMEMI_FN void waitAll(const T* variables, size_t count, const int* status, int comparison, const T* with,
                         size_t step) {
  for (size_t i = 0; i < count; ++i) {
    if (status == nullptr || status[i] == 0) waitUntil(variables + i, comparison, with[i * step]);
  }
}

template <typename T>
MTSHMEMI_FN int testAll(const T* variables, size_t count, const int* status, int comparison, const T* with,
                        size_t step) {
  size_t left = 0;
  return testSome(variables, count, nullptr, status, comparison, with, step, left) == left;
}

/* SIZE_MAX if there is none to wait for. */
template <typename T>
MTSHMEMI_FN size_t testAny(const T* variables, size_t count, const int* status, int comparison, const T* with,
                           size_t step, bool& none) {
  none = true;
  for (size_t i = 0; i < count; ++i) {
    if (status != nullptr && status[i] != 0) continue;
    none = false;
    if (test(variables + i, comparison, with[i * step])) return i;
  }
  return SIZE_MAX;
}

template <typename T>
MTSHMEMI_FN size_t waitAny(const T* variables, size_t count, const int* status, int comparison, const T* with,
                           size_t step) {
  unsigned turns = 0;
  for (;;) {
    bool none = false;
    const size_t found = testAny(variables, count, status, comparison, with, step, none);
    if (found != SIZE_MAX || none) return found;
    pauseWaiting(turns);
  }
}

template <typename T>
MTSHMEMI_FN size_t waitSome(const T* variables, size_t count, size_t* which, const int* status,
                            int comparison, const T* with, size_t step) {
  unsigned turns = 0;
  for (;;) {
    size_t left = 0;
    const size_t found = testSome(variables, count, which, status, comparison, with, step, left);
    if (found > 0 || left == 0) return found;
    pauseWaiting(turns);
  }
}

template <typename T>
MTSHMEMI_FN size_t testAnyAlone(const T* variables, size_t count, const int* status, int comparison,
                                const T* with, size_t step) {
  bool none = false;
  return testAny(variables, count, status, comparison, with, step, none);
}

template <typename T>
MTSHMEMI_FN size_t testSomeAlone(const T* variables, size_t count, size_t* which, const int* status,
                                 int comparison, const T* with, size_t step) {
  size_t left = 0;
  return testSome(variables, count, which, status, comparison, with, step, left);
}

/* --- signals --------------------------------------------------------------------------------------- */

MTSHMEMI_FN void signal(uint64_t* at, uint64_t value, int operation) {
  if (operation == 9) {
    store(at, value);
  } else {
    fetchAdd(at, value);
  }
}

MTSHMEMI_FN void signalAt(uint64_t* flag, uint64_t value, int operation, int pe) {
  fence();
  signal(at(flag, pe), value, operation);
}

MTSHMEMI_FN uint64_t waitSignal(const uint64_t* flag, int comparison, uint64_t with) {
  waitUntil(flag, comparison, with);
  return load(flag);
}

template <typename Scope>
MTSHMEMI_FN void putSignal(void* to, const void* from, size_t bytes, uint64_t* flag, uint64_t value,
                           int operation, int pe) {
  put<Scope>(to, from, bytes, pe);
  fence();
  Scope::sync();
  if (Scope::rank() == 0) signal(at(flag, pe), value, operation);
}

/* --- barriers and collectives ---------------------------------------------------------------------- */

/* Each adds itself at the team's first PE, and waits until all have come as often as itself. */
MTSHMEMI_FN void meet(int slot) {
  const mtshmemi_team_t& team = state().teams[slot];
  const uint64_t turn = fetchAdd(&head(state().me)->begun[slot], uint64_t{1}) + 1;
  uint64_t* const arrived = &head(team.start)->arrived[slot];
  fetchAdd(arrived, uint64_t{1});
  waitUntil(arrived, 5, turn * static_cast<uint64_t>(team.size));
}

template <typename Scope>
MTSHMEMI_FN int barrier(int slot) {
  if (slot < 0 || slot >= MTSHMEMI_MAX_TEAMS || !state().teams[slot].valid) return -1;
  fence();
  Scope::sync();
  if (Scope::rank() == 0) meet(slot);
  Scope::sync();
  fence();
  return 0;
}

template <typename T>
MTSHMEMI_FN const T* sourceOf(const mtshmemi_team_t& team, const T* source, int pe) {
  return at(source, worldPe(team, pe));
}

template <typename Scope, typename T>
MTSHMEMI_FN int broadcast(int slot, T* to, const T* from, size_t count, int root) {
  if (barrier<Scope>(slot) != 0) return -1;
  const mtshmemi_team_t& team = state().teams[slot];
  if (root < 0 || root >= team.size) return -1;
  const T* const source = sourceOf(team, from, root);
  if (source != to) copyElements<Scope>(to, source, count);
  return barrier<Scope>(slot);
}

template <typename Scope, typename T>
MTSHMEMI_FN int fcollect(int slot, T* to, const T* from, size_t count) {
  if (barrier<Scope>(slot) != 0) return -1;
  const mtshmemi_team_t& team = state().teams[slot];
  for (int pe = 0; pe < team.size; ++pe)
    copyElements<Scope>(to + static_cast<size_t>(pe) * count, sourceOf(team, from, pe), count);
  return barrier<Scope>(slot);
}

template <typename Scope, typename T>
MTSHMEMI_FN int alltoall(int slot, T* to, const T* from, size_t count) {
  if (barrier<Scope>(slot) != 0) return -1;
  const mtshmemi_team_t& team = state().teams[slot];
  for (int pe = 0; pe < team.size; ++pe)
    copyElements<Scope>(to + static_cast<size_t>(pe) * count,
                        sourceOf(team, from, pe) + static_cast<size_t>(team.me) * count, count);
  return barrier<Scope>(slot);
}

struct Sum {
  template <typename T>
  static MTSHMEMI_FN T of(T a, T b) {
    return static_cast<T>(a + b);
  }
};
struct Prod {
  template <typename T>
  static MTSHMEMI_FN T of(T a, T b) {
    return static_cast<T>(a * b);
  }
};
struct Min {
  template <typename T>
  static MTSHMEMI_FN T of(T a, T b) {
    return b < a ? b : a;
  }
};
struct Max {
  template <typename T>
  static MTSHMEMI_FN T of(T a, T b) {
    return a < b ? b : a;
  }
};
struct And {
  template <typename T>
  static MTSHMEMI_FN T of(T a, T b) {
    return static_cast<T>(a & b);
  }
};
struct Or {
  template <typename T>
  static MTSHMEMI_FN T of(T a, T b) {
    return static_cast<T>(a | b);
  }
};
struct Xor {
  template <typename T>
  static MTSHMEMI_FN T of(T a, T b) {
    return static_cast<T>(a ^ b);
  }
};

/* In pieces that fit the scratch: nobody writes its result while others read its source, which may be the
 * same. */
template <typename Scope, typename Op, typename T>
MTSHMEMI_FN int reduceFrom(int slot, T* to, const T* from, size_t count) {
  if (barrier<Scope>(slot) != 0) return -1;
  const mtshmemi_team_t& team = state().teams[slot];
  T* const scratch = reinterpret_cast<T*>(head(state().me)->scratch);
  constexpr size_t kPiece = MTSHMEMI_SCRATCH_BYTES / sizeof(T);
  for (size_t done = 0; done < count; done += kPiece) {
    const size_t piece = count - done < kPiece ? count - done : kPiece;
    for (size_t i = static_cast<size_t>(Scope::rank()); i < piece; i += static_cast<size_t>(Scope::size())) {
      T value = sourceOf(team, from, 0)[done + i];
      for (int pe = 1; pe < team.size; ++pe) value = Op::of(value, sourceOf(team, from, pe)[done + i]);
      scratch[i] = value;
    }
    if (barrier<Scope>(slot) != 0) return -1;
    copyElements<Scope>(to + done, scratch, piece);
    Scope::sync();
  }
  return barrier<Scope>(slot);
}

template <typename Scope, typename Op, typename T>
MTSHMEMI_FN int reduce(int slot, T* to, const T* from, size_t count) {
  return reduceFrom<Scope, Op>(slot, to, from, count);
}

/* The piece of this PE of the reduced whole. The pieces that are read differ, so all must have read a piece
 * of the scratch's size before any is written: the number of rounds is the same everywhere. */
template <typename Scope, typename Op, typename T>
MTSHMEMI_FN int reduceScatter(int slot, T* to, const T* from, size_t count) {
  if (slot < 0 || slot >= MTSHMEMI_MAX_TEAMS || !state().teams[slot].valid) return -1;
  return reduceFrom<Scope, Op>(slot, to, from + static_cast<size_t>(state().teams[slot].me) * count, count);
}

}  // namespace mtshmemi

#endif
