// The scheduler's threads: how they begin, are woken and end, and what each does next.
#include <sys/prctl.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <mutex>
#include <system_error>
#include <thread>

#include "cpu/crew/block_signals.h"
#include "cpu/exec/clock.h"
#include "cpu/exec/futex.h"
#include "cpu/exec/queue.h"
#include "cpu/exec/scheduler.h"
#include "cpu/memory/protection_keys.h"

namespace musashim::backend::cpu {

namespace {

constexpr int64_t kSurplus = 1'000'000'000;  // ns that a worker has slept for when others are enough

}  // namespace

struct Scheduler::Worker {
  std::atomic<uint32_t> summoned{0};
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
  prctl(PR_SET_TIMERSLACK, 1000ul);  // naps are short
  Worker self;
  instance().workerMain(self);
}

void Scheduler::workerMain(Worker& self) {
  ProtectionKeys::closeThread();
  Work work = scoutForWork(self);
  for (;;) {
    if (work) {
      run(work);
      work = nextWork(self);
    } else {
      if (!sleepUntilSummoned(self)) return;
      work = scoutForWork(self);
    }
  }
}

// One of the crew runs a queue, as workers do, if a processor is free for it.
bool Scheduler::runListedAsCrew() {
  Scheduler& self = instance();
  CpuQueue* queue = nullptr;
  Summons summons;
  {
    std::lock_guard lock(self.lock_);
    if (self.running_ < self.processors_) queue = self.popReady();
    if (queue == nullptr) return false;
    ++self.taken_;
    ++self.running_;
    if (self.hasReady()) self.crew_.tellOfOtherWork();
    summons = self.ensureScout();
  }
  self.carryOut(summons);
  self.noteTaken(queue->runAsWorker());
  std::lock_guard lock(self.lock_);
  --self.running_;
  if (self.hasReady()) self.crew_.tellOfOtherWork();
  return true;
}

void Scheduler::run(const Work& work) {
  if (work.queue) {
    noteTaken(work.queue->runAsWorker());
    return;
  }
  ParallelJob& job = *work.job;
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
  {
    std::lock_guard lock(lock_);
    work.queue = popReady();
    if (work.queue) {
      ++taken_;
      summons = ensureScout();
    } else {
      --running_;
      if (scout_) {
        lieDown(self);
        return {};
      }
      scout_ = true;
    }
  }
  carryOut(summons);
  return work ? work : scoutForWork(self);
}

void Scheduler::lieDown(Worker& self) {
  self.summoned.store(0, std::memory_order_relaxed);
  sleepers_.push_back(&self);
}

// False when the worker is to end. Whoever lay down last is woken first, so those whom a burst of work has
// brought sleep on. The few that stay sleep without a limit: an idle process does nothing at all.
bool Scheduler::sleepUntilSummoned(Worker& self) {
  const int64_t until = monotonicNow() + kSurplus;
  bool stays = false;
  while (self.summoned.load(std::memory_order_acquire) == 0) {
    const int64_t left = until - monotonicNow();
    if (stays) {
      futexWait(self.summoned, 0);
    } else if (left > 0) {
      futexWaitFor(self.summoned, 0, left);
    } else {
      if (dismiss(self)) return false;
      stays = true;
    }
  }
  return true;
}

// Takes a surplus worker from the sleepers, so that nobody can summon it any more. A wake-up that is under
// way from an earlier time finds another's word, or none: whoever sleeps on a word bears that.
bool Scheduler::dismiss(Worker& self) {
  std::lock_guard lock(lock_);
  const unsigned enough = processors_ + 1;  // with the scout
  if (workers_ <= enough) return false;
  const auto place = std::find(sleepers_.begin(), sleepers_.end(), &self);
  if (place == sleepers_.end()) return false;  // being summoned
  sleepers_.erase(place);
  --workers_;
  return true;
}

}  // namespace musashim::backend::cpu
