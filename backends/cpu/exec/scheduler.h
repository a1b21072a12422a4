// Gives runnable queues, and jobs that can be shared, to worker threads.
//
// At most one idle worker is the scout: it looks for work by itself, first polling,
// then in naps, so that submit() need not wake anyone most of the time. All other
// idle workers sleep until woken. The rules that keep everything moving:
//   1. While a queue is listed, or there is a job whose parts may wait for each other, there is a scout, or
//      one is being woken. Whoever takes work under the lock restores this before unlocking.
//   2. The scout starts work while fewer workers run than the machine has processors,
//      or when nothing has been taken for a while: then those that run may spin.
//   3. A worker that has drained its queue looks for the next before it goes idle.
// Jobs are helped with by the crew (crew/crew.h). Workers come to those that stand still, beyond the number
// of processors: their parts may wait for parts that nobody has begun.
// Workers that have slept for long end, but for as many as the processors can use.
#pragma once

#include <array>
#include <atomic>
#include <bit>
#include <cstdint>
#include <vector>

#include "cpu/crew/crew.h"
#include "cpu/crew/parallel_job.h"
#include "cpu/exec/spin_lock.h"

namespace musashim::backend::cpu {

class CpuQueue;

class Scheduler {
 public:
  // One for the process; lives until it ends, as its threads do.
  static Scheduler& instance();

  // Lists a queue whose state is kQueued, for a worker to run.
  void makeReady(CpuQueue& queue);
  // Someone polls for listed work: start it now instead of at the scout's next look.
  void hurry();
  // Before a worker takes (more of) a queue: a thread that submits one command after the other gets some of
  // them in, instead of passing cache lines to and fro for each. Nobody waits for that long: who waits for a
  // queue runs it himself, and hurry() ends it, also one since `urgency()` was asked.
  uint32_t urgency() const { return urgent_.load(std::memory_order_relaxed); }
  void breathe(uint32_t since) const;

  // Somebody who waits for a queue has begun to run it, which nobody else has come for since then.
  void noteTakenByWaiter(int64_t readySince);

  // A job that may be helped from now on, until withdraw() returns. `helpers`: as many are worth waking. None
  // for a job of unknown length: those who may come when it has run for a while.
  void publish(ParallelJob& job, unsigned helpers);
  void want(ParallelJob& job, unsigned helpers);
  void withdraw(ParallelJob& job);

  unsigned processors() const { return processors_; }
  // Whether somebody watches for jobs: one that is published now is helped with at once.
  unsigned helpersAwake() const { return crew_.awake(); }

 private:
  struct Worker;
  struct Work {
    CpuQueue* queue = nullptr;
    ParallelJob* job = nullptr;
    explicit operator bool() const { return queue || job; }
  };
  // Whom to wake after unlocking.
  struct Summons {
    Worker* sleeper = nullptr;
    bool spawn = false;
  };

  struct Watch {
    int64_t activeAt = 0;  // when there was last anything to do, in ns; 0 = no look yet
    uint64_t taken = 0;    // pieces of work taken, and since when no more
    int64_t takenSince = 0;
    bool idle = false;       // long enough to give up
    bool quiet = false;      // all there is are jobs for which helpers have been called
    bool overtaken = false;  // there was a queue, and somebody else has run it
    int64_t waiters = 0;     // for how many ns more the only queue is left to who may wait for it
  };

  // How the scout sleeps: shortly, and soon comes by itself; for long, and is woken for a queue if workers
  // are of use; or while there are jobs that have their helpers, and is woken for whatever comes.
  enum class ScoutSleep : uint32_t { kNone, kShort, kLong, kQuiet };
  struct Nap {
    ScoutSleep kind = ScoutSleep::kShort;
    int64_t nanoseconds = 0;
  };

  Scheduler();
  static bool runListedAsCrew();
  static void startWorker();
  void workerMain(Worker& self);
  void run(const Work& work);
  Work nextWork(Worker& self);
  Work scoutForWork(Worker& self);
  void rouseScout();
  void noteTaken(bool wasOfUse);
  void sleepAsScout(uint32_t hints, const Nap& nap);
  bool sleepUntilSummoned(Worker& self);
  bool dismiss(Worker& self);

  // With lock_ held:
  Work look(Watch& watch);
  Nap napAfter(const Watch& watch);
  bool hasReady() const { return readyMap_ != 0; }
  bool hasOneReady() const {
    const List& list = ready_[static_cast<unsigned>(std::countr_zero(readyMap_)) % kPriorities];
    return std::has_single_bit(readyMap_) && list.head == list.tail;
  }
  void pushReady(CpuQueue& queue);
  CpuQueue* popReady();
  int64_t leftToWaiters(int64_t now) const;
  ParallelJob* findStuckJob(int64_t now, Watch& watch);
  static void markProgress(ParallelJob& job, int64_t now);
  bool isStuck(const ParallelJob& job, int64_t now) const;
  Summons ensureScout();
  Summons summon();
  void lieDown(Worker& self);
  void carryOut(const Summons& summons);  // with lock_ free

  static constexpr unsigned kPriorities = 16;  // lists; lower index first
  static constexpr unsigned kMaxWorkers = 1024;
  static constexpr int kBreath = 40;              // pauses: one to two microseconds
  static constexpr int64_t kShortNap = 50'000;    // ns
  static constexpr int64_t kLongNap = 1'600'000;  // ns, at most
  // With one processor: for so many ns from when it is listed a queue is left to the thread that fills it,
  // which mostly waits for it in a moment, and has its data in its own caches.
  static constexpr int64_t kWaitersTurn = 200'000;

  const unsigned processors_;
  Crew crew_;
  SpinLock lock_;  // guards what follows, atomics aside
  struct List {
    CpuQueue* head = nullptr;
    CpuQueue* tail = nullptr;
  };
  std::array<List, kPriorities> ready_;
  uint32_t readyMap_ = 0;
  ParallelJob* jobs_ = nullptr;
  std::vector<Worker*> sleepers_;
  unsigned workers_ = 0;
  unsigned running_ = 0;             // workers that run a queue or a job
  bool scout_ = false;               // there is one, or one is being woken
  uint64_t taken_ = 0;               // pieces of work taken so far
  std::atomic<uint32_t> hints_{0};   // changes when there may be work: the scout's poll and sleep word
  std::atomic<uint32_t> urgent_{0};  // changes when the scout should not take its time
  std::atomic<ScoutSleep> scoutSleeps_{ScoutSleep::kNone};
  // Whether the last queue that was listed was worth a worker: threads that wait at once for what they submit
  // run it themselves, and are not to spend time on waking one.
  std::atomic<bool> areOfUse_{true};
  std::atomic<int64_t> nap_{kShortNap};  // ns; the scout's next
};

}  // namespace musashim::backend::cpu
