/* What PEs do together: signals, barriers, collectives. */
#ifndef MTSHMEM_DETAIL_TOGETHER_H
#define MTSHMEM_DETAIL_TOGETHER_H

#include "waits.h"

namespace mtshmemi {

/* --- signals --------------------------------------------------------------------------------------- */

MTSHMEMI_FN void signalAt(uint64_t* flag, uint64_t value, int operation, int pe) {
  fence();
  if (operation == 9) {
    atomicSet(flag, value, pe);
  } else {
    atomicAdd(flag, value, pe);
  }
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
  if (Scope::rank() == 0) signalAt(flag, value, operation, pe);
}

/* --- barriers and collectives ---------------------------------------------------------------------- */

MTSHMEMI_FN bool isTeam(int slot) {
  if (slot >= 0 && slot < MTSHMEMI_MAX_TEAMS && state().teams[slot].valid) return true;
  needHeap();
  return false;
}

/* Each adds itself at the team's first PE, and waits until all have come as often as itself. Of a far team
 * each adds itself at all, so that nobody waits for a word of another host's. */
MTSHMEMI_FN void meet(int slot) {
  const mtshmemi_team_t& team = state().teams[slot];
  const uint64_t turn = fetchAdd(&head(state().me)->begun[slot], uint64_t{1}) + 1;
  const int first = team.isFar ? state().me : team.start;
  uint64_t* const own = &head(state().me)->arrived[slot];
  if (team.isFar) {
    for (int pe = 0; pe < team.size; ++pe) atomicAdd(own, uint64_t{1}, worldPe(team, pe));
  } else {
    fetchAdd(&head(first)->arrived[slot], uint64_t{1});
  }
  waitUntil(&head(first)->arrived[slot], 5, turn * static_cast<uint64_t>(team.size), slot);
}

/* Without the promise that what was put is there. */
template <typename Scope>
MTSHMEMI_FN int syncTeam(int slot) {
  if (!isTeam(slot)) return -1;
  fence();
  Scope::sync();
  if (Scope::rank() == 0) meet(slot);
  Scope::sync();
  fence();
  return 0;
}

template <typename Scope>
MTSHMEMI_FN int barrier(int slot) {
  if (!isTeam(slot)) return -1;
  Scope::sync();
  if (Scope::rank() == 0) quiet();
  return syncTeam<Scope>(slot);
}

/* `source` of a PE of the world; with what follows in order only after the scope's next sync. */
template <typename Scope, typename T>
MTSHMEMI_FN void fetchElements(T* to, const T* source, size_t count, int pe) {
  if (!isFar(pe)) return copyElements<Scope>(to, nearPlace(source, pe), count);
  if (Scope::rank() == 0) farGet(to, source, count * sizeof(T), pe);
}

template <typename Scope, typename T>
MTSHMEMI_FN int broadcast(int slot, T* to, const T* from, size_t count, int root) {
  if (barrier<Scope>(slot) != 0) return -1;
  const mtshmemi_team_t& team = state().teams[slot];
  if (root < 0 || root >= team.size) return -1;
  if (count > 0 && !(root == team.me && from == to))
    fetchElements<Scope>(to, from, count, worldPe(team, root));
  return barrier<Scope>(slot);
}

template <typename Scope, typename T>
MTSHMEMI_FN int fcollect(int slot, T* to, const T* from, size_t count) {
  if (barrier<Scope>(slot) != 0) return -1;
  const mtshmemi_team_t& team = state().teams[slot];
  for (int pe = 0; pe < team.size && count > 0; ++pe)
    fetchElements<Scope>(to + static_cast<size_t>(pe) * count, from, count, worldPe(team, pe));
  return barrier<Scope>(slot);
}

template <typename Scope, typename T>
MTSHMEMI_FN int alltoall(int slot, T* to, const T* from, size_t count) {
  if (barrier<Scope>(slot) != 0) return -1;
  const mtshmemi_team_t& team = state().teams[slot];
  const T* const own = from + static_cast<size_t>(team.me) * count;
  for (int pe = 0; pe < team.size && count > 0; ++pe)
    fetchElements<Scope>(to + static_cast<size_t>(pe) * count, own, count, worldPe(team, pe));
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

/* What PE `pe` has: where it is, or once it has come from another host. */
template <typename Scope, typename T>
MTSHMEMI_FN const T* piecePlace(const T* source, size_t count, int pe) {
  if (!isFar(pe)) return nearPlace(source, pe);
  T* const arrivals = reinterpret_cast<T*>(head(state().me)->arrivals);
  Scope::sync();  // what was there is read
  if (Scope::rank() == 0) farGet(arrivals, source, count * sizeof(T), pe);
  Scope::sync();
  return arrivals;
}

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
    for (int pe = 0; pe < team.size; ++pe) {
      const T* const source = piecePlace<Scope>(from + done, piece, worldPe(team, pe));
      if (Scope::rank() != 0) continue;
      for (size_t i = 0; i < piece; ++i) scratch[i] = pe == 0 ? source[i] : Op::of(scratch[i], source[i]);
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
  if (!isTeam(slot)) return -1;
  return reduceFrom<Scope, Op>(slot, to, from + static_cast<size_t>(state().teams[slot].me) * count, count);
}

}  // namespace mtshmemi

#endif
