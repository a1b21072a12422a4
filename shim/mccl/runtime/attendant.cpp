#include "mccl/runtime/attendant.h"

#include <sys/prctl.h>

#include <condition_variable>
#include <deque>
#include <future>
#include <mutex>
#include <utility>

#include "mccl/core/service_thread.h"
#include "mccl/runtime/stream.h"

namespace musashim::mccl {
namespace {

struct State {
  std::mutex mutex;
  std::condition_variable filled;
  std::deque<std::function<void()>> tasks;
  bool started = false;
};

template <Attendant::Lane kLane>
State& state() {
  static State* const kState = new State;
  return *kState;
}

template <Attendant::Lane kLane>
void attend() {
  prctl(PR_SET_NAME, kLane == Attendant::kPrompt ? "mccl-attendant" : "mccl-cleaner");
  const RelaxedCapture relaxed;  // what streams record is none of this thread's affairs
  State& state = mccl::state<kLane>();
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

template <Attendant::Lane kLane>
void add(std::function<void()> task) {
  State& state = mccl::state<kLane>();
  {
    std::lock_guard lock(state.mutex);
    state.tasks.push_back(std::move(task));
    if (!std::exchange(state.started, true)) startServiceThread(attend<kLane>);
  }
  state.filled.notify_one();
}

}  // namespace

void Attendant::post(Lane lane, std::function<void()> task) {
  lane == kPrompt ? add<kPrompt>(std::move(task)) : add<kCleanUp>(std::move(task));
}

void Attendant::run(const std::function<void()>& task) {
  std::promise<void> done;
  post(kPrompt, [&] {
    task();
    done.set_value();
  });
  done.get_future().wait();
}

}  // namespace musashim::mccl
