// The process that calls.
#include <unistd.h>

#include <chrono>
#include <thread>
#include <vector>

#include "progress.h"
#include "support.h"
#include "values.h"

namespace musashim::fuzz {
namespace {

constexpr uint64_t kRound = 400;  // calls between two clean starts

class Caller {
 public:
  Caller(uint64_t seed, Progress& progress) : values_(seed), progress_(progress) {
    for (size_t i = 0; i < kCallCount; ++i) {
      if (kCalls[i].givesHandle) givers_.push_back(i);
    }
  }

  void one() {
    SafeMemory::get().renew();
    const size_t index =
        values_.oneIn(4) ? givers_[values_.below(givers_.size())] : values_.below(kCallCount);
    const uint64_t number = progress_.calls.load() + 1;
    progress_.recent[number % Progress::kRecent] = static_cast<uint16_t>(index);
    progress_.calls = number;
    if (kCalls[index].run(values_) == 0) progress_.succeeded[index] = true;
  }

  // Now and then a device faults, and calls go on meanwhile.
  void maybeFault() {
    if (!values_.oneIn(4)) return;
    test::FaultParams params{test::kTrap};
    void* arguments[] = {&params};
    (void)::musaLaunchKernel(&test::kernels.fault, 1, 1, arguments, 0, nullptr);
    (void)musaDeviceSynchronize();
    for (int i = 0; i < 20; ++i) one();
  }

  // Everything ends, or just what keeps most calls from doing anything.
  void cleanStart() {
    const bool all = values_.oneIn(2);
    for (int device = 0; device < test::kDevices; ++device) {
      if (musaSetDevice(device) != musaSuccess) continue;
      if (all || musaDeviceSynchronize() != musaSuccess) (void)musaDeviceReset();
    }
  }

  uint64_t random(uint64_t limit) { return values_.below(limit); }

 private:
  Values values_;
  Progress& progress_;
  std::vector<size_t> givers_;
};

}  // namespace

void runChild(uint64_t seed, uint64_t calls, Progress& progress) {
  std::thread([] {
    for (;;) {
      SafeMemory::unlock();
      std::this_thread::sleep_for(std::chrono::milliseconds(5));
    }
  }).detach();
  Caller caller(seed, progress);
  for (uint64_t done = 0; done < calls; done += kRound) {
    for (uint64_t i = 0; i < kRound; ++i) caller.one();
    caller.maybeFault();
    caller.cleanStart();
  }
  progress.ended = true;
  _exit(0);  // what the calls left is not the library's to free
}

}  // namespace musashim::fuzz
