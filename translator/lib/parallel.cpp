#include "translator/lib/parallel.h"

#include <algorithm>
#include <atomic>
#include <condition_variable>
#include <exception>
#include <mutex>
#include <system_error>
#include <thread>

namespace musashim::translator {
namespace {

/// Threads that stay, for a run has many loops: what each has of its own, and in its caches, stays too.
class Pool {
 public:
  /// Never destroyed: its threads sleep until the process ends.
  static Pool& instance() {
    static Pool* const pool = new Pool;
    return *pool;
  }

  /// Calls `work` on this thread and on up to `helpers` others at once. Alone, if these are at work.
  void run(std::size_t helpers, const std::function<void()>& work) {
    if (helpers == 0 || isBusy_.exchange(true)) return work();
    {
      const std::lock_guard lock(mutex_);
      startUpTo(helpers);
      work_ = &work;
      wanted_ = std::min(helpers, threads_);
      ++turn_;
    }
    called_.notify_all();
    work();
    std::unique_lock lock(mutex_);
    wanted_ = 0;  // who has not come yet finds nothing left
    done_.wait(lock, [&] { return active_ == 0; });
    isBusy_ = false;
  }

 private:
  void startUpTo(std::size_t helpers) {
    try {
      for (; threads_ < helpers; ++threads_) std::thread([this] { help(); }).detach();
    } catch (const std::system_error&) {  // as many as the system gives
    }
  }

  void help() {
    std::unique_lock lock(mutex_);
    for (std::size_t seen = 0;;) {
      called_.wait(lock, [&] { return turn_ != seen && wanted_ > 0; });
      seen = turn_;
      --wanted_;
      ++active_;
      const std::function<void()>& work = *work_;
      lock.unlock();
      work();
      lock.lock();
      if (--active_ == 0) done_.notify_one();
    }
  }

  std::atomic<bool> isBusy_{false};
  std::mutex mutex_;  // guards what follows
  std::condition_variable called_, done_;
  const std::function<void()>* work_ = nullptr;
  std::size_t threads_ = 0, turn_ = 0;
  std::size_t wanted_ = 0, active_ = 0;  // threads of this turn
};

}  // namespace

void parallelFor(std::size_t count, unsigned threads, const std::function<void(std::size_t)>& work) {
  std::atomic<std::size_t> next{0};
  std::exception_ptr failure;
  std::mutex mutex;
  const auto run = [&] {
    for (std::size_t i = next++; i < count; i = next++) {
      try {
        work(i);
      } catch (...) {
        next = count;
        const std::lock_guard lock(mutex);
        if (!failure) failure = std::current_exception();
      }
    }
  };
  Pool::instance().run(std::max<std::size_t>(1, std::min<std::size_t>(threads, count)) - 1, run);
  if (failure) std::rethrow_exception(failure);
}

}  // namespace musashim::translator
