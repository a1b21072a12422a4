#include "mccl/runtime/attendant.h"

#include <sys/prctl.h>

#include <condition_variable>
#include <deque>
#include <future>
#include <mutex>
#include <utility>

#include "mccl/core/service_thread.h"

namespace musashim::mccl {
namespace {

struct State {
  std::mutex mutex;
  std::condition_variable filled;
  std::deque<std::function<void()>> tasks;
  bool started = false;
};

State& state() {
  static State* const kState = new State;
  return *kState;
}

void attend() {
  prctl(PR_SET_NAME, "mccl-attendant");
  State& state = mccl::state();
  while (true) {
    std::function<void()> task;
    {
      std::unique_lock lock(state.mutex);
      state.filled.wait(lock, [&] { return !state.tasks.empty(); });
      task = std::move(state.tasks.front());
      state.tasks.pop_front();
    }
    task();
  }
}

}  // namespace

void Attendant::post(std::function<void()> task) {
  State& state = mccl::state();
  {
    std::lock_guard lock(state.mutex);
    state.tasks.push_back(std::move(task));
    if (!std::exchange(state.started, true)) startServiceThread(attend);
  }
  state.filled.notify_one();
}

void Attendant::run(const std::function<void()>& task) {
  std::promise<void> done;
  post([&] {
    task();
    done.set_value();
  });
  done.get_future().wait();
}

}  // namespace musashim::mccl
