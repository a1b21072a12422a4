#include "mccl/engine/helpers.h"

#include <sched.h>
#include <sys/prctl.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <chrono>
#include <mutex>
#include <optional>
#include <thread>
#include <utility>
#include <vector>

#include "mccl/core/assign_changed.h"
#include "mccl/core/service_thread.h"
#include "mccl/engine/chunk_share.h"
#include "mccl/engine/futex.h"
#include "mccl/engine/wait_point.h"
#include "support/processor.h"

namespace musashim::mccl {
namespace {

constexpr int kSpins = 2000;  // some ten microseconds: about what waking a thread takes
constexpr auto kSleep = std::chrono::seconds(10);
constexpr size_t kMost = 16;  // threads of a job

constexpr int kSpinsAtATime = 32;
constexpr auto kSoon = std::chrono::microseconds(30);  // as long as a helper watches at least
constexpr auto kMostPatience = std::chrono::microseconds(300);

using Work = Helpers::Work;

// As they were when first asked for: threads may be bound to fewer later.
const std::optional<support::Processors>& allowed() {
  static const std::optional<support::Processors> kAllowed = support::Processors::ofThread();
  return kAllowed;
}

// What all who work on a job read. Written before the job is opened and only if it changes: what a program
// does again and again stays in all caches. A thread that comes late may read it while the next job is
// prepared; it gets no piece then.
struct alignas(64) Job {
  std::atomic<const Work*> work{nullptr};
  std::atomic<size_t> count{0}, threads{0};
  std::atomic<int> ownersProcessor{0};

  // Of the pieces, what thread `index` begins with.
  size_t beginOf(size_t index) const {
    return firstPiece(index, threads.load(kRelaxed), count.load(kRelaxed));
  }

  static constexpr auto kRelaxed = std::memory_order_relaxed;
};

// Of each thread that works on a job; the first seat is the owner's.
struct Seat {
  alignas(64) ChunkShare share;
  alignas(64) std::atomic<size_t> done{0};  // pieces, of all jobs; the helper writes it
  std::atomic<uint32_t> sleeps{0};          // the helper does; it sleeps on this
};

struct Pool {
  std::mutex owner;               // held by the caller whose job runs; guards the next four
  size_t helpers = 0;             // threads
  Clock::time_point lastAsked{};  // for help that need not be
  uint32_t jobs = 0;
  size_t doneByHelpers = 0;  // pieces, of all jobs
  std::atomic<size_t> started{0};
  Job job;
  std::array<Seat, kMost> seats;
};

Pool& pool() {
  static Pool* const kPool = new Pool;
  return *kPool;
}

// Returns how many pieces were taken.
size_t takeAll(Pool& pool, size_t own, uint32_t job) {
  const Order order = orderOf(job);
  const size_t threads = pool.job.threads.load(Job::kRelaxed);
  size_t taken = 0;
  for (size_t i = 0; i < threads; ++i) {
    const size_t seat = (own + i) % threads;
    // What it reads of the job belongs to the piece: the next job waits for it.
    const auto run = [&](size_t left) {
      const Work& work = *pool.job.work.load(Job::kRelaxed);
      work(inOrder(order, pool.job.beginOf(seat), pool.job.beginOf(seat + 1), left), order);
    };
    taken += pool.seats[seat].share.take(job, i == 0, run, [] { return true; });
  }
  return taken;
}

void sleep(Seat& seat, uint32_t last) {
  seat.sleeps.store(1);
  // A store and a look on both sides: either the owner sees the sleeper, or this sees the job.
  while (seat.share.watch() == last) futexWait(seat.sleeps, 1, false, kSleep);
  seat.sleeps.store(0);
}

// The next job if there is one in time, else the last.
uint32_t watch(Seat& seat, uint32_t last, Clock::duration patience) {
  const Clock::time_point until = Clock::now() + patience;
  do {
    for (int i = 0; i < kSpinsAtATime; ++i) {
      if (const uint32_t job = seat.share.watch(); job != last) return job;
      cpuRelax();
    }
  } while (Clock::now() < until);
  return last;
}

void helperMain() {
  prctl(PR_SET_NAME, "mccl-helper");
  Pool& pool = mccl::pool();
  const size_t own = pool.started.fetch_add(1) + 1;
  Seat& seat = pool.seats[own];
  Clock::duration patience = kSoon;
  for (uint32_t job = 0;;) {
    const uint32_t last = job;
    job = watch(seat, last, patience);
    if (job == last) {
      sleep(seat, last);
      continue;
    }
    const Clock::time_point begin = Clock::now();
    support::leaveProcessor(pool.job.ownersProcessor.load(Job::kRelaxed));  // or one processor does all of it
    const size_t taken = takeAll(pool, own, job);
    if (taken == 0) continue;
    seat.done.store(seat.done.load(std::memory_order_relaxed) + taken, std::memory_order_release);
    // Others may have a piece to end, and what is queued comes behind that.
    patience = std::clamp<Clock::duration>((Clock::now() - begin) / 8, kSoon, kMostPatience);
  }
}

// How many threads a job gets. With the pool's lock.
size_t threadsFor(Pool& pool, size_t count, Helpers::Wanted wanted) {
  const size_t threads = std::min(count, Helpers::most());
  if (wanted == Helpers::Wanted::kIfAwake) {
    const Clock::time_point now = Clock::now();
    const bool goesOn = now - std::exchange(pool.lastAsked, now) < kSoon;
    const auto isAwake = [&](size_t i) { return i <= pool.helpers && pool.seats[i].sleeps.load() == 0; };
    size_t awake = 1;
    while (awake < threads && isAwake(awake)) ++awake;
    if (!goesOn) return awake;
  }
  // New threads may touch what this one may: device memory, too.
  for (; pool.helpers + 1 < threads; ++pool.helpers) startServiceThread(helperMain);
  return threads;
}

size_t doneByHelpers(const Pool& pool) {
  size_t done = 0;
  for (size_t i = 1; i <= pool.helpers; ++i) done += pool.seats[i].done.load(std::memory_order_acquire);
  return done;
}

void runShared(Pool& pool, size_t count, size_t threads, const Work& work) {
  Job& job = pool.job;
  assignChanged(job.work, &work);
  assignChanged(job.count, count);
  assignChanged(job.threads, threads);
  assignChanged(job.ownersProcessor, sched_getcpu());
  if (++pool.jobs == 0) ++pool.jobs;
  const auto open = [&](size_t i, std::memory_order order) {
    pool.seats[i].share.open(pool.jobs, job.beginOf(i + 1) - job.beginOf(i), order);
  };
  for (size_t i = 1; i < threads; ++i) {
    open(i, std::memory_order_seq_cst);
    Seat& seat = pool.seats[i];
    if (seat.sleeps.load() == 0) continue;
    seat.sleeps.store(0);
    futexWakeAll(seat.sleeps, false);
  }
  open(0, std::memory_order_release);
  pool.doneByHelpers += count - takeAll(pool, 0, pool.jobs);
  for (int spin = 0; doneByHelpers(pool) != pool.doneByHelpers; ++spin) {
    spin < kSpins ? cpuRelax() : std::this_thread::yield();  // a helper may have lost its processor
  }
}

}  // namespace

int Helpers::processors() {
  static const int kProcessors = allowed() ? std::max(1, allowed()->count()) : 1;  // a sum over 1024 bits
  return kProcessors;
}

size_t Helpers::placeOf(int processor) {
  static const auto kPlaces = [] {
    std::array<size_t, CPU_SETSIZE> places{};
    for (int i = 1; i < CPU_SETSIZE; ++i)
      places[i] = places[i - 1] + (!allowed() || allowed()->has(i - 1) ? 1 : 0);
    return places;
  }();
  return kPlaces[processor];
}

Helpers::Wanted Helpers::wantedFor(size_t traffic) {
  constexpr size_t kWorthHelp = 192 << 10;  // what a second thread pays for, if it is awake
  constexpr size_t kWorthWaking = 1 << 20;  // ... and if it has to be woken
  if (traffic < kWorthHelp) return Wanted::kNever;
  return traffic < kWorthWaking ? Wanted::kIfAwake : Wanted::kAlways;
}

size_t Helpers::most() { return std::min(static_cast<size_t>(processors()), kMost); }

void Helpers::run(size_t count, Wanted wanted, const Work& work) {
  if (count > 1 && wanted != Wanted::kNever && most() > 1) {
    Pool& pool = mccl::pool();
    const std::unique_lock lock(pool.owner, std::try_to_lock);
    const size_t threads = lock ? threadsFor(pool, count, wanted) : 1;
    if (threads > 1) return runShared(pool, count, threads, work);
  }
  for (size_t index = 0; index < count; ++index) work(index, Order::kForwards);
}

}  // namespace musashim::mccl
