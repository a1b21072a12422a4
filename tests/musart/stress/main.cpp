// Many threads on four devices call at random: nothing may fail, race or come out wrong.
//
//   musa_stress --seconds 300 --threads 64
//
// Threads end and new ones begin all the time, so that what belongs to a thread comes and goes.
#include <CLI/CLI.hpp>
#include <atomic>
#include <chrono>
#include <thread>
#include <vector>

#include "worker.h"

namespace {

using namespace musashim::stress;
using Clock = std::chrono::steady_clock;

constexpr int kOperationsOfAThread = 200;

}  // namespace

int main(int argc, char** argv) {
  double seconds = 5;
  int threads = 64;
  uint64_t seed = 1;
  CLI::App app{"Calls of many threads at random"};
  app.add_option("--seconds", seconds, "how long");
  app.add_option("--threads", threads, "how many at once");
  app.add_option("--seed", seed, "of the random choices");
  CLI11_PARSE(app, argc, argv);

  const auto end = Clock::now() + std::chrono::duration<double>(seconds);
  std::atomic<uint64_t> operations{0}, nextSeed{seed};
  Shared shared;
  auto life = [&](int place) {
    Worker worker(shared, place % musashim::test::kDevices, nextSeed.fetch_add(1));
    for (int i = 0; i < kOperationsOfAThread && Clock::now() < end; ++i) {
      worker.operate();
      operations.fetch_add(1, std::memory_order_relaxed);
    }
  };
  std::vector<std::thread> places;
  for (int place = 0; place < threads; ++place) {
    places.emplace_back([&, place] {
      while (Clock::now() < end) std::thread(life, place).join();
    });
  }
  for (std::thread& place : places) place.join();
  std::printf("%llu operations of %d threads at once, %llu threads in all\n",
              static_cast<unsigned long long>(operations.load()), threads,
              static_cast<unsigned long long>(nextSeed.load() - seed));
  return operations.load() > 0 ? 0 : 1;
}
