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
#include "support/processor_share.h"

namespace musashim::mccl {
namespace {

constexpr int kSpins = 2000;  // some ten microseconds: about what waking a thread takes
constexpr auto kSleep = std::chrono::seconds(10);
constexpr size_t kMost = 16;  // threads of a job

constexpr int kOwnersSpins = 20;  // a microsecond at most
constexpr int kSpinsAtATime = 32;
constexpr auto kSoon = std::chrono::microseconds(30);
constexpr auto kLeastPatience = std::chrono::microseconds(60);  // what queuing a call of many ranks takes
constexpr auto kMostPatience = std::chrono::microseconds(300);

using Work = Helpers::Work;

// As they were when first asked for: threads may be bound to fewer later.
const std::optional<support::Processors>& allowed() {
  static const std::optional<support::Processors> kAllowed = support::Processors::ofThread();
  return kAllowed;
}

// What all who work on a job look at, in one word: they see all of a job or nothing of it.
struct Announcement {
  static constexpr unsigned kCountBits = 26;
  static constexpr size_t kMostPieces = (size_t{1} << kCountBits) - 1;

  uint32_t job = 0;
  size_t threads = 0, count = 0;  // of pieces

  static Announcement of(uint64_t word) {
    return {static_cast<uint32_t>(word >> 32), word >> kCountBits & 63, word & kMostPieces};
  }
  uint64_t word() const { return uint64_t{job} << 32 | uint64_t{threads} << kCountBits | count; }
  // Of the pieces, what thread `index` begins with.
  size_t beginOf(size_t index) const { return firstPiece(index, threads, count); }
};

// Written before the job is announced and only if it changes: what a program does again and again stays in
// all caches. A thread that comes late may read it while the next job is prepared; it gets no piece then.
struct alignas(64) Job {
  std::atomic<const Work*> work{nullptr};
  std::atomic<int> ownersProcessor{0};

  static constexpr auto kRelaxed = std::memory_order_relaxed;
};

// Of each thread that works on a job; the first seat is the owner's.
struct Seat {
  alignas(64) ChunkShare share;
  alignas(64) std::atomic<size_t> done{0};  // pieces, of all jobs; the helper writes it
  std::atomic<uint32_t> sleeps{0};          // the helper does; it sleeps on this
  std::atomic<int> processor{-1};           // that the helper was on when it came to its latest job
};

struct Pool {
  std::mutex owner;               // held by the caller whose job runs; guards the next four
  size_t helpers = 0;             // threads
  Clock::time_point lastAsked{};  // for help that need not be
  uint32_t jobs = 0;
  size_t doneByHelpers = 0;  // pieces, of all jobs
  std::atomic<size_t> started{0};
  Job job;
  alignas(64) std::atomic<uint64_t> announced{0};  // the last job
  std::array<Seat, kMost> seats;
};

Pool& pool() {
  static Pool* const kPool = new Pool;
  return *kPool;
}

// Takes pieces of a seat until none is left. Returns how many.
size_t takeOf(Pool& pool, size_t seat, size_t own, const Announcement& last) {
  const Order order = orderOf(last.job);
  const size_t begin = last.beginOf(seat), end = last.beginOf(seat + 1);
  // What it reads of the job belongs to the piece: the next job waits for it.
  const auto run = [&](size_t left) {
    const Work& work = *pool.job.work.load(Job::kRelaxed);
    work(inOrder(order, begin, end, left), order);
  };
  return pool.seats[seat].share.take(last.job, seat == own, run, [] { return true; }, end - begin);
}

bool isFor(size_t own, const Announcement& announcement, uint32_t last) {
  return announcement.job != last && own < announcement.threads;
}

void sleep(Pool& pool, size_t own, uint32_t last) {
  std::atomic<uint32_t>& sleeps = pool.seats[own].sleeps;
  // A store and a look on both sides: either the owner sees the sleeper, or this sees the job.
  for (sleeps.store(1); !isFor(own, Announcement::of(pool.announced.load()), last); sleeps.store(1))
    futexWait(sleeps, 1, false, kSleep);
  sleeps.store(0);
}

// The next job for the helper if there is one in time, else the last.
Announcement watch(Pool& pool, size_t own, const Announcement& last, Clock::duration patience) {
  const Clock::time_point until = Clock::now() + patience;
  do {
    for (int i = 0; i < kSpinsAtATime; ++i) {
      const Announcement next = Announcement::of(pool.announced.load(std::memory_order_acquire));
      if (isFor(own, next, last.job)) return next;
      cpuRelax();
    }
  } while (Clock::now() < until);
  return last;
}

// The owner hears of each thread's own pieces before that looks for those of others.
void help(Pool& pool, size_t own, const Announcement& job) {
  std::atomic<size_t>& done = pool.seats[own].done;
  for (size_t i = 0; i < job.threads; ++i) {
    if (const size_t taken = takeOf(pool, (own + i) % job.threads, own, job); taken > 0)
      done.store(done.load(std::memory_order_relaxed) + taken, std::memory_order_release);
  }
}

// Whether the owner has it, or a helper that is awake, of those before `end`.
bool isTaken(const Pool& pool, int processor, size_t own, size_t end) {
  if (pool.job.ownersProcessor.load(Job::kRelaxed) == processor) return true;
  for (size_t i = 1; i < end; ++i) {
    const Seat& seat = pool.seats[i];
    if (i != own && seat.processor.load(Job::kRelaxed) == processor && seat.sleeps.load(Job::kRelaxed) == 0)
      return true;
  }
  return false;
}

// Moves the helper where nobody else is, or one processor does the work of two: the kernel often wakes
// threads where their waker runs, and lets them be there. Of two helpers the lower stays. Each begins its
// search elsewhere, so that those who leave do not meet again. `jobsToStay`: before it looks again.
void findProcessor(Pool& pool, size_t own, int& jobsToStay) {
  constexpr int kJobsToStay = 30;
  Seat& seat = pool.seats[own];
  const int here = sched_getcpu();
  assignChanged(seat.processor, here);
  if (!allowed() || (here != pool.job.ownersProcessor.load(Job::kRelaxed) && jobsToStay-- > 0)) return;
  jobsToStay = kJobsToStay;
  if (!isTaken(pool, here, own, own)) return;
  for (int i = 0; i < CPU_SETSIZE; ++i) {
    const int next = (here + static_cast<int>(own) + i) % CPU_SETSIZE;
    if (!allowed()->has(next) || isTaken(pool, next, own, kMost)) continue;
    allowed()->moveTo(next);
    assignChanged(seat.processor, sched_getcpu());
    return;
  }
  support::leaveProcessor(pool.job.ownersProcessor.load(Job::kRelaxed));
}

void helperMain() {
  prctl(PR_SET_NAME, "mccl-helper");
  Pool& pool = mccl::pool();
  const size_t own = pool.started.fetch_add(1) + 1;
  Clock::duration patience = kLeastPatience;
  int jobsToStay = 0;
  for (Announcement job;;) {
    const uint32_t last = job.job;
    job = watch(pool, own, job, patience);
    if (job.job == last) {
      sleep(pool, own, last);
      jobsToStay = 0;
      continue;
    }
    const Clock::time_point begin = Clock::now();
    findProcessor(pool, own, jobsToStay);
    help(pool, own, job);
    // Others may have a piece to end, and what is queued comes behind that.
    patience = std::clamp<Clock::duration>((Clock::now() - begin) / 4, kLeastPatience, kMostPatience);
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

// Whether helpers have done all that was left to them.
bool isDone(const Pool& pool, size_t taken, size_t count) {
  return doneByHelpers(pool) == pool.doneByHelpers + count - taken;
}

void announce(Pool& pool, const Announcement& job) {
  pool.announced.store(job.word());
  for (size_t i = 1; i < job.threads; ++i) {
    std::atomic<uint32_t>& sleeps = pool.seats[i].sleeps;
    if (sleeps.load() == 0) continue;
    sleeps.store(0);
    futexWakeAll(sleeps, false);
  }
}

void runShared(Pool& pool, size_t count, size_t threads, const Work& work) {
  assignChanged(pool.job.work, &work);
  assignChanged(pool.job.ownersProcessor, sched_getcpu());
  if (++pool.jobs == 0) ++pool.jobs;
  const Announcement job{pool.jobs, threads, count};
  announce(pool, job);
  size_t taken = takeOf(pool, 0, 0, job);
  // Who looks for pieces of others takes lines from them: most are at their last.
  for (int spin = 0; spin < kOwnersSpins && !isDone(pool, taken, count); ++spin) cpuRelax();
  for (size_t i = 1; i < threads && !isDone(pool, taken, count); ++i) taken += takeOf(pool, i, 0, job);
  for (int spin = 0; !isDone(pool, taken, count); ++spin) {
    spin < kSpins ? cpuRelax() : std::this_thread::yield();  // a helper may have lost its processor
  }
  pool.doneByHelpers += count - taken;
}

}  // namespace

int Helpers::processors() {
  static const int kProcessors = [] {
    const int bound = allowed() ? std::max(1, allowed()->count()) : 1;
    return static_cast<int>(std::min(static_cast<unsigned>(bound), support::allowedProcessors()));
  }();
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
  if (count > 1 && count <= Announcement::kMostPieces && wanted != Wanted::kNever && most() > 1) {
    Pool& pool = mccl::pool();
    const std::unique_lock lock(pool.owner, std::try_to_lock);
    const size_t threads = lock ? threadsFor(pool, count, wanted) : 1;
    if (threads > 1) return runShared(pool, count, threads, work);
  }
  for (size_t index = 0; index < count; ++index) work(index, Order::kForwards);
}

}  // namespace musashim::mccl
