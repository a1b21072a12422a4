// Runs blocks as compiled units: opens them, and says where diverged threads go on.
#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <string>

#include "cpu/devrt/barriers/named_barriers.h"
#include "cpu/devrt/checks/check_block.h"
#include "cpu/devrt/export.h"
#include "cpu/devrt/host_thread.h"
#include "cpu/devrt/services/fault.h"
#include "cpu/devrt/units/unit_ready.h"
#include "cpu/devrt/units/unit_scratch.h"
#include "cpu/devrt/units/unit_steps.h"

namespace musashim::devrt {

void BarrierTally::add(const MusaUnit& unit, uint16_t place, uint32_t thread) {
  const MusaRegion& region = regionAt(unit, place);
  ++threads;
  overGrid |= region.op == MUSA_OP_GRID_BARRIER;
  if (region.op != MUSA_OP_BARRIER && readOperand(unit, region.value, thread) != 0) ++holds;
}

void BarrierTally::deliver(const MusaUnit& unit, uint16_t place, uint32_t thread) const {
  const MusaRegion& region = regionAt(unit, place);
  if (region.op == MUSA_OP_BARRIER) return;
  uint32_t result = holds;
  if (region.op == MUSA_OP_BARRIER_AND) result = holds == threads;
  if (region.op == MUSA_OP_BARRIER_OR) result = holds != 0;
  writeResult(unit, region.result, thread, result);
}

namespace {

UnitScratch& scratch() {
  HostThread& thread = HostThread::current();
  if (!thread.units) thread.units = std::make_unique<UnitScratch>();
  return *thread.units;
}

uint32_t threadsOf(const MusaBlockContext& block) {
  return block.block_dim.x * block.block_dim.y * block.block_dim.z;
}

// --- Which threads of a unit go on ------------------------------------------------------

struct Survey {
  uint32_t living = 0, atBarrier = 0, yielding = 0, atStep = 0, atNamed = 0;
  uint32_t converging = 0, ahead = 0;  // at convergence points, and at the last of these
};

Survey survey(const MusaUnit& unit) {
  Survey result;
  uint64_t last = 0;
  for (uint32_t i = 0; i < unit.threads; ++i) {
    uint16_t place = unit.pc[i];
    if (hasExited(place)) continue;
    ++result.living;
    if (isWaiting(place)) {
      const MusaRegion& region = regionAt(unit, place);
      const uint32_t op = region.op;
      result.atBarrier += musaOpIsBarrier(op) != 0;
      result.yielding += op == MUSA_OP_YIELD;
      result.atStep += op == MUSA_OP_STEP;
      result.atNamed += op == MUSA_OP_NAMED_WAIT;
      if (op != MUSA_OP_CONVERGE) continue;
      ++result.converging;
      if (region.argument.constant > last) result.ahead = 0;
      last = std::max(last, region.argument.constant);
      result.ahead += region.argument.constant == last;
    }
  }
  return result;
}

// The region's threads run it, who may be all of the unit.
int32_t goOnAt(const MusaUnit& unit, uint32_t region) {
  const bool all = unit.in_row != 0 && isAtRegion(unit, region);
  return static_cast<int32_t>(region | (all ? uint32_t{MUSA_NEXT_ALL} : 0u));
}

void releaseBarrier(MusaUnit& unit) {
  BarrierTally tally;
  for (uint32_t i = 0; i < unit.threads; ++i) {
    if (!hasExited(unit.pc[i])) tally.add(unit, unit.pc[i], i);
  }
  if (tally.overGrid) __musa_grid_barrier(unit.block);
  for (uint32_t i = 0; i < unit.threads; ++i) {
    if (hasExited(unit.pc[i])) continue;
    tally.deliver(unit, unit.pc[i], i);
    goOn(unit, i);
  }
}

// The region in which all are to enter together, when those who are there have waited long enough for others
// that poll.
std::optional<uint32_t> goesOnBesidePolling(const MusaUnit& unit) {
  Patience& patience = scratch().patience;
  const std::optional<uint32_t> region = lowestReady(unit, 0);
  if (!region) patience.nobodyWaits(unit);
  return region && patience.isOver(unit) ? region : std::nullopt;
}

// Where no warp operation can complete and lanes may poll: who is at a convergence point goes on, or waits.
CompletedOps goOnConverging(MusaUnit& unit) {
  const Survey now = survey(unit);
  if (now.converging == 0) return {};
  const auto next = scratch().polling.next(
      {unit.first / unit.capacity, now.living, now.yielding, now.converging, now.ahead});
  if (next == PollingRounds::Next::kPollAgain) return {};
  const bool all = next == PollingRounds::Next::kAllGoOn;
  return completeWarpOps(unit, /*groupsApart=*/false, all ? Converging::kAllGoOn : Converging::kBehindGoOn);
}

// Those at steps as well: the block's other threads have stopped.
void releaseYielding(MusaUnit& unit) {
  uint64_t shortest = UINT64_MAX;
  for (uint32_t i = 0; i < unit.threads; ++i) {
    uint16_t place = unit.pc[i];
    if (!isWaiting(place)) continue;
    const MusaRegion& region = regionAt(unit, place);
    if (region.op == MUSA_OP_YIELD) shortest = std::min(shortest, readOperand(unit, region.argument, i));
    if (region.op == MUSA_OP_YIELD || region.op == MUSA_OP_STEP) goOn(unit, i);
  }
  if (unit.program->run == nullptr && shortest != UINT64_MAX)
    __musa_nanosleep(static_cast<uint32_t>(shortest));
}

std::string describe(const MusaUnit& unit) {
  Survey now = survey(unit);
  std::string text =
      fmt::format("the block's threads wait for each other for ever: of {} threads {} have ended",
                  unit.threads, unit.threads - now.living);
  if (now.atBarrier > 0) text += fmt::format("; {} wait at __syncthreads", now.atBarrier);
  for (const std::string& barrier : namedBarriers().describe()) text += "; " + barrier;
  for (uint32_t i = 0, described = 0, count = 1; i < unit.threads && described < 4; i += count, count = 1) {
    const uint16_t place = unit.pc[i];
    if (!isWaiting(place) || musaOpIsWarps(regionAt(unit, place).op) == 0) continue;
    const auto maskOf = [&](uint32_t thread) {
      return readOperand(unit, regionAt(unit, place).mask, thread);
    };
    const uint64_t mask = maskOf(i);
    while (i + count < unit.threads && unit.pc[i + count] == place && maskOf(i + count) == mask) ++count;
    text += count == 1 ? fmt::format("; thread {} waits", unit.first + i)
                       : fmt::format("; threads {}..{} wait", unit.first + i, unit.first + i + count - 1);
    text += fmt::format(" in a warp operation with mask {:#010x}", mask);
    ++described;
  }
  return text;
}

[[noreturn]] void deadlock(const MusaUnit& unit) {
  if (auto* checks = checks::BlockChecks::current()) checks->deadlocked();
  raiseFault(StatusCode::kDeadlock, describe(unit));
}

// --- Blocks that run warp by warp ----------------------------------------------------------

bool polls(const MusaUnitProgram& program) {
  return std::any_of(program.regions, program.regions + program.region_count,
                     [](const MusaRegion& region) { return region.op == MUSA_OP_YIELD; });
}

class Warps {
 public:
  Warps(const MusaBlockContext& block, const MusaUnitProgram& program) : block_(block), program_(program) {
    UnitScratch& memory = scratch();
    const WarpLayout layout{&program, program.lane_bytes, program.scalar_bytes, block.block_dim,
                            block.warp_size};
    if (!(layout == memory.layout)) {
      layOut(memory);
      memory.layout = layout;
      memory.waitsByNumber = waitsByNumber(program);
      memory.mayPoll = polls(program);
      memory.polling.begin(memory.units.size());
    }
    units_ = memory.units.data();
    count_ = static_cast<uint32_t>(memory.units.size());
    if (memory.block != &block) setBlock(memory);
    if (memory.rowsHaveParted) markRows(memory);
    hasNamed_ = memory.waitsByNumber;
    if (hasNamed_) beginNamedBarriers(threadsOf(block));
    startsInRow_ = memory.unitsInRow == count_;
    if (startsInRow_) return;
    for (uint32_t i = 0; i < memory.unitsInRow; ++i) start(units_[i], 0);
    for (uint32_t i = memory.unitsInRow; i < count_; ++i) startParted(units_[i]);
  }

  void run() {
    constexpr uint32_t kYields = 1u << MUSA_UNIT_YIELDS, kAtBarrier = 1u << MUSA_UNIT_AT_BARRIER,
                       kAtRelease = 1u << MUSA_UNIT_AT_RELEASE, kAtStep = 1u << MUSA_UNIT_AT_STEP;
    for (uint32_t which = startsInRow_ ? MUSA_UNITS_START : MUSA_UNITS_RELEASED;;) {
      const uint32_t states = program_.run(units_, count_, which);
      if ((states & (kYields | kAtBarrier | kAtRelease | kAtStep)) == 0) return;
      if (hasNamed_ && goesOnByNumber((states & (kYields | kAtStep)) != 0)) {
        which = MUSA_UNITS_YIELDING;
        continue;
      }
      if ((states & (kYields | kAtStep)) != 0) {
        which = MUSA_UNITS_YIELDING;
        if ((states & kYields) != 0) __musa_nanosleep(0);
        continue;
      }
      which = MUSA_UNITS_RELEASED;
      if ((states & kAtRelease) != 0) releaseBarrier();
    }
  }

 private:
  // What stays the same for all blocks of a grid.
  void layOut(UnitScratch& memory) {
    const uint32_t threads = threadsOf(block_), size = block_.warp_size;
    const uint32_t count = (threads + size - 1) / size;
    const bool rowsAreWhole = block_.block_dim.x % size == 0 || block_.block_dim.x >= threads;
    memory.unitsInRow = rowsAreWhole ? threads / size : 0;
    memory.units.resize(count);
    memory.places.resize(size_t{count} * size);
    memory.block = nullptr;
    memory.tabulate(block_.block_dim, threads);
    const size_t arrays = roundUp(program_.lane_bytes * size, 64),
                 scalars = roundUp(program_.scalar_bytes, 64);
    char* frames = memory.framesOf((arrays + scalars) * count + 64);
    for (uint32_t i = 0; i < count; ++i) {
      MusaUnit& unit = memory.units[i];
      unit.frame = frames;
      unit.scalars = frames + arrays;
      frames = unit.scalars + scalars;
      unit.pc = memory.places.data() + size_t{i} * size;
      unit.first = i * size;
      unit.threads = std::min(size, threads - i * size);
      unit.capacity = size;
      unit.thread_idx = memory.threadIdx.data() + unit.first;
      unit.origin = unit.thread_idx[0];
      unit.program = &program_;
    }
    markRows(memory);
  }

  static void markRows(UnitScratch& memory) {
    for (size_t i = 0; i < memory.units.size(); ++i) memory.units[i].in_row = i < memory.unitsInRow;
    memory.rowsHaveParted = false;
  }

  void setBlock(UnitScratch& memory) {
    for (MusaUnit& unit : memory.units) unit.block = &block_;
    memory.block = &block_;
  }

  static void start(MusaUnit& unit, int32_t resume) {
    unit.state = MUSA_UNIT_YIELDS;
    unit.resume = resume;
  }

  static void startParted(MusaUnit& unit) {
    start(unit, MUSA_RESUME_PARTED);
    std::fill_n(unit.pc, unit.threads, uint16_t{0});
    std::fill(unit.pc + unit.threads, unit.pc + unit.capacity, uint16_t{MUSA_PC_EXITED});
  }

  template <typename Visit>
  void forEachWaiting(Visit visit) {
    for (uint32_t i = 0; i < count_; ++i) {
      MusaUnit& unit = units_[i];
      if (unit.state == MUSA_UNIT_DONE) continue;
      const bool together = unit.resume != MUSA_RESUME_PARTED;
      for (uint32_t lane = 0; lane < unit.threads; ++lane) {
        const uint16_t place = together ? static_cast<uint16_t>(unit.resume) : unit.pc[lane];
        if (!hasExited(place)) visit(unit, place, lane);
      }
    }
  }

  // Whether warps are ready that were at numbered barriers. If nobody is ready, threads that have ended are
  // counted, and then all are at one barrier of the block, or wait for ever.
  bool goesOnByNumber(bool othersRun) {
    if (releaseNamed(units_, count_, /*ended=*/false)) return true;
    if (othersRun) return false;
    if (releaseNamed(units_, count_, /*ended=*/true)) return true;
    forEachWaiting([](MusaUnit& unit, uint16_t place, uint32_t) {
      if (!musaOpIsBarrier(regionAt(unit, place).op)) deadlock(unit);
    });
    return false;
  }

  // All warps that have not ended are at a barrier.
  void releaseBarrier() {
    BarrierTally tally;
    forEachWaiting([&](MusaUnit& unit, uint16_t place, uint32_t lane) { tally.add(unit, place, lane); });
    if (tally.overGrid) __musa_grid_barrier(&block_);
    forEachWaiting([&](MusaUnit& unit, uint16_t place, uint32_t lane) { tally.deliver(unit, place, lane); });
    for (uint32_t i = 0; i < count_; ++i) {
      MusaUnit& unit = units_[i];
      if (unit.state == MUSA_UNIT_DONE || unit.resume != MUSA_RESUME_PARTED) continue;
      for (uint32_t lane = 0; lane < unit.threads; ++lane) {
        if (!hasExited(unit.pc[lane])) goOn(unit, lane);
      }
    }
  }

  const MusaBlockContext& block_;
  const MusaUnitProgram& program_;
  MusaUnit* units_ = nullptr;
  uint32_t count_ = 0;
  bool startsInRow_ = false;  // each of them
  bool hasNamed_ = false;     // numbered barriers
};

}  // namespace

}  // namespace musashim::devrt

using namespace musashim::devrt;

extern "C" {

MUSADEVRT_API MusaUnit* __musa_open_block(const MusaBlockContext* block, const MusaUnitProgram* program) {
  UnitScratch& memory = scratch();
  const uint32_t threads = threadsOf(*block), capacity = roundUp(threads, 32);
  memory.layout = {};
  memory.units.resize(1);
  if (memory.places.size() < capacity) memory.places.resize(capacity);
  MusaUnit& unit = memory.units.front();
  unit.block = block;
  const size_t arrays = roundUp(program->lane_bytes * capacity, 64);
  unit.frame = memory.framesOf(arrays + program->scalar_bytes + 64);
  unit.scalars = unit.frame + arrays;
  unit.pc = memory.places.data();
  std::fill(unit.pc + threads, unit.pc + capacity, uint16_t{MUSA_PC_EXITED});
  unit.first = 0;
  unit.threads = threads;
  unit.capacity = capacity;
  unit.resume = 0;
  unit.origin = {0, 0, 0};
  unit.in_row = 1;
  unit.thread_idx = nullptr;
  unit.program = program;
  return &unit;
}

MUSADEVRT_API void __musa_run_warps(const MusaBlockContext* block, const MusaUnitProgram* program) {
  Warps(*block, *program).run();
}

MUSADEVRT_API void __musa_place_threads(MusaUnit* unit, uint32_t place) {
  std::fill_n(unit->pc, unit->threads, static_cast<uint16_t>(place));
  if (unit->in_row == 0) scratch().rowsHaveParted = true;
}

MUSADEVRT_API void __musa_move_threads(MusaUnit* unit, uint32_t from, uint32_t to) {
  std::replace(unit->pc, unit->pc + unit->threads, static_cast<uint16_t>(from), static_cast<uint16_t>(to));
}

MUSADEVRT_API int32_t __musa_next_region(MusaUnit* unit) {
  const bool isBlock = unit->program->run == nullptr;
  for (;;) {
    if (const std::optional<uint32_t> region = nextReady(*unit)) return goOnAt(*unit, *region);
    if (allHaveEnded(*unit)) return MUSA_NEXT_DONE;
    if (scratch().waitsByNumber && !isBlock && releaseNamed(*unit)) continue;
    const bool mayPoll = !isBlock && scratch().mayPoll;
    CompletedOps completed =
        completeWarpOps(*unit, /*groupsApart=*/false, mayPoll ? Converging::kWait : Converging::kBehindGoOn);
    if (!completed.any && mayPoll) completed = goOnConverging(*unit);
    if (completed.next) return goOnAt(*unit, *completed.next);
    if (completed.any) continue;
    const Survey now = survey(*unit);
    if (now.atBarrier + now.atNamed == now.living) {
      if (!isBlock) {
        unit->resume = MUSA_RESUME_PARTED;
        return MUSA_NEXT_AT_BARRIER;
      }
      releaseBarrier(*unit);
      continue;
    }
    if (now.yielding + now.atStep > 0) {
      if (now.yielding > 0 && now.converging == 0) {
        if (const std::optional<uint32_t> alone = goesOnBesidePolling(*unit))
          return static_cast<int32_t>(*alone);
      }
      releaseYielding(*unit);
      if (isBlock) continue;
      unit->resume = MUSA_RESUME_PARTED;
      return now.yielding > 0 ? MUSA_NEXT_YIELD : MUSA_NEXT_AT_STEP;
    }
    if (completeWarpOps(*unit, /*groupsApart=*/true, Converging::kBehindGoOn).any) continue;
    // The others will not come: those who wait where all should enter go on without them.
    const std::optional<uint32_t> alone = lowestReady(*unit, 0);
    if (!alone && now.atNamed > 0) {
      unit->resume = MUSA_RESUME_PARTED;  // other warps may come to where some wait
      return MUSA_NEXT_AT_BARRIER;
    }
    if (!alone) deadlock(*unit);
    return static_cast<int32_t>(*alone);
  }
}
}
