#include "mccl/engine/helpers.h"

#include <sched.h>
#include <sys/prctl.h>

#include <algorithm>
#include <atomic>
#include <mutex>
#include <thread>

#include "mccl/core/service_thread.h"
#include "mccl/engine/futex.h"
#include "mccl/engine/wait_point.h"

namespace musashim::mccl {
namespace {

constexpr int kSpins = 2000;    // some ten microseconds: about what waking a thread takes
constexpr int kSleep = 10'000;  // ms

struct Pool {
  std::mutex owner;               // held by the caller whose job runs
  int threads = 0;                // guarded by owner
  std::atomic<uint32_t> jobs{0};  // changes with each job
  std::atomic<uint32_t> sleepers{0};
  // The job. Helpers enter by a count that is open only while it runs.
  std::atomic<int> inside{kClosed};
  const std::function<void(size_t)>* work = nullptr;
  size_t count = 0;
  std::atomic<size_t> next{0};

  static constexpr int kClosed = -1'000'000;
};

Pool& pool() {
  static Pool* const kPool = new Pool;
  return *kPool;
}

void takeAll(Pool& pool) {
  while (true) {
    const size_t index = pool.next.fetch_add(1, std::memory_order_relaxed);
    if (index >= pool.count) return;
    (*pool.work)(index);
  }
}

void help(Pool& pool) {
  if (pool.inside.fetch_add(1, std::memory_order_acquire) >= 0) takeAll(pool);
  pool.inside.fetch_sub(1, std::memory_order_release);
}

void helperMain() {
  prctl(PR_SET_NAME, "mccl-helper");
  Pool& pool = mccl::pool();
  uint32_t seen = 0;
  while (true) {
    for (int i = 0; i < kSpins && pool.jobs.load(std::memory_order_acquire) == seen; ++i) cpuRelax();
    while (pool.jobs.load() == seen) {
      pool.sleepers.fetch_add(1);
      if (pool.jobs.load() == seen) futexWait(pool.jobs, seen, false, kSleep);
      pool.sleepers.fetch_sub(1);
    }
    seen = pool.jobs.load(std::memory_order_acquire);
    help(pool);
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

void Helpers::run(size_t count, bool worthwhile, const std::function<void(size_t)>& work) {
  Pool& pool = mccl::pool();
  std::unique_lock lock(pool.owner, std::defer_lock);
  if (count < 2 || !worthwhile || processors() < 2 || !lock.try_lock()) {
    for (size_t index = 0; index < count; ++index) work(index);
    return;
  }
  for (; pool.threads < std::min(processors() - 1, 15); ++pool.threads) startServiceThread(helperMain);
  pool.work = &work;
  pool.count = count;
  pool.next.store(0, std::memory_order_relaxed);
  pool.inside.fetch_sub(Pool::kClosed, std::memory_order_release);  // open
  pool.jobs.fetch_add(1);
  if (pool.sleepers.load() > 0) futexWakeAll(pool.jobs, false);
  takeAll(pool);
  pool.inside.fetch_add(Pool::kClosed, std::memory_order_acquire);  // closed for those who come later
  for (int i = 0; pool.inside.load(std::memory_order_acquire) > Pool::kClosed; ++i) {
    i < kSpins ? cpuRelax() : std::this_thread::yield();  // a helper may have lost its processor
  }
}

}  // namespace musashim::mccl
