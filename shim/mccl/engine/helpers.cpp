#include "mccl/engine/helpers.h"

#include <sched.h>
#include <sys/prctl.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <chrono>
#include <mutex>
#include <thread>
#include <utility>

#include "core/processor.h"
#include "mccl/core/service_thread.h"
#include "mccl/engine/futex.h"
#include "mccl/engine/wait_point.h"

namespace musashim::mccl {
namespace {

constexpr int kSpins = 2000;  // some ten microseconds: about what waking a thread takes
constexpr auto kSleep = std::chrono::seconds(10);
constexpr size_t kMost = 16;  // threads of a job

constexpr auto kSoon = std::chrono::microseconds(30);  // about as long as a helper watches

using Work = Helpers::Work;

// What passes between the owner of a job and one helper, in one cache line; of the first seat, which is the
// owner's own, the share alone is used.
struct alignas(64) Seat {
  // kDone -> kPosted by the owner; then kTaken by the helper and kDone again, or kDone by the owner, who has
  // finished without it.
  enum : uint32_t { kDone, kPosted, kTaken };
  std::atomic<uint32_t> state{kDone};
  std::atomic<uint32_t> sleeps{0};
  // The job; set before kPosted.
  const Work* work = nullptr;
  size_t shares = 0;
  int ownersProcessor = 0;
  Order order = Order::kForwards;
  // Pieces [begin, end), from `next` on: of this seat's thread at first, then of whoever is done with its
  // own.
  std::atomic<size_t> next{0};
  size_t begin = 0, end = 0;
};
static_assert(sizeof(Seat) == 64);

struct Pool {
  std::mutex owner;               // held by the caller whose job runs; guards the next three
  size_t helpers = 0;             // threads
  Clock::time_point lastAsked{};  // for help that need not be
  uint64_t jobs = 0;
  std::atomic<size_t> started{0};
  std::array<Seat, kMost> seats;
};

Pool& pool() {
  static Pool* const kPool = new Pool;
  return *kPool;
}

void takeAll(Pool& pool, size_t own, size_t shares, Order order, const Work& work) {
  for (size_t i = 0; i < shares; ++i) {
    Seat& seat = pool.seats[(own + i) % shares];
    const size_t begin = seat.begin, end = seat.end;
    // A look costs less than an attempt: it leaves the line to the seat's own thread as well.
    while (seat.next.load(std::memory_order_relaxed) < end) {
      const size_t index = seat.next.fetch_add(1, std::memory_order_relaxed);
      if (index < end) work(inOrder(order, begin, end, index), order);
    }
  }
}

void sleep(Seat& seat) {
  seat.sleeps.store(1);
  // A store and a look on both sides: either the owner sees the sleeper, or this sees the job.
  while (true) {
    const uint32_t state = seat.state.load();
    if (state == Seat::kPosted) break;
    futexWait(seat.state, state, false, kSleep);
  }
  seat.sleeps.store(0);
}

void helperMain() {
  prctl(PR_SET_NAME, "mccl-helper");
  Pool& pool = mccl::pool();
  const size_t own = pool.started.fetch_add(1) + 1;
  Seat& seat = pool.seats[own];
  while (true) {
    const auto isPosted = [&] { return seat.state.load(std::memory_order_relaxed) == Seat::kPosted; };
    for (int i = 0; i < kSpins && !isPosted(); ++i) cpuRelax();
    if (!isPosted()) sleep(seat);
    uint32_t posted = Seat::kPosted;
    if (!seat.state.compare_exchange_strong(posted, Seat::kTaken, std::memory_order_acquire)) continue;
    core::leaveProcessor(seat.ownersProcessor);  // or one processor does all of the job
    takeAll(pool, own, seat.shares, seat.order, *seat.work);
    seat.state.store(Seat::kDone, std::memory_order_release);
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
  for (; pool.helpers + 1 < threads; ++pool.helpers) startServiceThread(helperMain);
  return threads;
}

void runShared(Pool& pool, size_t count, size_t threads, const Work& work) {
  const int processor = sched_getcpu();
  const Order order = orderOf(pool.jobs++);
  for (size_t i = 0; i < threads; ++i) {
    Seat& seat = pool.seats[i];
    seat.work = &work;
    seat.shares = threads;
    seat.ownersProcessor = processor;
    seat.order = order;
    seat.begin = i * count / threads;
    seat.end = (i + 1) * count / threads;
    seat.next.store(seat.begin, std::memory_order_relaxed);
  }
  for (size_t i = 1; i < threads; ++i) {
    Seat& seat = pool.seats[i];
    seat.state.store(Seat::kPosted);
    if (seat.sleeps.load() != 0) futexWakeAll(seat.state, false);
  }
  takeAll(pool, 0, threads, order, work);
  for (size_t i = 1; i < threads; ++i) {
    std::atomic<uint32_t>& state = pool.seats[i].state;
    uint32_t posted = Seat::kPosted;
    if (state.compare_exchange_strong(posted, Seat::kDone, std::memory_order_acquire)) continue;
    for (int spin = 0; state.load(std::memory_order_acquire) != Seat::kDone; ++spin) {
      spin < kSpins ? cpuRelax() : std::this_thread::yield();  // a helper may have lost its processor
    }
  }
}

}  // namespace

int Helpers::processors() {
  static const int kProcessors = [] {
    cpu_set_t set;
    return sched_getaffinity(0, sizeof set, &set) == 0 ? std::max(1, CPU_COUNT(&set)) : 1;
  }();
  return kProcessors;
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
