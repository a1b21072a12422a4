// The scheduler's thread that looks for work: the scout.
#include <algorithm>
#include <bit>
#include <mutex>

#include "cpu/exec/clock.h"
#include "cpu/exec/futex.h"
#include "cpu/exec/queue.h"
#include "cpu/exec/scheduler.h"

namespace musashim::backend::cpu {

namespace {

constexpr int kPolls = 400;                 // of the scout before its first sleep: some microseconds
constexpr int64_t kNapsFor = 4'000'000;     // ns after the last work; then deep sleep
constexpr int64_t kQuietSleep = 1'000'000;  // ns; half of what makes a job count as stuck
constexpr int64_t kStarving = 50'000;       // ns without anything taken: others may spin
constexpr unsigned kMostBeyond = 8;         // workers beyond the processors that patience grows with

}  // namespace

// One look for work. `watch` remembers what earlier looks saw.
Scheduler::Work Scheduler::look(Watch& watch) {
  int64_t now = monotonicNow();
  if (taken_ != watch.taken || watch.takenSince == 0) {
    watch.taken = taken_;
    watch.takenSince = now;
  }
  Work work;
  bool mayRun = running_ < processors_;
  bool hadReady = hasReady();
  // The more run already, the longer the patience: those that only take their time bring no crowd.
  const int64_t beyond = mayRun ? 0 : std::min(kMostBeyond, running_ - processors_ + 1);
  watch.waiters = leftToWaiters(now);
  if (hadReady && watch.waiters == 0 && now - watch.takenSince >= kStarving * beyond * beyond)
    work.queue = popReady();
  watch.quiet = !hasReady();
  watch.overtaken = hadReady && !work.queue && watch.quiet;
  if (!work.queue) work.job = findStuckJob(now, watch);
  if (work.job) {
    ++work.job->helpers_;
    work.job->inside_.fetch_add(1, std::memory_order_acq_rel);
  }
  if (work) {
    ++taken_;
    ++running_;
  } else if (hadReady || jobs_ || watch.activeAt == 0) {
    watch.activeAt = now;
  }
  watch.idle = !hasReady() && !jobs_ && now - watch.activeAt > kNapsFor;
  return work;
}

int64_t Scheduler::leftToWaiters(int64_t now) const {
  if (processors_ > 1 || running_ > 0 || !hasOneReady()) return 0;
  const int64_t since = ready_[static_cast<unsigned>(std::countr_zero(readyMap_))].head->readyAt();
  return since == 0 ? 0 : std::max<int64_t>(0, since + kWaitersTurn - now);
}

// Each look takes some ten microseconds from whoever has this processor (a timer of a virtual machine is
// dear): every 50 us, a seventh of the time of threads that copy for a collective; with many processes, a
// third of all time. So looks that find nothing become rare.
Scheduler::Nap Scheduler::napAfter(const Watch& watch) {
  if (watch.overtaken) noteTaken(false);
  if (watch.waiters > 0) return {ScoutSleep::kShort, watch.waiters};
  if (watch.quiet) return {ScoutSleep::kQuiet, kQuietSleep};  // those who run the jobs need all processors
  const int64_t nap = jobs_ || hasReady() ? kShortNap : nap_.load(std::memory_order_relaxed);
  nap_.store(std::min(2 * nap, kLongNap), std::memory_order_relaxed);
  return {nap <= 2 * kShortNap ? ScoutSleep::kShort : ScoutSleep::kLong, nap};
}

// Of a queue that was listed: whether a worker could do something for it.
void Scheduler::noteTaken(bool wasOfUse) {
  areOfUse_.store(wasOfUse, std::memory_order_relaxed);
  if (wasOfUse) nap_.store(kShortNap, std::memory_order_relaxed);
}

void Scheduler::sleepAsScout(uint32_t hints, const Nap& nap) {
  scoutSleeps_.store(nap.kind);
  if (hints_.load() == hints) futexWaitFor(hints_, hints, nap.nanoseconds);
  scoutSleeps_.store(ScoutSleep::kNone);
}

void Scheduler::breathe(uint32_t since) const {
  for (int i = 0; i < kBreath && urgency() == since; ++i) cpuPause();
}

// Looks for work until there is some, or gives up: then `self` is among the sleepers.
Scheduler::Work Scheduler::scoutForWork(Worker& self) {
  Watch watch;
  int polls = kPolls;  // before the first sleep only: a processor is too good for more
  for (;;) {
    const uint32_t urgent = urgency();
    uint32_t hints = hints_.load(std::memory_order_acquire);
    Work work;
    Summons summons;
    Nap nap;
    {
      std::lock_guard lock(lock_);
      work = look(watch);
      if (work || watch.idle) scout_ = false;
      if (work) summons = ensureScout();
      if (!work && watch.idle) {
        lieDown(self);
        return {};
      }
      if (!work) nap = napAfter(watch);
    }
    carryOut(summons);
    if (work) return work;
    if (watch.quiet) polls = 0;
    for (; polls > 0 && hints_.load(std::memory_order_acquire) == hints; --polls) cpuPause();
    sleepAsScout(hints, nap);
    if (hints_.load(std::memory_order_relaxed) != hints) breathe(urgent);
  }
}

}  // namespace musashim::backend::cpu
