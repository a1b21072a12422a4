// What loops of checked kernels ask before they run: whether any of the places that they will access needs
// another look. A row that is told to need one has left nothing behind, and its accesses are looked at one by
// one.
#include <cstring>

#include "abi/musa_check_abi.h"
#include "cpu/devrt/check_hooks.h"

namespace {

// Accesses of `bytes`, `step` apart.
struct Row {
  uintptr_t first;
  int64_t step;
  uint64_t count;
  uint64_t bytes;

  int64_t span() const { return step * static_cast<int64_t>(count - 1); }
  uintptr_t begin() const { return step < 0 ? first + static_cast<uintptr_t>(span()) : first; }
  // Bytes from begin() on.
  uint64_t size() const { return static_cast<uint64_t>(step < 0 ? -span() : span()) + bytes; }
  bool isAligned(uint64_t align) const { return ((first | static_cast<uintptr_t>(step)) & (align - 1)) == 0; }
  bool isDense() const { return step == static_cast<int64_t>(bytes) || step == -static_cast<int64_t>(bytes); }
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
  const uint64_t step = static_cast<uint64_t>(row.step < 0 ? -row.step : row.step);
  for (uint64_t at = 0; at < row.count; ++at, offset += step) {
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
  const uint64_t step = static_cast<uint64_t>(row.step < 0 ? -row.step : row.step);
  for (uint64_t at = 0; at < (step == 0 ? 1 : row.count); ++at, offset += step)
    memset(written + offset / 4, MUSA_CHECK_WHOLE_WORD, row.bytes / 4);
  return true;
}

// ---- Races in shared memory

// Who accesses: `thread` and those that follow, or it alone.
struct Threads {
  uint64_t first;
  uint32_t next;
  uint64_t mine(uint64_t at) const { return first + at * next; }
};

struct Words {
  MusaCheckWord* first;
  int64_t step;  // from one access to the next
  uint64_t count;
};

// Calls visit(word, who) for each of the `kEach` words of each access.
template <unsigned kEach, typename Visit>
void forWords(const Words words, const Threads threads, Visit visit) {
  MusaCheckWord* at = words.first;
  uint64_t mine = threads.first;
  for (uint64_t access = 0; access < words.count; ++access, at += words.step, mine += threads.next) {
    for (unsigned word = 0; word < kEach; ++word) visit(at[word], mine);
  }
}

template <unsigned kEach, bool kWrites>
bool anyClash(const Words& words, const Threads& threads) {
  int clash = 0;
  forWords<kEach>(words, threads, [&clash](const MusaCheckWord& word, uint64_t mine) {
    clash |= musaCheckClash(word.write.who, mine);
    if constexpr (kWrites)
      clash |= musaCheckClash(word.reads[0].who, mine) | musaCheckClash(word.reads[1].who, mine);
  });
  return clash != 0;
}

// `what` is the same for all: the site, and the clock of each thread.
template <unsigned kEach, bool kWrites>
void remember(const Words& words, const Threads& threads, uint64_t what) {
  forWords<kEach>(words, threads, [what](MusaCheckWord& word, uint64_t mine) {
    const MusaCheckAccess access{mine | uint64_t{MUSA_CHECK_WHOLE_WORD} << 16, what};
    if constexpr (kWrites) {
      word.write = access;
    } else {
      word.reads[musaCheckClash(word.reads[0].who, mine)] = access;
    }
  });
}

// Several threads' reads of one place: what its only writer did clashes with the first of them, or with the
// last, and these are remembered.
template <unsigned kEach>
bool lookAtOne(Words words, Threads threads, uint64_t what) {
  const Threads last{threads.mine(words.count - 1), 0};
  words.count = 1;
  if (anyClash<kEach, false>(words, threads) || anyClash<kEach, false>(words, last)) return false;
  remember<kEach, false>(words, threads, what);
  remember<kEach, false>(words, last, what);
  return true;
}

template <unsigned kEach>
bool look(const Words& words, const Threads& threads, bool writes, uint64_t what) {
  if (writes) {
    if (anyClash<kEach, true>(words, threads)) return false;
    remember<kEach, true>(words, threads, what);
  } else if (words.step == 0) {
    return lookAtOne<kEach>(words, threads, what);
  } else {
    if (anyClash<kEach, false>(words, threads)) return false;
    remember<kEach, false>(words, threads, what);
  }
  return true;
}

bool allTheSame(const uint32_t* clocks, uint64_t count) {
  uint32_t differences = 0;
  for (uint64_t at = 1; at < count; ++at) differences |= clocks[at] ^ clocks[0];
  return differences == 0;
}

}  // namespace

extern "C" {

MUSADEVRT_API uint32_t __musa_check_row(const void* first, int64_t step, uint64_t count,
                                        const MusaCheckSite* site, uint32_t slot, uint32_t init) {
  const MusaCheckState& state = __musa_check_state;
  const MusaCheckEntry& entry = state.entries[slot];
  const Row row{reinterpret_cast<uintptr_t>(first), step, count, site->bytes};
  if (entry.generation != *state.generation || !row.isAligned(site->align) ||
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
  if (state.words == nullptr || !row.liesIn(state.shared, state.shared_bytes) ||
      !row.isAligned(site->align) || !row.isAligned(4) || (next != 0 && thread + count > 0x10000))
    return 0;
  const bool writes = site->kind == MUSA_SITE_WRITE;
  // Places that several threads share are looked at one by one.
  const auto apart = static_cast<uint64_t>(step < 0 ? -step : step);
  if (count > 1 && next != 0 && apart < row.bytes && (writes || step != 0)) return 0;
  const uint32_t* clocks = state.clocks + thread;
  if (next != 0 && !allTheSame(clocks, count)) return 0;
  const Threads threads{uint64_t{state.epoch} << 32 | (thread & 0xffff), next};
  const Words words{state.words + (row.first - state.shared) / 4, step / 4, count};
  const uint64_t what = *clocks | reinterpret_cast<uint64_t>(site) << 32;
  switch (row.bytes) {
    case 4:
      return look<1>(words, threads, writes, what);
    case 8:
      return look<2>(words, threads, writes, what);
    case 16:
      return look<4>(words, threads, writes, what);
    default:
      return 0;
  }
}
}
