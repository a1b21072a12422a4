// What ducc calls threads, which includes this by that name (DUCC0_CUSTOM_LOWLEVEL_THREADING). Many threads
// call it, so its cache of plans has a real lock, which its own way of doing without threads leaves out; but
// a call runs on its caller, since threads of ducc could not touch devices' memory.
#pragma once

#include <condition_variable>
#include <mutex>
#include <utility>

namespace ducc0::detail_threading {

using Mutex = std::mutex;
using UniqueLock = std::unique_lock<std::mutex>;
using LockGuard = std::lock_guard<std::mutex>;
using CondVar = std::condition_variable;

inline size_t available_hardware_threads() { return 1; }
inline size_t ducc0_default_num_threads() { return 1; }
inline thread_local bool in_parallel_region = false;

class CallerAlone final : public thread_pool {
 public:
  size_t nthreads() const override { return 1; }
  size_t adjust_nthreads(size_t /*wanted*/) const override { return 1; }
  void submit(std::function<void()> work) override { work(); }
};

inline constinit thread_local thread_pool* active_pool = nullptr;

inline thread_pool* get_active_pool() {
  static thread_pool* const caller = new CallerAlone;
  return active_pool ? active_pool : caller;
}
inline thread_pool* set_active_pool(thread_pool* pool) {
  thread_pool* const before = get_active_pool();
  active_pool = pool;
  return before;
}

}  // namespace ducc0::detail_threading
