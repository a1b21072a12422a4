// 4 devices x 8 queues, several submitting threads, fences in all directions.
#include <random>

#include "../../support.h"

namespace musashim::backend::test {
namespace {

constexpr size_t kDevices = 4, kQueues = 8;

struct Cell {
  // Written by the queue's own commands only, so unsynchronised on purpose: any
  // overlap of two commands of a queue, or a missed fence, is a race.
  uint64_t value = 0;
};

struct Step {
  Cell* own;
  const Cell* other;  // of the queue that we wait for, or null
  uint64_t otherAtLeast;
  std::atomic<int>* errors;
};

void runStep(void* data, const Status&) {
  std::unique_ptr<Step> step(static_cast<Step*>(data));
  ++step->own->value;
  if (step->other && step->other->value < step->otherAtLeast) ++*step->errors;
}

TEST(Stress, DevicesTimesQueues) {
  Machine machine(testSettings(kDevices));
  std::vector<std::shared_ptr<Queue>> queues;
  for (size_t i = 0; i < kDevices * kQueues; ++i) {
    queues.push_back(machine.device(i / kQueues).createQueue(static_cast<int>(i % 3) - 1));
  }
  std::vector<Cell> cells(queues.size());
  std::atomic<int> errors{0};
  constexpr int kRounds = 400;
  // Each thread submits to queues of its own; it may wait for lower-numbered queues, whose
  // cells nobody writes after the command that it waits for until the next barrier.
  for (int round = 0; round < kRounds / 50; ++round) {
    std::vector<std::thread> threads;
    std::vector<uint64_t> lowerDone(queues.size());
    for (size_t t = 0; t < 4; ++t) {
      threads.emplace_back([&, t] {
        std::minstd_rand random(static_cast<unsigned>(round * 4 + static_cast<int>(t)));
        for (int i = 0; i < 50; ++i) {
          size_t q = t * kQueues + random() % kQueues;
          uint64_t number =
              queues[q]->submit(HostCall{runStep, new Step{&cells[q], nullptr, 0, &errors}, false}, {});
          if (random() % 4 == 0) queues[q]->wait(number);
          if (random() % 8 == 0) queues[q]->nudge();
        }
      });
    }
    for (std::thread& thread : threads) thread.join();
    // A chain through all queues: each waits for the one before.
    Fence last;
    for (size_t q = 0; q < queues.size(); ++q) {
      std::vector<Fence> waits;
      if (last.queue) waits.push_back(last);
      uint64_t number =
          queues[q]->submit(HostCall{runStep,
                                     new Step{&cells[q], q > 0 ? &cells[q - 1] : nullptr,
                                              q > 0 ? queues[q - 1]->lastSubmitted() : 0, &errors},
                                     false},
                            waits);
      last = {queues[q], number};
    }
    last.queue->wait(last.value);
  }
  uint64_t total = 0;
  for (size_t q = 0; q < queues.size(); ++q) {
    queues[q]->wait(queues[q]->lastSubmitted());
    EXPECT_EQ(cells[q].value, queues[q]->lastSubmitted());
    total += cells[q].value;
  }
  EXPECT_EQ(total, (kRounds / 50) * (4 * 50 + queues.size()));
  EXPECT_EQ(errors, 0);
}

TEST(Stress, KernelsCopiesAndFencesInParallel) {
  Machine machine(testSettings(kDevices));
  std::vector<std::thread> threads;
  for (size_t d = 0; d < kDevices; ++d) {
    threads.emplace_back([&, d] {
      auto compute = machine.device(d).createQueue(0), copy = machine.device(d).createQueue(-1);
      constexpr uint32_t kCount = 4096;
      int* values = machine.allocate<int>(kCount, d);
      std::vector<int> host(kCount);
      for (int round = 1; round <= 60; ++round) {
        std::vector<Fence> none;
        if (round == 1) compute->submit(Fill{values, 0, 4, kCount, 1, 0}, {});
        uint64_t added = compute->submit(
            machine.launch("add", AddParams{values, 1, kCount}, {kCount / 64, 1, 1}, {64, 1, 1}, 0, d), {});
        std::vector<Fence> waits{{compute, added}};
        uint64_t copied = copy->submit(Copy{host.data(), values, kCount * sizeof(int)}, waits);
        copy->wait(copied);
        for (int value : host) ASSERT_EQ(value, round);
      }
      EXPECT_TRUE(machine.device(d).release(values).isOk());
    });
  }
  for (std::thread& thread : threads) thread.join();
}

TEST(Stress, QueuesComeAndGo) {
  Machine machine(testSettings(2));
  std::vector<std::thread> threads;
  std::atomic<int> ran{0};
  for (size_t t = 0; t < 4; ++t) {
    threads.emplace_back([&, t] {
      std::shared_ptr<Queue> previous;
      uint64_t number = 0;
      for (int i = 0; i < 300; ++i) {
        auto queue = machine.device(t % 2).createQueue(0);
        std::vector<Fence> waits;
        if (previous) waits.push_back({previous, number});
        number = queue->submit(
            HostCall{[](void* data, const Status&) { ++*static_cast<std::atomic<int>*>(data); }, &ran, false},
            waits);
        if (i % 7 == 0) queue->wait(number);
        previous = std::move(queue);
      }
      previous->wait(number);
    });
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_TRUE(eventually([&] { return ran == 1200; })) << ran;
}

}  // namespace
}  // namespace musashim::backend::test
