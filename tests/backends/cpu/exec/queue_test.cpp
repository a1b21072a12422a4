// Order, independence and waiting.
#include <mutex>

#include "../../support.h"

namespace musashim::backend::test {
namespace {

HostCall setFlag(std::atomic<int>& flag) {
  return {[](void* data, const Status&) { static_cast<std::atomic<int>*>(data)->fetch_add(1); }, &flag,
          false};
}

TEST(Queue, NumbersCommandsFromOne) {
  Machine machine;
  EXPECT_EQ(machine.queue().lastSubmitted(), 0u);
  EXPECT_TRUE(machine.queue().isComplete(0));
  EXPECT_EQ(machine.queue().submit(Marker{}, {}), 1u);
  EXPECT_EQ(machine.queue().submit(Marker{}, {}), 2u);
  EXPECT_EQ(machine.queue().lastSubmitted(), 2u);
  machine.queue().wait(2);
  EXPECT_TRUE(machine.queue().isComplete(2));
  EXPECT_FALSE(machine.queue().isComplete(3));
}

TEST(Queue, RunsInOrder) {
  Machine machine;
  std::vector<int> seen;
  struct Call {
    std::vector<int>* seen;
    int number;
  };
  std::vector<Call> calls;
  for (int i = 0; i < 1000; ++i) calls.push_back({&seen, i});
  for (Call& call : calls) {
    machine.queue().submit(HostCall{[](void* data, const Status&) {
                                      auto* c = static_cast<Call*>(data);
                                      c->seen->push_back(c->number);
                                    },
                                    &call, false},
                           {});
  }
  machine.queue().wait(1000);
  ASSERT_EQ(seen.size(), 1000u);
  for (int i = 0; i < 1000; ++i) EXPECT_EQ(seen[static_cast<size_t>(i)], i);
}

TEST(Queue, WorkRunsWithoutAnyoneWaiting) {
  Machine machine;
  std::atomic<int> ran{0};
  for (int round = 1; round <= 20; ++round) {
    machine.queue().submit(setFlag(ran), {});
    ASSERT_TRUE(eventually([&] { return ran == round; })) << round;
    // Long enough for the workers to fall asleep, deeply at times.
    std::this_thread::sleep_for(std::chrono::milliseconds(round % 4 == 0 ? 8 : 1));
  }
}

TEST(Queue, SpinningQueuesDoNotHoldUpAThird) {
  Machine machine;
  SpinFlag first, second;
  auto spinner = machine.device().createQueue(0), other = machine.device().createQueue(0);
  spinner->submit(machine.launch("spin", first.params()), {});
  other->submit(machine.launch("spin", second.params()), {});
  int* value = machine.allocate<int>(1);
  *value = 1;
  uint64_t last = machine.queue().submit(machine.launch("add", AddParams{value, 5, 1}), {});
  machine.queue().wait(last);
  EXPECT_EQ(*value, 6);
  EXPECT_FALSE(spinner->isComplete(1));
  EXPECT_FALSE(other->isComplete(1));
  first.raise();
  spinner->wait(1);
  second.raise();
  other->wait(1);
  EXPECT_TRUE(first.isDone() && second.isDone());
}

TEST(Queue, ManySpinningQueuesAllGetThreads) {
  Machine machine;
  constexpr int kQueues = 24;  // more than processors
  std::vector<std::shared_ptr<Queue>> queues;
  std::vector<std::unique_ptr<SpinFlag>> flags;
  for (int i = 0; i < kQueues; ++i) {
    queues.push_back(machine.device().createQueue(0));
    flags.push_back(std::make_unique<SpinFlag>());
    queues.back()->submit(machine.launch("spin", flags.back()->params()), {});
  }
  // Released in the opposite order: each must run for itself to be done.
  for (int i = kQueues - 1; i >= 0; --i) {
    flags[static_cast<size_t>(i)]->raise();
    EXPECT_TRUE(eventually([&] { return queues[static_cast<size_t>(i)]->isComplete(1); })) << i;
  }
}

TEST(Queue, WaitRunsNothingThatItDoesNotNeed) {
  Machine machine;
  SpinFlag flag;
  auto spinner = machine.device().createQueue(0);
  std::atomic<int> ran{0};
  for (int i = 0; i < 200; ++i) {
    // If wait() took the spinning queue on this thread, it would never return.
    if (i == 100) spinner->submit(machine.launch("spin", flag.params()), {});
    machine.queue().wait(machine.queue().submit(setFlag(ran), {}));
  }
  EXPECT_EQ(ran, 200);
  flag.raise();
  spinner->wait(1);
}

TEST(Queue, WaitStopsAtItsCommand) {
  Machine machine;
  SpinFlag flag;
  for (int i = 0; i < 50; ++i) {
    auto queue = machine.device().createQueue(0);
    flag.value = 0;
    uint64_t first = queue->submit(Marker{}, {});
    queue->submit(machine.launch("spin", flag.params()), {});
    queue->wait(first);  // must not run the spinning kernel on this thread
    flag.raise();
    queue->wait(2);
  }
}

TEST(Queue, WaitHelpsOnTheCallingThread) {
  Machine machine;
  struct Seen {
    std::thread::id thread;
  } seen;
  int helped = 0;
  for (int i = 0; i < 200; ++i) {
    machine.queue().wait(machine.queue().submit(HostCall{[](void* data, const Status&) {
                                                           static_cast<Seen*>(data)->thread =
                                                               std::this_thread::get_id();
                                                         },
                                                         &seen, false},
                                                {}));
    helped += seen.thread == std::this_thread::get_id();
  }
  EXPECT_GT(helped, 50);  // a worker may be faster now and then
}

// With one processor a worker would only take turns with the thread that submits and then waits: it leaves
// what that has listed to it for a while.
TEST(Queue, OneProcessorLeavesWorkToWhoWaits) {
  GTEST_FLAG_SET(death_test_style, "threadsafe");  // a process of its own, which reads its own settings
  const auto run = [] {
    setenv("MUSASHIM_THREADS", "1", 1);
    Machine machine;
    int rounds = 0, byWorkers = 0;
    for (int round = 0; round < 60; ++round) {
      // Nobody waits for this, so a worker comes, and looks for more.
      std::atomic<int> ran{0};
      machine.queue().submit(setFlag(ran), {});
      while (ran == 0) std::this_thread::yield();
      std::thread::id ranOn;
      const auto submitted = std::chrono::steady_clock::now();
      const uint64_t number = machine.queue().submit(HostCall{[](void* id, const Status&) {
                                                                *static_cast<std::thread::id*>(id) =
                                                                    std::this_thread::get_id();
                                                              },
                                                              &ranOn, false},
                                                     {});
      std::this_thread::sleep_for(std::chrono::microseconds(60));
      const auto pause = std::chrono::steady_clock::now() - submitted;
      machine.queue().wait(number);
      if (pause > std::chrono::microseconds(160)) continue;  // other programs have the processors
      ++rounds;
      byWorkers += ranOn != std::this_thread::get_id();
    }
    fprintf(stderr, "by workers: %d of %d\n", byWorkers, rounds);
    std::_Exit(byWorkers > rounds / 2);
  };
  EXPECT_EXIT(run(), testing::ExitedWithCode(0), "");
}

TEST(Queue, FenceChainAcrossDevices) {
  Machine machine(testSettings(4));
  int* value = machine.allocate<int>(1);
  *value = 0;
  for (size_t device = 1; device < 4; ++device) machine.device(device).setPeerAccess(machine.device(0), true);
  constexpr int kRounds = 200;
  Fence last;
  for (int round = 0; round < kRounds; ++round) {
    size_t device = static_cast<size_t>(round) % 4;
    auto& queue = machine.queues[device];
    std::vector<Fence> waits;
    if (last.queue) waits.push_back(last);
    uint64_t number =
        queue->submit(machine.launch("add", AddParams{value, 1, 1}, {1, 1, 1}, {1, 1, 1}, 0, device), waits);
    last = {queue, number};
  }
  last.queue->wait(last.value);
  EXPECT_EQ(*value, kRounds);
}

TEST(Queue, FenceHoldsBackUntilReleased) {
  Machine machine(testSettings(2));
  SpinFlag flag;
  std::atomic<int> ran{0};
  uint64_t spin = machine.queue(0).submit(machine.launch("spin", flag.params()), {});
  std::vector<Fence> waits{{machine.queues[0], spin}};
  uint64_t after = machine.queue(1).submit(setFlag(ran), waits);
  std::this_thread::sleep_for(std::chrono::milliseconds(20));
  EXPECT_EQ(ran, 0);
  EXPECT_FALSE(machine.queue(1).isComplete(after));
  std::thread waiter([&] { machine.queue(1).wait(after); });
  flag.raise();
  waiter.join();
  EXPECT_EQ(ran, 1);
}

TEST(Queue, FencesOnSeveralQueues) {
  Machine machine;
  std::atomic<int> ran{0}, atEnd{0};
  for (int round = 0; round < 100; ++round) {
    std::vector<std::shared_ptr<Queue>> queues;
    std::vector<Fence> waits;
    for (int i = 0; i < 6; ++i) {
      queues.push_back(machine.device().createQueue(-(i % 3)));
      waits.push_back({queues.back(), queues.back()->submit(setFlag(ran), {})});
    }
    struct Check {
      std::atomic<int>*ran, *atEnd;
    } check{&ran, &atEnd};
    uint64_t last = machine.queue().submit(HostCall{[](void* data, const Status&) {
                                                      auto* c = static_cast<Check*>(data);
                                                      c->atEnd->store(c->ran->load());
                                                    },
                                                    &check, false},
                                           waits);
    machine.queue().wait(last);
    EXPECT_EQ(atEnd, (round + 1) * 6);
  }
}

TEST(Queue, PendingWorkOutlivesTheHandle) {
  Machine machine;
  std::atomic<int> ran{0};
  for (int i = 0; i < 500; ++i) {
    auto queue = machine.device().createQueue(0);
    for (int k = 0; k < 3; ++k) queue->submit(setFlag(ran), {});
  }
  EXPECT_TRUE(eventually([&] { return ran == 1500; })) << ran;
}

TEST(Queue, TimestampsRiseAndAreTheBackendsClock) {
  Machine machine;
  auto slot = [] { return std::make_shared<std::atomic<int64_t>>(0); };
  auto begin = slot(), end = slot();
  int64_t before = machine.backend->now();
  machine.queue().submit(Timestamp{begin}, {});
  machine.queue().submit(
      HostCall{[](void*, const Status&) { std::this_thread::sleep_for(std::chrono::milliseconds(5)); },
               nullptr, false},
      {});
  machine.queue().wait(machine.queue().submit(Timestamp{end}, {}));
  int64_t after = machine.backend->now();
  EXPECT_GE(begin->load(), before);
  EXPECT_LE(end->load(), after);
  EXPECT_GE(end->load() - begin->load(), 5'000'000);
}

TEST(Queue, NudgedWorkCompletesWhilePolling) {
  Machine machine;
  std::atomic<int> ran{0};
  for (int i = 0; i < 100; ++i) {
    uint64_t number = machine.queue().submit(setFlag(ran), {});
    ASSERT_TRUE(eventually([&] {
      machine.queue().nudge();
      return machine.queue().isComplete(number);
    }));
  }
}

TEST(Queue, SeveralThreadsWaitForOneCommand) {
  Machine machine;
  SpinFlag flag;
  uint64_t number = machine.queue().submit(machine.launch("spin", flag.params()), {});
  std::vector<std::thread> waiters;
  std::atomic<int> back{0};
  for (int i = 0; i < 6; ++i) {
    waiters.emplace_back([&] {
      machine.queue().wait(number);
      ++back;
    });
  }
  std::this_thread::sleep_for(std::chrono::milliseconds(10));
  EXPECT_EQ(back, 0);
  flag.raise();
  for (std::thread& waiter : waiters) waiter.join();
  EXPECT_EQ(back, 6);
}

}  // namespace
}  // namespace musashim::backend::test
