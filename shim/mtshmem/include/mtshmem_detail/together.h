/* What PEs do together: signals, barriers, collectives. */
#ifndef MTSHMEM_DETAIL_TOGETHER_H
#define MTSHMEM_DETAIL_TOGETHER_H

#include "waits.h"

namespace mtshmemi {

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
