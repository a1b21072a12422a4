// Warp operations.
//
// Lanes that call with one mask meet in a record. Its scope is the part of the warp
// that the operation's result can come from: 32 lanes, or the shuffle's width when
// that is more. So on 128-lane warps votes and matches concern the caller's 32 lanes
// (the mask's width in the vendor's headers), while a shuffle of width 128 and
// __syncwarp span the warp, the mask standing for each of its four groups alike. Where
// nobody else can go on, __syncwarp is about each group on its own: the masks of
// groups may differ, or only some groups come.
//
// A record is complete when every lane of its mask that has not ended has come; lanes
// whose assertions have failed never come. On 128-lane warps a lane that stands at
// __syncthreads is not waited for either: code written for 32 lanes ("if (threadIdx.x <
// 32)") leaves the other 96 there.
#include <algorithm>
#include <bit>
#include <utility>

#include "cpu/devrt/export.h"
#include "cpu/devrt/fibers/block_fibers.h"
#include "cpu/devrt/services/fault.h"

namespace musashim::devrt {

bool BlockFibers::isComplete(const WarpRecord& record) const {
  bool lenient = block_->warp_size > 32;
  for (uint32_t i = 0; i * 32 < record.lanes; ++i) {
    const Group& group = groups_[record.first / 32 + i];
    uint32_t expected = record.mask & (group.live | group.failed) & ~(lenient ? group.atBarrier : 0);
    if (expected & ~record.arrived[i]) return false;
  }
  return true;
}

WarpRecord& BlockFibers::openRecord(uint32_t mask, uint32_t first, uint32_t scope, bool mayPart) {
  const uint32_t warp = first / block_->warp_size;
  for (WarpRecord* record = open_[warp]; record; record = record->next) {
    if (record->mask == mask && record->first == first && record->lanes == scope &&
        record->mayPart == mayPart)
      return *record;
  }
  WarpRecord& record = records_.take();
  record.first = first;
  record.lanes = scope;
  record.mask = mask;
  record.warp = warp;
  record.mayPart = mayPart;
  record.readers = 1;  // it is open
  record.arrived = {};
  record.next = open_[warp];
  open_[warp] = &record;
  return record;
}

WarpRecord& BlockFibers::exchange(uint32_t mask, uint64_t value, uint32_t scope, bool mayPart) {
  Fiber& fiber = *current_;
  uint32_t lane = fiber.index % block_->warp_size;
  uint32_t first = fiber.index - lane % scope;
  WarpRecord& record = openRecord(mask, first, scope, mayPart);
  uint32_t place = fiber.index - first;
  record.values[place] = value;
  record.arrived[place / 32] |= 1u << (place % 32);
  if (isComplete(record)) {
    completeRecord(record);
  } else {
    fiber.record = &record;
    block(Waiting::kWarp);
  }
  return record;
}

void BlockFibers::wakeGroup(WarpRecord& record, uint32_t group) {
  record.readers += static_cast<uint32_t>(std::popcount(record.arrived[group]));
  for (uint32_t bits = record.arrived[group]; bits != 0; bits &= bits - 1) {
    Fiber& fiber = pool_[record.first + group * 32 + static_cast<uint32_t>(std::countr_zero(bits))];
    if (fiber.waiting == Waiting::kWarp) makeReady(fiber);
  }
}

// Closes the record to newcomers and wakes who waits in it.
void BlockFibers::completeRecord(WarpRecord& record) {
  WarpRecord** link = &open_[record.warp];
  while (*link != &record) link = &(*link)->next;
  *link = record.next;
  for (uint32_t i = 0; i * 32 < record.lanes; ++i) wakeGroup(record, i);
  doneWith(record);
}

// False: no group that waits in a __syncwarp is there as a whole.
bool BlockFibers::completeGroupsApart() {
  bool any = false;
  for (WarpRecord* record : open_) {
    for (; record != nullptr; record = record->next) {
      for (uint32_t i = 0; record->mayPart && i * 32 < record->lanes; ++i) {
        const Group& group = groups_[record->first / 32 + i];
        const uint32_t expected = record->mask & (group.live | group.failed) & ~group.atBarrier;
        if (record->arrived[i] == 0 || (expected & ~record->arrived[i]) != 0) continue;
        wakeGroup(*record, i);
        record->arrived[i] = 0;
        any = true;
      }
    }
  }
  return any;
}

void BlockFibers::doneWith(WarpRecord& record) {
  if (--record.readers == 0) records_.give(record);
}

// A lane has ended or come to a barrier: some records need not wait for it any more.
void BlockFibers::closeCompleteRecords(uint32_t warp) {
  for (WarpRecord* record = open_[warp]; record;) {
    WarpRecord* next = record->next;
    if (isComplete(*record)) completeRecord(*record);
    record = next;
  }
}

// Lanes meet at __musa_activemask: a group's callers go on when no other lane of the
// group can run, and those at one place of the code form the mask.
uint32_t BlockFibers::activeMask(const void* site) {
  Fiber& fiber = *current_;
  fiber.site = site;
  groups_[fiber.index / 32].atActiveMask |= 1u << (fiber.index % 32);
  block(Waiting::kActiveMask);
  return fiber.activeMask;
}

void BlockFibers::resolveGroup(uint32_t index) {
  resolveActiveMask(groups_[index], index);
  resolveConvergence(index);
}

void BlockFibers::resolveActiveMask(Group& group, uint32_t index) {
  if (group.atActiveMask == 0 || (group.live & ~group.blocked) != 0) return;
  uint32_t waiting = group.atActiveMask;
  group.atActiveMask = 0;
  for (uint32_t bits = waiting; bits != 0; bits &= bits - 1) {
    Fiber& fiber = pool_[index * 32 + static_cast<uint32_t>(std::countr_zero(bits))];
    fiber.activeMask = 0;
    for (uint32_t others = waiting; others != 0; others &= others - 1) {
      uint32_t lane = static_cast<uint32_t>(std::countr_zero(others));
      if (pool_[index * 32 + lane].site == fiber.site) fiber.activeMask |= 1u << lane;
    }
    makeReady(fiber);
  }
}

std::span<BlockFibers::Group> BlockFibers::warpOf(uint32_t group) {
  const uint32_t groups = block_->warp_size / 32;
  return std::span(groups_).subspan(group / groups * groups, groups);
}

// Lanes at convergence points go on when no other lane of the warp can run but those that only poll: what
// they poll for may be up to a lane that waits here. Those who are behind go first, and the others when they
// have caught up. MUSASHIM_SCHEDULE shows who counts on such points.
void BlockFibers::converge(uint32_t rank) {
  if (!schedule_.isForward()) return;
  Fiber& fiber = *current_;
  for (Group& group : warpOf(fiber.index / 32)) group.yielded = 0;
  groups_[fiber.index / 32].atConvergence |= 1u << (fiber.index % 32);
  fiber.ranks.push_back(rank);
  block(Waiting::kConvergence);
  fiber.ranks.pop_back();
}

void BlockFibers::resolveConvergence(uint32_t index) {
  const std::span<Group> warp = warpOf(index);
  const auto waits = [](const Group& group) { return group.atConvergence != 0; };
  const auto runs = [](const Group& group) {
    return group.atStep != 0 || (group.live & ~group.blocked & ~group.yielded) != 0;
  };
  if (std::ranges::none_of(warp, waits) || std::ranges::any_of(warp, runs)) return;
  const auto forEachWaiting = [&](auto visit) {
    for (Group& group : warp) {
      const auto first = static_cast<uint32_t>(&group - groups_.data()) * 32;
      for (uint32_t bits = group.atConvergence; bits != 0; bits &= bits - 1)
        visit(group, pool_[first + static_cast<uint32_t>(std::countr_zero(bits))]);
    }
  };
  const std::vector<uint32_t>* behind = nullptr;
  forEachWaiting([&](const Group&, const Fiber& fiber) {
    if (behind == nullptr || fiber.ranks < *behind) behind = &fiber.ranks;
  });
  forEachWaiting([&](Group& group, Fiber& fiber) {
    if (fiber.ranks != *behind) return;
    group.atConvergence &= ~(1u << (fiber.index % 32));
    makeReady(fiber);
  });
}

namespace {

constexpr uint32_t kGroup = 32;

// The calling device thread's side of a warp operation.
class Caller {
 public:
  explicit Caller(uint32_t mask) : fibers_(fibersOrFault("a warp operation")), mask_(takingPart(mask)) {}

  uint32_t lane() const { return fibers_.lane(); }
  uint32_t warpSize() const { return fibers_.warpSize(); }

  // Shuffle widths are powers of two up to the warp's; others are undefined: whole warp.
  uint32_t width(int32_t wanted) const {
    uint32_t width = static_cast<uint32_t>(wanted);
    return std::has_single_bit(width) && width <= warpSize() ? width : warpSize();
  }

  void sync() { fibers_.doneWith(fibers_.exchange(mask_, 0, warpSize(), /*mayPart=*/warpSize() > kGroup)); }

  // The value of `source`, a lane of the warp; the caller's own when it takes no part.
  uint64_t shuffle(uint64_t value, uint32_t source, uint32_t width) {
    uint32_t scope = width < kGroup ? kGroup : width;
    WarpRecord& record = fibers_.exchange(mask_, value, scope);
    uint32_t first = lane() - lane() % scope;
    uint64_t result = value;
    if (source >= first && source - first < scope && record.has(source - first)) {
      result = record.values[source - first];
    }
    fibers_.doneWith(record);
    return result;
  }

  // Lanes of the caller's group for whose value `test` holds.
  template <typename Test>
  uint32_t collect(uint64_t value, uint32_t scope, Test test) {
    WarpRecord& record = fibers_.exchange(mask_, value, scope);
    uint32_t base = lane() % scope / kGroup * kGroup;
    uint32_t result = 0;
    for (uint32_t bits = record.arrived[base / kGroup]; bits != 0; bits &= bits - 1) {
      uint32_t other = static_cast<uint32_t>(std::countr_zero(bits));
      if (test(record.values[base + other])) result |= 1u << other;
    }
    arrived_ = record.arrived[base / kGroup];
    fibers_.doneWith(record);
    return result;
  }

  uint32_t arrived() const { return arrived_; }  // who took part in the last collect()

 private:
  // A lane that its own mask does not name takes part with those of its kind, the others that the same mask
  // leaves out, when no lane of its group can run: so hardware moves them together.
  uint32_t takingPart(uint32_t mask) const {
    if ((mask >> (lane() % kGroup) & 1) != 0) return mask;
    // As the address of code, which a mask cannot be.
    return fibers_.activeMask(reinterpret_cast<const void*>(uintptr_t{mask}));
  }

  BlockFibers& fibers_;
  const uint32_t mask_;
  uint32_t arrived_ = 0;
};

bool isTrue(uint64_t value) { return value != 0; }

}  // namespace

}  // namespace musashim::devrt

using namespace musashim::devrt;

extern "C" {

MUSADEVRT_API void __musa_syncwarp(uint32_t mask) { Caller(mask).sync(); }

MUSADEVRT_API __attribute__((noinline)) uint32_t __musa_activemask(void) {
  BlockFibers* fibers = fibersOrNull();
  if (fibers == nullptr) return 1u << (__musa_thread.linear_idx % kGroup);  // a thread on its own
  return fibers->activeMask(__builtin_return_address(0));
}

MUSADEVRT_API void __musa_converge(uint32_t rank) {
  if (BlockFibers* fibers = fibersOrNull()) fibers->converge(rank);
}

MUSADEVRT_API void __musa_converge_enter(uint32_t rank) {
  if (BlockFibers* fibers = fibersOrNull()) fibers->enterCall(rank);
}

MUSADEVRT_API void __musa_converge_leave(void) {
  if (BlockFibers* fibers = fibersOrNull()) fibers->leaveCall();
}

MUSADEVRT_API uint64_t __musa_shfl_idx(uint32_t mask, uint64_t value, int32_t lane, int32_t width) {
  Caller caller(mask);
  uint32_t w = caller.width(width);
  uint32_t first = caller.lane() & ~(w - 1);
  return caller.shuffle(value, first + (static_cast<uint32_t>(lane) & (w - 1)), w);
}

MUSADEVRT_API uint64_t __musa_shfl_up(uint32_t mask, uint64_t value, uint32_t delta, int32_t width) {
  Caller caller(mask);
  uint32_t w = caller.width(width);
  uint32_t place = caller.lane() & (w - 1);
  return caller.shuffle(value, delta <= place ? caller.lane() - delta : caller.lane(), w);
}

MUSADEVRT_API uint64_t __musa_shfl_down(uint32_t mask, uint64_t value, uint32_t delta, int32_t width) {
  Caller caller(mask);
  uint32_t w = caller.width(width);
  uint32_t place = caller.lane() & (w - 1);
  return caller.shuffle(value, delta < w - place ? caller.lane() + delta : caller.lane(), w);
}

// Earlier segments may be read, later ones give the caller's own value.
MUSADEVRT_API uint64_t __musa_shfl_xor(uint32_t mask, uint64_t value, int32_t lane_mask, int32_t width) {
  Caller caller(mask);
  uint32_t w = caller.width(width);
  uint32_t bits = static_cast<uint32_t>(lane_mask) & (caller.warpSize() - 1);
  uint32_t source = caller.lane() ^ bits;
  if (source > (caller.lane() | (w - 1))) source = caller.lane();
  // A source outside the caller's segment needs a scope that holds both.
  uint32_t reach = std::bit_ceil(bits + 1);
  return caller.shuffle(value, source, reach > w ? reach : w);
}

MUSADEVRT_API uint32_t __musa_ballot(uint32_t mask, int32_t predicate) {
  return Caller(mask).collect(predicate != 0, kGroup, isTrue);
}

MUSADEVRT_API int32_t __musa_all(uint32_t mask, int32_t predicate) {
  Caller caller(mask);
  uint32_t yes = caller.collect(predicate != 0, kGroup, isTrue);
  return yes == caller.arrived();
}

MUSADEVRT_API int32_t __musa_any(uint32_t mask, int32_t predicate) {
  return Caller(mask).collect(predicate != 0, kGroup, isTrue) != 0;
}

MUSADEVRT_API uint32_t __musa_match_any(uint32_t mask, uint64_t value) {
  return Caller(mask).collect(value, kGroup, [value](uint64_t other) { return other == value; });
}

MUSADEVRT_API uint32_t __musa_match_all(uint32_t mask, uint64_t value, int32_t* predicate) {
  Caller caller(mask);
  uint32_t same = caller.collect(value, kGroup, [value](uint64_t other) { return other == value; });
  bool all = same == caller.arrived();
  *predicate = all;
  return all ? same : 0;
}
}
