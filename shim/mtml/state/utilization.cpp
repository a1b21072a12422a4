#include <array>
#include <chrono>
#include <mutex>
#include <thread>

#include "mtml/state/machine.h"

namespace musashim::mtml {
namespace {

using Clock = std::chrono::steady_clock;
// A look takes less than a microsecond; kernels of a few microseconds are met as often as they run.
constexpr auto kBetweenLooks = std::chrono::microseconds(200);
constexpr auto kWhile = std::chrono::milliseconds(40);
constexpr auto kGoodFor = std::chrono::milliseconds(250);
constexpr size_t kDevices = 64;

struct Sample {
  std::mutex mutex;
  Clock::time_point taken;  // at its end
  std::array<unsigned int, kDevices> percent{};
};

// By time, not by looks: those may come late where the processors are busy.
void look(Sample& sample) {
  std::array<Clock::duration, kDevices> busy{};
  const Clock::time_point begin = Clock::now();
  Clock::time_point before = begin;
  while (before - begin < kWhile) {
    std::this_thread::sleep_for(kBetweenLooks);
    const unsigned long long running = monitorTable()->runningDevices();
    const Clock::time_point now = Clock::now();
    for (size_t device = 0; device < kDevices; ++device) {
      if (running >> device & 1) busy[device] += now - before;
    }
    before = now;
  }
  for (size_t device = 0; device < kDevices; ++device)
    sample.percent[device] =
        static_cast<unsigned int>((busy[device] * 100 + (before - begin) / 2) / (before - begin));
  sample.taken = before;
}

}  // namespace

unsigned int utilization(unsigned int device) {
  static Sample& sample = *new Sample;  // never destroyed: callers go on while the process ends
  std::lock_guard lock(sample.mutex);
  if (Clock::now() - sample.taken > kGoodFor) look(sample);
  return device < kDevices ? sample.percent[device] : 0;
}

}  // namespace musashim::mtml
