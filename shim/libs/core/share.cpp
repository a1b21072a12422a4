#include "libs/core/share.h"

#include <signal.h>

#include <algorithm>
#include <atomic>
#include <condition_variable>
#include <cstdlib>
#include <deque>
#include <exception>
#include <memory>
#include <mutex>
#include <new>
#include <thread>

#include "libs/core/memory_access.h"
#include "support/processor.h"

namespace musashim::libs {
namespace {

// One call of shareOut(). Helpers that come late find no part left, so each holds it by itself.
struct Job {
  Job(size_t count, const std::function<void(size_t)>& work) : parts(count), part(work) {}

  void run() {
    for (size_t index; (index = next.fetch_add(1, std::memory_order_relaxed)) < parts;) {
      try {
        part(index);
      } catch (...) {
        if (!failed.exchange(true)) failure = std::current_exception();
      }
      if (done.fetch_add(1, std::memory_order_acq_rel) + 1 == parts) done.notify_all();
    }
  }

  const size_t parts;
  const std::function<void(size_t)>& part;  // the caller's, who waits until all parts have run
  std::atomic<size_t> next{0}, done{0};
  std::atomic<bool> failed{false};
  std::exception_ptr failure;  // of the part that threw first; to be read when all have run
};

class Helpers {
 public:
  // Never destroyed: threads run until the process is gone.
  static Helpers& instance() {
    static Helpers& helpers = *new Helpers;
    return helpers;
  }

  void offer(const std::shared_ptr<Job>& job, size_t helpers) {
    {
      std::lock_guard lock(mutex_);
      while (threads_ + 1 < sharingThreads() && threads_ < helpers && start()) ++threads_;
      for (size_t i = 0; i < std::min(helpers, threads_); ++i) jobs_.push_back(job);
    }
    wake_.notify_all();
  }

 private:
  bool start() {
    // Signals are the program's, but for faults.
    sigset_t all, before;
    sigfillset(&all);
    for (int signal : {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGTRAP}) sigdelset(&all, signal);
    pthread_sigmask(SIG_BLOCK, &all, &before);
    bool started = true;
    try {
      std::thread([this] { help(); }).detach();
    } catch (const std::exception&) {
      started = false;  // the others do the work
    }
    pthread_sigmask(SIG_SETMASK, &before, nullptr);
    return started;
  }

  void help() {
    const MemoryAccess access;
    for (;;) {
      std::unique_lock lock(mutex_);
      wake_.wait(lock, [this] { return !jobs_.empty(); });
      const std::shared_ptr<Job> job = std::move(jobs_.front());
      jobs_.pop_front();
      lock.unlock();
      job->run();
    }
  }

  std::mutex mutex_;
  std::condition_variable wake_;
  std::deque<std::shared_ptr<Job>> jobs_;
  size_t threads_ = 0;
};

size_t countThreads() {
  const auto processors = support::Processors::ofThread();
  const size_t most = processors ? static_cast<size_t>(processors->count()) : 1;
  const char* const setting = std::getenv("MUSASHIM_THREADS");  // NOLINT(concurrency-mt-unsafe): read once
  const long wanted = setting ? std::strtol(setting, nullptr, 10) : 0;
  return wanted > 0 ? std::min(most, static_cast<size_t>(wanted)) : most;
}

}  // namespace

size_t sharingThreads() {
  static const size_t kThreads = countThreads();
  return kThreads;
}

void shareOut(size_t parts, const std::function<void(size_t)>& part) {
  if (parts < 2 || sharingThreads() < 2) {
    for (size_t index = 0; index < parts; ++index) part(index);
    return;
  }
  const auto job = std::make_shared<Job>(parts, part);
  try {
    Helpers::instance().offer(job, std::min(parts, sharingThreads()) - 1);
  } catch (const std::bad_alloc&) {  // fewer help, or nobody
  }
  job->run();
  for (size_t done; (done = job->done.load(std::memory_order_acquire)) != parts;) job->done.wait(done);
  if (job->failed) std::rethrow_exception(job->failure);
}

}  // namespace musashim::libs
