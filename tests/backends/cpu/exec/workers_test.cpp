// The scheduler's threads come with the work, and go when they are not needed.
#include <dirent.h>

#include <algorithm>
#include <condition_variable>
#include <mutex>
#include <thread>

#include "../../support.h"
#include "cpu/exec/scheduler.h"

namespace musashim::backend::test {
namespace {

// Calls `visit` with the folder in /proc of each worker.
template <class Visit>
void forEachWorker(Visit&& visit) {
  DIR* tasks = opendir("/proc/self/task");
  while (const dirent* task = readdir(tasks)) {
    const std::string folder = std::string("/proc/self/task/") + task->d_name;
    std::ifstream name(folder + "/comm");
    std::string text;
    if (std::getline(name, text) && text == "musa-worker") visit(folder);
  }
  closedir(tasks);
}

size_t workers() {
  size_t count = 0;
  forEachWorker([&](const std::string&) { ++count; });
  return count;
}

size_t descriptors() {
  size_t count = 0;
  DIR* files = opendir("/proc/self/fd");
  while (readdir(files)) ++count;
  closedir(files);
  return count;
}

// How often workers have gone to sleep.
size_t sleeps() {
  size_t sum = 0;
  forEachWorker([&](const std::string& folder) {
    std::ifstream status(folder + "/status");
    for (std::string word; status >> word;) {
      size_t count = 0;
      if (word == "voluntary_ctxt_switches:" && status >> count) sum += count;
    }
  });
  return sum;
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

// Time for a helper that has left a job to be on the look-out for more.
void pauseShortly(void*, const Status&) {
  const auto until = std::chrono::steady_clock::now() + std::chrono::microseconds(20);
  while (std::chrono::steady_clock::now() < until) {
  }
}

// A helper that is awake takes a queue, and is not there any more for those that are listed just then.
// Without anybody for these, those that wait for them would wait for ever: 25 of 1000 times.
TEST(Workers, ComeForWhatIsListedWhileAHelperTakesAQueue) {
  constexpr uint64_t kLong = 4 << 20, kShort = kLong / 8;  // bytes; worth a helper's while, who then stays
  Machine machine;
  std::vector<std::byte> memory(kLong);
  for (int i = 0; i < 1000 && !testing::Test::HasFailure(); ++i) {
    for (uint64_t bytes : {kLong, kShort}) machine.queue().submit(Fill{memory.data(), 1, 1, bytes, 1, 0}, {});
    const uint64_t filled = machine.queue().submit(HostCall{pauseShortly, nullptr, false}, {});
    Crowd crowd(3);
    std::vector<std::shared_ptr<Queue>> queues(3);
    for (auto& queue : queues) {
      queue = machine.device().createQueue(0);
      queue->submit(HostCall{Crowd::run, &crowd, false}, std::vector<Fence>{{machine.queues[0], filled}});
    }
    machine.queue().wait(filled);
    const auto haveRun = [&] {
      return std::ranges::all_of(queues, [](auto& q) { return q->isComplete(1); });
    };
    EXPECT_TRUE(eventually(haveRun)) << i;
    // Whatever comes next brings a thread that sees the rest.
    while (!haveRun()) {
      machine.queue().submit(Marker{}, {});
      std::this_thread::sleep_for(std::chrono::milliseconds(1));
    }
  }
}

// Threads that take turns on all processors, as those of other programs do.
class BusyMachine {
 public:
  explicit BusyMachine(size_t threads) {
    for (size_t i = 0; i < threads; ++i) {
      threads_.emplace_back([](const std::stop_token& end) {
        while (!end.stop_requested()) std::this_thread::yield();
      });
    }
  }

 private:
  std::vector<std::jthread> threads_;
};

// Repeats `submitAndWait` for a while: workers sleep seldom, so they look seldom.
template <class SubmitAndWait>
void expectFewLooks(SubmitAndWait&& submitAndWait) {
  const auto repeatFor = [&](auto duration) {
    const auto start = std::chrono::steady_clock::now();
    auto now = start;
    for (; now < start + duration; now = std::chrono::steady_clock::now()) submitAndWait();
    return now - start;
  };
  repeatFor(std::chrono::milliseconds(50));
  awaitEnd();  // of those whose sleeps would not be counted any more
  const size_t before = sleeps();
  const auto time = repeatFor(std::chrono::milliseconds(500));
  EXPECT_LE(sleeps() - before, static_cast<size_t>(time / std::chrono::microseconds(200)));
}

// Who waits at once for what he submits runs it himself. Each look for it by a worker takes time from
// somebody.
TEST(Workers, AreSeldomInTheWayOfThoseWhoDoTheirWorkThemselves) {
  Machine machine;
  for (const size_t others : {size_t{0}, size_t{2} * cpu::Scheduler::instance().processors()}) {
    const BusyMachine busy(others);
    expectFewLooks(
        [&] { machine.queue().wait(machine.queue().submit(HostCall{pauseShortly, nullptr, false}, {})); });
  }
}

// A queue whose first command waits for another queue needs no worker, but whoever completes that.
TEST(Workers, DoNotComeForWhatWaitsForOthers) {
  Machine machine;
  const std::shared_ptr<Queue> behind = machine.device().createQueue(0);
  expectFewLooks([&] {
    const uint64_t first = machine.queue().submit(HostCall{pauseShortly, nullptr, false}, {});
    const uint64_t second = behind->submit(Marker{}, std::vector<Fence>{{machine.queues[0], first}});
    machine.queue().wait(first);
    behind->wait(second);
  });
}

// Programs count on the numbers that the next files they open get.
TEST(Workers, OpenNoFilesWhileTheyLookForWork) {
  Machine machine;
  const BusyMachine busy(2 * cpu::Scheduler::instance().processors());
  const size_t before = descriptors();
  for (int i = 0; i < 6000; ++i) {
    machine.queue().wait(machine.queue().submit(HostCall{pauseShortly, nullptr, false}, {}));
    ASSERT_EQ(descriptors(), before) << "after " << i;
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
