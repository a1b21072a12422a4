// The scheduler's threads: starting and waking them, the scout, what each does next.
#include <sched.h>
#include <signal.h>
#include <sys/prctl.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <mutex>
#include <system_error>
#include <thread>

#include "core/processor.h"
#include "cpu/exec/clock.h"
#include "cpu/exec/futex.h"
#include "cpu/exec/queue.h"
#include "cpu/exec/scheduler.h"

namespace musashim::backend::cpu {

namespace {

constexpr int kPolls = 400;                     // of the scout before its first sleep: some microseconds
constexpr int64_t kKeen = 100'000;              // ns that a helper polls for the next grid
constexpr int64_t kLightSleep = 50'000;         // ns
constexpr int64_t kLightSleepsFor = 4'000'000;  // ns after the last work; then deep sleep
constexpr int64_t kQuietSleep = 1'000'000;      // ns; half of what makes a job count as stuck
constexpr int64_t kStarving = 50'000;           // ns without anything taken: others may spin
constexpr unsigned kMostBeyond = 8;             // workers beyond the processors that patience grows with

// User code expects its signals on its own threads; faults must stay deliverable.
class BlockSignals {
 public:
  BlockSignals() {
    sigset_t all;
    sigfillset(&all);
    for (int signal : {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGTRAP}) sigdelset(&all, signal);
    pthread_sigmask(SIG_BLOCK, &all, &old_);
  }
  ~BlockSignals() { pthread_sigmask(SIG_SETMASK, &old_, nullptr); }

 private:
  sigset_t old_;
};

}  // namespace

struct Scheduler::Worker {
  std::atomic<uint32_t> summoned{0};
  int64_t keenUntil = 0;  // after it has helped; also through queues that it runs meanwhile
};

// Rule 1.
Scheduler::Summons Scheduler::ensureScout() {
  if (scout_ || (!hasReady() && !jobs_)) return {};
  return summon();
}

Scheduler::Summons Scheduler::summon() {
  Summons summons;
  if (!sleepers_.empty()) {
    summons.sleeper = sleepers_.back();
    sleepers_.pop_back();
  } else if (workers_ < kMaxWorkers) {
    ++workers_;
    summons.spawn = true;
  } else {
    return {};  // every thread runs something; the next to end it looks here first
  }
  scout_ = true;
  return summons;
}

void Scheduler::carryOut(const Summons& summons) {
  if (summons.sleeper) {
    summons.sleeper->summoned.store(1, std::memory_order_release);
    futexWake(summons.sleeper->summoned, 1);
  }
  if (!summons.spawn) return;
  try {
    BlockSignals block;
    std::thread(&Scheduler::startWorker).detach();
  } catch (const std::system_error& error) {
    std::lock_guard lock(lock_);
    --workers_;
    scout_ = false;
    if (workers_ == 0) {
      fprintf(stderr, "musashim: cannot start a worker thread: %s\n", error.what());
      abort();  // nothing asynchronous could ever run
    }
  }
}

void Scheduler::startWorker() {
  prctl(PR_SET_NAME, "musa-worker");
  prctl(PR_SET_TIMERSLACK, 1000ul);  // light sleeps are short
  instance().workerMain(*new Worker);
}

void Scheduler::workerMain(Worker& self) {
  Work work = scoutForWork(self);
  for (;;) {
    if (work) {
      run(work);
      if (work.job) self.keenUntil = monotonicNow() + kKeen;
      work = nextWork(self);
    } else {
      sleepUntilSummoned(self);
      work = scoutForWork(self);
    }
  }
}

void Scheduler::run(const Work& work) {
  if (work.queue) {
    work.queue->runAsWorker();
    return;
  }
  ParallelJob& job = *work.job;
  leaveOwnersProcessor();
  job.work();
  {
    std::lock_guard lock(lock_);
    --job.helpers_;
  }
  // The owner may destroy the job as soon as this reaches zero.
  std::atomic<uint32_t>& inside = job.inside_;
  if (inside.fetch_sub(1, std::memory_order_acq_rel) == (ParallelJob::kOwnerSleeps | 1)) futexWake(inside, 1);
}

// After a piece of work: the next, or become the scout, or nothing (deep sleep follows).
Scheduler::Work Scheduler::nextWork(Worker& self) {
  Work work;
  Summons summons;
  bool isScout = false;
  {
    std::lock_guard lock(lock_);
    work.queue = popReady();
    if (work.queue) {
      ++taken_;
      summons = ensureScout();
    } else {
      --running_;
      isScout = !scout_;
      scout_ = true;
    }
  }
  carryOut(summons);
  if (work) return work;
  if (self.keenUntil != 0) work = pollKeenly(isScout, self.keenUntil);
  if (work) return work;
  self.keenUntil = 0;
  return isScout ? scoutForWork(self) : retire(self);
}

// Programs often run one large grid after the other, and who sleeps is late for each: a helper stays awake
// for a while. Beside a scout that sleeps, it takes what that one would be woken for.
Scheduler::Work Scheduler::pollKeenly(bool isScout, int64_t until) {
  Watch watch;
  Work work;
  keen_.fetch_add(1);
  do {
    const uint32_t hints = hints_.load();
    work = lookKeenly(isScout, watch);
    if (!work) awaitHint(hints, until);
  } while (!work && monotonicNow() < until);
  keen_.fetch_sub(1);
  // Whoever has had work since sees that nobody is keen; whoever had it before has listed it.
  return work ? work : lookKeenly(isScout, watch);
}

Scheduler::Work Scheduler::lookKeenly(bool isScout, Watch& watch) {
  Work work;
  Summons summons;
  {
    std::lock_guard lock(lock_);
    work = look(watch);
    if (work && isScout) scout_ = false;
    if (work) summons = ensureScout();
  }
  carryOut(summons);
  return work;
}

// Polls until there may be work, or `until`. Whoever else can run on this processor goes first.
void Scheduler::awaitHint(uint32_t hints, int64_t until) const {
  do {
    for (int i = 0; i < kBreath; ++i) {
      if (hints_.load(std::memory_order_acquire) != hints) return;
      cpuPause();
    }
    sched_yield();
    leaveOwnersProcessor();
  } while (monotonicNow() < until);
}

// A helper where the last job was published would only take time from who owns the job.
void Scheduler::leaveOwnersProcessor() const {
  core::leaveProcessor(ownersProcessor_.load(std::memory_order_relaxed));
}

// To the sleepers, unless nobody scouts any more.
Scheduler::Work Scheduler::retire(Worker& self) {
  {
    std::lock_guard lock(lock_);
    if (scout_) {
      self.summoned.store(0, std::memory_order_relaxed);
      sleepers_.push_back(&self);
      return {};
    }
    scout_ = true;
  }
  return scoutForWork(self);
}

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
  if (hadReady && now - watch.takenSince >= kStarving * beyond * beyond) work.queue = popReady();
  watch.quiet = !hasReady();
  if (!work.queue) work.job = joinJob(now, mayRun, watch);
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
  watch.idle = !hasReady() && !jobs_ && now - watch.activeAt > kLightSleepsFor;
  return work;
}

void Scheduler::sleepAsScout(uint32_t hints, ScoutSleep kind, int64_t nanoseconds) {
  scoutSleeps_.store(kind);
  if (hints_.load() == hints) futexWaitFor(hints_, hints, nanoseconds);
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
    {
      std::lock_guard lock(lock_);
      work = look(watch);
      if (work || watch.idle) scout_ = false;
      if (work) summons = ensureScout();
      if (!work && watch.idle) {
        self.summoned.store(0, std::memory_order_relaxed);
        sleepers_.push_back(&self);
        return {};
      }
    }
    carryOut(summons);
    if (work) return work;
    if (watch.quiet) {
      // Those who run the jobs need all processors.
      sleepAsScout(hints, ScoutSleep::kQuiet, kQuietSleep);
    } else {
      for (; polls > 0 && hints_.load(std::memory_order_acquire) == hints; --polls) cpuPause();
      sleepAsScout(hints, ScoutSleep::kLight, kLightSleep);
    }
    if (hints_.load(std::memory_order_relaxed) != hints) breathe(urgent);
  }
}

void Scheduler::sleepUntilSummoned(Worker& self) {
  while (self.summoned.load(std::memory_order_acquire) == 0) futexWait(self.summoned, 0);
}

}  // namespace musashim::backend::cpu
