// The scheduler's threads come with the work, and go when they are not needed.
#include <dirent.h>

#include <condition_variable>
#include <mutex>

#include "cpu/exec/scheduler.h"
#include "support.h"

namespace musashim::backend::test {
namespace {

size_t workers() {
  size_t count = 0;
  DIR* tasks = opendir("/proc/self/task");
  while (const dirent* task = readdir(tasks)) {
    std::ifstream name(std::string("/proc/self/task/") + task->d_name + "/comm");
    std::string text;
    count += std::getline(name, text) && text == "musa-worker";
  }
  closedir(tasks);
  return count;
}

// Commands that wait until all of them run at the same time, which takes a thread for each.
class Crowd {
 public:
  explicit Crowd(size_t size) : size_(size) {}

  static void run(void* data, const Status&) { static_cast<Crowd*>(data)->meet(); }

 private:
  void meet() {
    std::unique_lock lock(mutex_);
    if (++here_ == size_) all_.notify_all();
    all_.wait(lock, [&] { return here_ >= size_; });
  }

  const size_t size_;
  size_t here_ = 0;
  std::mutex mutex_;
  std::condition_variable all_;
};

void runCrowd(Machine& machine, size_t size) {
  Crowd crowd(size);
  std::vector<std::shared_ptr<Queue>> queues;
  for (size_t i = 0; i < size; ++i) queues.push_back(machine.device().createQueue(0));
  for (const auto& queue : queues) queue->submit(HostCall{Crowd::run, &crowd, false}, {});
  // Looks only: a thread that waits would run one of the queues.
  for (const auto& queue : queues) {
    while (!queue->isComplete(1)) std::this_thread::sleep_for(std::chrono::milliseconds(1));
  }
}

// As many as the processors can use may stay, and the scout.
size_t mayStay() { return cpu::Scheduler::instance().processors() + 1; }

void awaitEnd() {
  const auto limit = std::chrono::steady_clock::now() + std::chrono::seconds(30);
  while (workers() > mayStay() && std::chrono::steady_clock::now() < limit)
    std::this_thread::sleep_for(std::chrono::milliseconds(20));
}

TEST(Workers, ThatNobodyNeedsEnd) {
  Machine machine;
  const size_t crowd = mayStay() + 20;
  runCrowd(machine, crowd);
  EXPECT_GE(workers(), crowd);
  awaitEnd();
  EXPECT_LE(workers(), mayStay());
  // Those who are left, and new ones, do what comes then.
  runCrowd(machine, crowd);
  EXPECT_GE(workers(), crowd);
  awaitEnd();
  EXPECT_LE(workers(), mayStay());
}

// Work that comes just when workers end is neither lost nor late.
TEST(Workers, EndWhileWorkComes) {
  Machine machine;
  const size_t crowd = mayStay() + 12;
  runCrowd(machine, crowd);
  const auto start = std::chrono::steady_clock::now();
  while (workers() > mayStay()) {
    const auto now = std::chrono::steady_clock::now();
    ASSERT_LT(now - start, std::chrono::seconds(30));
    // Two at a time: the others sleep on.
    runCrowd(machine, 2);
    ASSERT_LT(std::chrono::steady_clock::now() - now, std::chrono::seconds(10));
  }
}

// A helper that stays awake for the next job takes it: one job after the other brings no further threads.
TEST(Workers, StayFewWhenJobsFollowEachOther) {
  constexpr size_t kBytes = 4 << 20;
  Machine machine;
  std::vector<std::byte> memory(kBytes);
  for (int i = 0; i < 4000; ++i) {
    const uint64_t number = machine.queue().submit(Fill{memory.data(), 1, 1, kBytes, 1, 0}, {});
    machine.queue().wait(number);
  }
  // Some may come when a thread loses its processor at a bad time.
  EXPECT_LE(workers(), mayStay() + 2);
}

}  // namespace
}  // namespace musashim::backend::test
