// How far two processors are from each other: the time that a line takes from one to the other and back, in
// nanoseconds. Virtual processors move: with a common cache at one time (90 ns on an AMD Zen 5) and without
// at another (450 ns), and figures of the two do not compare.
#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstdio>
#include <thread>
#include <vector>

#include "processors.h"

namespace {

constexpr int kRounds = 21, kTurns = 1000;  // each way

alignas(64) std::atomic<int> turn{0};

void answer(int processor) {
  peers::stayOn(processor);
  for (int i = 0; i < kRounds * kTurns; ++i) {
    while (turn.load(std::memory_order_acquire) != 1) {
    }
    turn.store(0, std::memory_order_release);
  }
}

double nanosecondsOfTurn() {
  const auto start = std::chrono::steady_clock::now();
  for (int i = 0; i < kTurns; ++i) {
    turn.store(1, std::memory_order_release);
    while (turn.load(std::memory_order_acquire) != 0) {
    }
  }
  return std::chrono::duration<double, std::nano>(std::chrono::steady_clock::now() - start).count() / kTurns;
}

}  // namespace

int main() {
  const std::vector<int> processors = peers::allowedProcessors();
  if (processors.size() < 2) {
    std::puts("0");
    return 0;
  }
  std::thread other(answer, processors[1]);
  peers::stayOn(processors[0]);
  std::vector<double> times;
  for (int round = 0; round < kRounds; ++round) times.push_back(nanosecondsOfTurn());
  other.join();
  std::nth_element(times.begin(), times.begin() + kRounds / 2, times.end());
  std::printf("%.0f\n", times[kRounds / 2]);
}
