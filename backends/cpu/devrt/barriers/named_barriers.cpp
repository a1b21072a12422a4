#include "cpu/devrt/barriers/named_barriers.h"

#include <fmt/format.h>

#include <bit>
#include <vector>

#include "cpu/devrt/checks/check_block.h"
#include "cpu/devrt/export.h"
#include "cpu/devrt/fibers/block_fibers.h"
#include "cpu/devrt/host_thread.h"
#include "cpu/devrt/services/fault.h"

namespace musashim::devrt {

namespace {

constexpr uint32_t kLanes = 32;

}  // namespace

void NamedBarriers::order(const Threads& who) {
  checks::BlockChecks* const checks = checks::BlockChecks::current();
  if (checks == nullptr) return;
  std::vector<uint16_t> threads;
  for (uint32_t group = 0; group < who.size(); ++group) {
    for (uint32_t bits = who[group]; bits != 0; bits &= bits - 1)
      threads.push_back(
          static_cast<uint16_t>(group * kLanes + static_cast<uint32_t>(std::countr_zero(bits))));
  }
  checks->metAtBarrier(threads);
}

void NamedBarriers::begin(uint32_t threads) {
  threads_ = threads;
  if (!used_) return;
  used_ = false;
  barriers_ = {};
  copies_ = {};
}

uint32_t NamedBarriers::threadsOf(uint32_t group) const {
  const uint32_t first = group * kLanes;
  if (first >= threads_) return 0;
  return threads_ - first >= kLanes ? ~0u : (1u << (threads_ - first)) - 1;
}

void NamedBarriers::requireValid(uint32_t id, uint32_t count) const {
  if ((id & MUSA_BARRIER_OF_SQUAD) != 0) {
    const uint32_t squad = id - MUSA_BARRIER_OF_SQUAD;
    if (squad >= kSquads || (squad + 1) * MUSA_SQUAD_THREADS > threads_)
      raiseFault(StatusCode::kLaunchFailure,
                 fmt::format("a matrix instruction is one of {} threads together; the block has {}, not a "
                             "multiple of that",
                             int{MUSA_SQUAD_THREADS}, threads_));
    return;
  }
  if (id >= kNumbered)
    raiseFault(StatusCode::kLaunchFailure,
               fmt::format("a block has the barriers 0 to 15, not one of number {}", id));
  const uint32_t whole = (threads_ + kLanes - 1) / kLanes * kLanes;
  if (count % kLanes != 0 || count > whole)
    raiseFault(
        StatusCode::kLaunchFailure,
        fmt::format("barrier {} is to wait for {} threads: not a multiple of 32, or more than the block has",
                    id, count));
}

uint32_t NamedBarriers::arrive(uint32_t id, uint32_t count, bool predicate, uint32_t thread) {
  requireValid(id, count);
  const uint32_t whole = (threads_ + kLanes - 1) / kLanes * kLanes;
  used_ = true;
  Barrier& barrier = barriers_[indexOf(id)];
  const uint32_t expected = count == 0 ? whole : count;
  if (barrier.expected != 0 && barrier.expected != expected)
    raiseFault(StatusCode::kLaunchFailure,
               fmt::format("threads come to barrier {} with different counts: {} and {}", id,
                           barrier.expected, expected));
  barrier.expected = expected;
  barrier.ofBlock |= count == 0;
  const uint32_t group = thread / kLanes;
  barrier.who[group] |= 1u << thread % kLanes;
  barrier.arrived += 1;
  barrier.came += 1;
  barrier.holds += predicate;
  // A block's last warp may be smaller: it counts as a whole one.
  if (barrier.who[group] == threadsOf(group) && threadsOf(group) != ~0u)
    barrier.arrived += kLanes - static_cast<uint32_t>(std::popcount(threadsOf(group)));
  const uint32_t phase = barrier.phase;
  if (barrier.arrived >= barrier.expected) end(barrier);
  return phase;
}

void NamedBarriers::end(Barrier& barrier) {
  order(barrier.who);
  barrier.results[barrier.phase % kResults] = barrier.came << 16 | barrier.holds;
  ++barrier.phase;
  barrier.expected = barrier.arrived = barrier.came = barrier.holds = 0;
  barrier.ofBlock = false;
  barrier.who = {};
}

bool NamedBarriers::countEnded(const Threads& ended) {
  bool any = false;
  for (Barrier& barrier : barriers_) {
    if (barrier.expected == 0) continue;
    uint32_t arrived = 0;
    for (uint32_t group = 0; group < kGroups; ++group) {
      const bool counts = barrier.ofBlock || barrier.who[group] != 0;
      const uint32_t missing = ~threadsOf(group) | ended[group];
      const bool exists = group * kLanes < threads_;
      arrived += static_cast<uint32_t>(std::popcount(barrier.who[group] | (counts && exists ? missing : 0)));
    }
    if (arrived < barrier.expected) continue;
    for (uint32_t group = 0; group < kGroups; ++group) {
      if (barrier.ofBlock || barrier.who[group] != 0) barrier.who[group] |= ended[group] & threadsOf(group);
    }
    end(barrier);
    any = true;
  }
  return any;
}

std::vector<std::string> NamedBarriers::describe() const {
  std::vector<std::string> texts;
  for (uint32_t id = 0; id < kCount; ++id) {
    const Barrier& barrier = barriers_[indexOf(id)];
    if (barrier.expected == 0) continue;
    const std::string name = id < kNumbered
                                 ? fmt::format("barrier {}", id)
                                 : fmt::format("the matrix instruction of squad {}", id - kNumbered);
    texts.push_back(fmt::format("{} waits for {} threads, of which {} have come", name, barrier.expected,
                                barrier.arrived));
  }
  for (uint32_t id = 0; id < copies_.size(); ++id) {
    const CopyBarrier& barrier = copies_[id];
    if (barrier.arrived == 0 && barrier.bytes == 0) continue;
    texts.push_back(
        fmt::format("the barrier {} of copies waits for {} warps, of which {} have come, and {} bytes", id,
                    barrier.warps, barrier.arrived, barrier.bytes));
  }
  return texts;
}

NamedBarriers& namedBarriers() {
  HostThread& host = HostThread::current();
  if (!host.barriers) host.barriers = std::make_unique<NamedBarriers>();
  return *host.barriers;
}

void beginNamedBarriers(uint32_t threads) {
  HostThread& host = HostThread::current();
  if (host.barriers) host.barriers->begin(threads);
}

}  // namespace musashim::devrt

extern "C" MUSADEVRT_API uint32_t __musa_barrier_arrive(uint32_t id, uint32_t count, uint32_t predicate,
                                                        uint32_t thread, uint32_t threads) {
  using namespace musashim::devrt;
  HostThread& host = HostThread::current();
  if (!host.barriers) namedBarriers().begin(threads);
  const uint32_t phase = host.barriers->arrive(id, count, predicate != 0, thread);
  if (host.fibers && host.fibers->onFiber() && host.barriers->isOver(id, phase)) host.fibers->releaseNamed();
  return phase;
}
