// What loops of checked kernels ask before they run: whether any of the places that they will access needs
// another look. A row that is told to need one has left nothing behind, and its accesses are looked at one by
// one.
#include <algorithm>
#include <cstring>

#include "abi/musa_check_abi.h"
#include "cpu/devrt/checks/check_hooks.h"

namespace {

// Accesses of `bytes`, `step` apart.
struct Row {
  uintptr_t first;
  int64_t step;
  uint64_t count;
  uint64_t bytes;

  // From one to the next, in either direction.
  uint64_t apart() const { return static_cast<uint64_t>(step < 0 ? -step : step); }
  uint64_t span() const { return apart() * (count - 1); }
  uintptr_t begin() const { return step < 0 ? first - span() : first; }
  // Bytes from begin() on.
  uint64_t size() const { return span() + bytes; }
  bool isAligned(uint64_t align) const { return ((first | static_cast<uintptr_t>(step)) & (align - 1)) == 0; }
  bool isDense() const { return apart() == bytes; }
  bool liesIn(uintptr_t base, uint64_t room) const {
    const uint64_t offset = begin() - base;
    return offset < room && size() <= room - offset;
  }
};

// ---- Which bytes have been written

bool allWritten(const uint8_t* words, size_t count) {
  uint8_t all = MUSA_CHECK_WHOLE_WORD;
  for (size_t at = 0; at < count; ++at) all &= words[at];
  return all == MUSA_CHECK_WHOLE_WORD;
}

bool isWritten(const uint8_t* written, uintptr_t offset, const Row& row) {
  constexpr uint64_t kSparse = 8;  // as many times the bytes that are read
  if (row.size() <= kSparse * row.bytes * row.count)
    return allWritten(written + offset / 4, (offset + row.size() + 3) / 4 - offset / 4);
  for (uint64_t at = 0; at < row.count; ++at, offset += row.apart()) {
    if (!allWritten(written + offset / 4, (offset + row.bytes + 3) / 4 - offset / 4)) return false;
  }
  return true;
}

// Words as a whole; of parts of one, other threads write the rest.
bool markWritten(uint8_t* written, uintptr_t offset, const Row& row) {
  if (row.bytes % 4 != 0 || offset % 4 != 0 || row.step % 4 != 0) return isWritten(written, offset, row);
  if (row.isDense()) {
    memset(written + offset / 4, MUSA_CHECK_WHOLE_WORD, row.size() / 4);
    return true;
  }
  for (uint64_t at = 0; at < (row.step == 0 ? 1 : row.count); ++at, offset += row.apart())
    memset(written + offset / 4, MUSA_CHECK_WHOLE_WORD, row.bytes / 4);
  return true;
}

// ---- Races in shared memory

constexpr uint64_t kWholeWord = uint64_t{MUSA_CHECK_WHOLE_WORD} << 16;

// Who accesses: `thread` and those that follow, or it alone.
struct Threads {
  uint64_t first;
  uint64_t following;  // all bits, or none
  uint64_t mine(uint64_t at) const { return first + (at & following); }
};

struct Words {
  uint64_t* first;
  uint64_t pitch;
  int64_t step;  // from one access to the next
  uint64_t count;
  uint64_t* who(unsigned sort) const { return first + sort * pitch; }
  uint64_t* what(unsigned sort) const { return first + (MUSA_CHECK_SORTS + sort) * pitch; }
};

#define MUSA_ALWAYS_INLINE __attribute__((always_inline)) inline

// Calls visit(word, who) for each of the `kEach` words of each access.
template <unsigned kEach, typename Visit>
MUSA_ALWAYS_INLINE void forWords(const Words& words, const Threads& threads, Visit visit) {
  const int64_t step = words.step;
  const uint64_t count = words.count, first = threads.first, following = threads.following;
  if (step == kEach) {  // what vectors take
#pragma clang loop vectorize(assume_safety)
    for (uint64_t at = 0; at < count * kEach; ++at)
      visit(static_cast<int64_t>(at), first + (at / kEach & following));
    return;
  }
  for (uint64_t access = 0; access < count; ++access) {
    for (unsigned word = 0; word < kEach; ++word)
      visit(static_cast<int64_t>(access) * step + word, first + (access & following));
  }
}

template <unsigned kEach, bool kWrites>
MUSA_ALWAYS_INLINE bool anyClash(const Words& words, const Threads& threads) {
  const uint64_t* write = words.who(MUSA_CHECK_LAST_WRITE);
  const uint64_t* first = words.who(MUSA_CHECK_FIRST_READ);
  const uint64_t* last = words.who(MUSA_CHECK_LAST_READ);
  uint64_t clash = 0;
  forWords<kEach>(words, threads, [&](int64_t at, uint64_t mine) {
    clash |= static_cast<uint64_t>(musaCheckClash(write[at], mine));
    if constexpr (kWrites) {
      clash |= static_cast<uint64_t>(musaCheckClash(first[at], mine));
      clash |= static_cast<uint64_t>(musaCheckClash(last[at], mine));
    }
  });
  return clash != 0;
}

// `what` is the same for all: the site, and the clock of each thread.
template <unsigned kEach>
MUSA_ALWAYS_INLINE void rememberWrites(const Words& words, const Threads& threads, uint64_t what) {
  uint64_t* const who = words.who(MUSA_CHECK_LAST_WRITE);
  uint64_t* const told = words.what(MUSA_CHECK_LAST_WRITE);
  forWords<kEach>(words, threads, [=](int64_t at, uint64_t mine) {
    who[at] = mine | kWholeWord;
    told[at] = what;
  });
}

// One of two places of each word is written anew, the other as it was: so there is no branch.
template <unsigned kEach>
MUSA_ALWAYS_INLINE void rememberReads(const Words& words, const Threads& threads, uint64_t what) {
  uint64_t* const first = words.who(MUSA_CHECK_FIRST_READ);
  uint64_t* const last = words.who(MUSA_CHECK_LAST_READ);
  uint64_t* const ofFirst = words.what(MUSA_CHECK_FIRST_READ);
  uint64_t* const ofLast = words.what(MUSA_CHECK_LAST_READ);
  forWords<kEach>(words, threads, [=](int64_t at, uint64_t mine) {
    const bool second = musaCheckClash(first[at], mine) != 0;
    const uint64_t who = mine | kWholeWord;
    first[at] = second ? first[at] : who;
    ofFirst[at] = second ? ofFirst[at] : what;
    last[at] = second ? who : last[at];
    ofLast[at] = second ? what : ofLast[at];
  });
}

// Several threads' reads of one place: what its only writer did clashes with the first of them, or with the
// last, and these are remembered.
template <unsigned kEach>
MUSA_ALWAYS_INLINE bool lookAtOne(Words words, const Threads& threads, uint64_t what) {
  const Threads last{threads.mine(words.count - 1), 0};
  words.count = 1;
  if (anyClash<kEach, false>(words, threads) || anyClash<kEach, false>(words, last)) return false;
  rememberReads<kEach>(words, threads, what);
  rememberReads<kEach>(words, last, what);
  return true;
}

template <unsigned kEach>
MUSA_ALWAYS_INLINE bool look(const Words& words, const Threads& threads, bool writes, uint64_t what) {
  if (writes) {
    if (anyClash<kEach, true>(words, threads)) return false;
    rememberWrites<kEach>(words, threads, what);
    return true;
  }
  if (words.step == 0) return lookAtOne<kEach>(words, threads, what);
  if (anyClash<kEach, false>(words, threads)) return false;
  rememberReads<kEach>(words, threads, what);
  return true;
}

using Look = bool(const Words&, const Threads&, bool writes, uint64_t what);

template <unsigned kEach>
bool lookPlainly(const Words& words, const Threads& threads, bool writes, uint64_t what) {
  return look<kEach>(words, threads, writes, what);
}

#ifdef __x86_64__
template <unsigned kEach>
__attribute__((target("avx512f,avx512dq,avx512vl"))) bool lookWidely(const Words& words,
                                                                     const Threads& threads, bool writes,
                                                                     uint64_t what) {
  return look<kEach>(words, threads, writes, what);
}

template <unsigned kEach>
Look* bestLook() {
  __builtin_cpu_init();
  const bool wide = __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512dq") &&
                    __builtin_cpu_supports("avx512vl");
  return wide ? lookWidely<kEach> : lookPlainly<kEach>;
}
#else
template <unsigned kEach>
Look* bestLook() {
  return lookPlainly<kEach>;
}
#endif

// By the bytes of an access, divided by eight.
Look* const looks[] = {bestLook<1>(), bestLook<2>(), bestLook<4>()};

}  // namespace

extern "C" {

MUSADEVRT_API uint32_t __musa_check_row(const void* first, int64_t step, uint64_t count,
                                        const MusaCheckSite* site, uint32_t slot, uint32_t init) {
  const MusaCheckState& state = __musa_check_state;
  const MusaCheckEntry& entry = state.entries[slot];
  const Row row{reinterpret_cast<uintptr_t>(first), step, count, site->bytes};
  if (count == 0 || entry.generation != *state.generation || !row.isAligned(site->align) ||
      !row.liesIn(entry.base, entry.bytes))
    return 0;
  if (init == 0 || entry.written == nullptr) return 1;
  const uintptr_t offset = row.begin() - entry.base;
  return site->kind == MUSA_SITE_WRITE ? markWritten(entry.written, offset, row)
                                       : isWritten(entry.written, offset, row);
}

MUSADEVRT_API uint32_t __musa_check_row_race(const void* first, int64_t step, uint64_t count,
                                             const MusaCheckSite* site, uint32_t thread, uint32_t next) {
  const MusaCheckState& state = __musa_check_state;
  const Row row{reinterpret_cast<uintptr_t>(first), step, count, site->bytes};
  if (count == 0 || state.words == nullptr || (row.bytes != 4 && row.bytes != 8 && row.bytes != 16) ||
      !row.liesIn(state.shared, state.shared_bytes) || !row.isAligned(site->align) || !row.isAligned(4) ||
      (next != 0 && thread + count > 0x10000))
    return 0;
  const bool writes = site->kind == MUSA_SITE_WRITE;
  // Places that several threads share are looked at one by one.
  if (count > 1 && next != 0 && row.apart() < row.bytes && (writes || step != 0)) return 0;
  const uint32_t* clocks = state.clocks + thread;
  if (next != 0 && *state.met != 0) return 0;
  const Threads threads{uint64_t{state.epoch} << 32 | (thread & 0xffff), next != 0 ? ~uint64_t{0} : 0};
  const Words words{state.words + (row.first - state.shared) / 4, state.pitch, step / 4, count};
  return looks[row.bytes / 8](words, threads, writes, *clocks | reinterpret_cast<uint64_t>(site) << 32);
}

MUSADEVRT_API void __musa_check_arrive(const MusaCheckSite* site, uint32_t thread, uint64_t count) {
  MusaCheckState& state = __musa_check_state;
  if (state.owner == nullptr) return;
  // Where all threads of the block arrive at one go, none waits.
  if (count < state.threads) std::fill_n(state.places + thread, count, site);
  musaCheckArrived(&state, site, static_cast<uint32_t>(count));
}

MUSADEVRT_API void __musa_check_end(uint32_t thread, uint64_t count) {
  MusaCheckState& state = __musa_check_state;
  if (state.owner == nullptr) return;
  std::fill_n(state.places + thread, count, state.ended);
  musaCheckEnded(&state, static_cast<uint32_t>(count));
}
}
