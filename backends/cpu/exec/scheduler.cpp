#include "cpu/exec/scheduler.h"

#include <algorithm>
#include <bit>
#include <mutex>
#include <utility>

#include "cpu/core/settings.h"
#include "cpu/exec/clock.h"
#include "cpu/exec/futex.h"
#include "cpu/exec/queue.h"
#include "support/processor_share.h"

namespace musashim::backend::cpu {

namespace {

constexpr int64_t kCallAfter = 20'000;    // ns: younger jobs are over before help pays
constexpr int64_t kJobStuck = 2'000'000;  // ns without a part taken, per helper it has
// Where other programs have the processors, a job's parts stand still without being stuck: then as many times
// that.
constexpr int64_t kStuckUnderLoad = 10;

}  // namespace

Scheduler& Scheduler::instance() {
  static Scheduler* const scheduler = new Scheduler;
  return *scheduler;
}

Scheduler::Scheduler()
    : processors_(settings().threads != 0 ? settings().threads : support::usableProcessors()),
      crew_(processors_, support::usableProcessors(), runListedAsCrew) {
  sleepers_.reserve(kMaxWorkers);
}

// ---- Lists

void Scheduler::pushReady(CpuQueue& queue) {
  unsigned index = static_cast<unsigned>(std::clamp(queue.priority() + 8, 0, int{kPriorities} - 1));
  List& list = ready_[index];
  queue.nextReady = nullptr;
  (list.tail ? list.tail->nextReady : list.head) = &queue;
  list.tail = &queue;
  readyMap_ |= 1u << index;
}

// The first listed queue that still waits for a thread; the caller owns it.
CpuQueue* Scheduler::popReady() {
  while (readyMap_ != 0) {
    unsigned index = static_cast<unsigned>(std::countr_zero(readyMap_));
    List& list = ready_[index];
    CpuQueue* queue = list.head;
    list.head = queue->nextReady;
    if (!list.head) {
      list.tail = nullptr;
      readyMap_ &= ~(1u << index);
    }
    queue->unlisted();
    if (queue->tryOwnQueued()) return queue;  // else a waiting thread has run it meanwhile
  }
  return nullptr;
}

void Scheduler::makeReady(CpuQueue& queue) {
  Summons summons;
  bool isLeftToWaiters = processors_ == 1;
  if (isLeftToWaiters) queue.noteReadyAt(monotonicNow());
  if (queue.tryList()) {  // else rule 1 covers it
    {
      std::lock_guard lock(lock_);
      pushReady(queue);
      isLeftToWaiters = isLeftToWaiters && hasOneReady();
      summons = ensureScout();
    }
    hints_.fetch_add(1);
    crew_.tellOfOtherWork();
  }
  const ScoutSleep sleep = scoutSleeps_.load();
  if (sleep == ScoutSleep::kLong && !areOfUse_.load(std::memory_order_relaxed)) {
    queue.noteReadyAt(monotonicNow());
  } else if (sleep != ScoutSleep::kNone &&
             (sleep != ScoutSleep::kShort || (processors_ == 1 && !isLeftToWaiters))) {
    rouseScout();
  }
  carryOut(summons);
}

void Scheduler::noteTakenByWaiter(int64_t readySince) {
  if (monotonicNow() - readySince > (processors_ == 1 ? kWaitersTurn : kShortNap))
    areOfUse_.store(true, std::memory_order_relaxed);
}

void Scheduler::rouseScout() {
  if (scoutSleeps_.exchange(ScoutSleep::kNone) != ScoutSleep::kNone) futexWake(hints_, 1);
}

void Scheduler::hurry() {
  urgent_.fetch_add(1, std::memory_order_relaxed);
  hints_.fetch_add(1);
  rouseScout();
}

// ---- Jobs

void Scheduler::markProgress(ParallelJob& job, int64_t now) {
  job.takenSince_ = now;
  job.takenAtTime_ = processTime();
}

// Parts that wait by spinning use up the processors' time; those that sleep are told by the clock alone.
bool Scheduler::isStuck(const ParallelJob& job, int64_t now) const {
  const int64_t enough = kJobStuck * (job.helpers_ + crew_.helpersOf(job) + 1),
                waited = now - job.takenSince_;
  return waited > enough && (waited > kStuckUnderLoad * enough || processTime() - job.takenAtTime_ > enough);
}

// A job of which no part was taken for long: its blocks may wait for blocks that have not begun. On the way,
// helpers are called for jobs that have turned out to be long.
ParallelJob* Scheduler::findStuckJob(int64_t now, Watch& watch) {
  if (jobs_ == nullptr) watch.quiet = false;
  for (ParallelJob* job = jobs_; job; job = job->next_) {
    if (!job->hasMore()) continue;
    if (!job->called_ && now - job->startedAt_ > kCallAfter) {
      job->called_ = true;
      crew_.call(*job, processors_ - 1);
    }
    if (!job->called_) watch.quiet = false;  // soon
    if (uint64_t taken = job->taken(); taken != job->takenSeen_ || job->takenSince_ == 0) {
      job->takenSeen_ = taken;
      markProgress(*job, now);
    } else if (isStuck(*job, now)) {
      markProgress(*job, now);
      return job;
    }
  }
  return nullptr;
}

void Scheduler::publish(ParallelJob& job, unsigned helpers) {
  job.called_ = helpers > 0;
  if (job.called_) crew_.call(job, helpers);
  if (!job.partsMayWait()) return;
  Summons summons;
  job.startedAt_ = monotonicNow();
  {
    std::lock_guard lock(lock_);
    job.next_ = jobs_;
    if (jobs_) jobs_->previous_ = &job;
    jobs_ = &job;
    summons = ensureScout();
  }
  carryOut(summons);
}

void Scheduler::want(ParallelJob& job, unsigned helpers) {
  std::lock_guard lock(lock_);
  if (!std::exchange(job.called_, true)) crew_.call(job, helpers);
}

void Scheduler::withdraw(ParallelJob& job) {
  if (job.partsMayWait()) {
    std::lock_guard lock(lock_);
    (job.previous_ ? job.previous_->next_ : jobs_) = job.next_;
    if (job.next_) job.next_->previous_ = job.previous_;
  }
  crew_.dismiss(job);
  for (int spins = 0; job.inside_.load(std::memory_order_acquire) != 0 && spins < 4000; ++spins) cpuPause();
  for (;;) {
    uint32_t inside = job.inside_.load(std::memory_order_acquire);
    if ((inside & ~ParallelJob::kOwnerSleeps) == 0) return;
    if (!(inside & ParallelJob::kOwnerSleeps)) {
      job.inside_.compare_exchange_strong(inside, inside | ParallelJob::kOwnerSleeps);
      continue;
    }
    futexWait(job.inside_, inside);
  }
}

}  // namespace musashim::backend::cpu
