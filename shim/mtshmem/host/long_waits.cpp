#include "mtshmem/host/long_waits.h"

#include <cxxabi.h>
#include <time.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <stdexcept>
#include <string>

#include "core/driver_call.h"
#include "mtshmem/host/runtime.h"
#include "mtshmem/host/wait_report.h"
#include "musashim_tables.h"

namespace mtshmemi {
thread_local const char* gCallOfThread = nullptr;
}

namespace musashim::mtshmem {
namespace {

using mtshmemi::gState;

constexpr uint64_t kSecond = 1000000000;
constexpr uint64_t kTellAfter = kSecond / 20;  // most waits are shorter, and nobody asks for them
constexpr uint64_t kLookEvery = kSecond / 10;
constexpr unsigned kEndedWithin = 5;  // seconds: by the launcher, once another PE has reported

uint64_t gLimit = 0;  // ns; 0: none

// Null outside of kernels.
const char* runningKernel() {
  static const MUshimMonitorTable* const kTable = [] {
    const auto* const monitor = core::driverTable<MUshimMonitorTable>(MUSASHIM_MONITOR_TABLE);
    const bool isOlder = monitor == nullptr || monitor->size <= offsetof(MUshimMonitorTable, runningKernel);
    return isOlder ? nullptr : monitor;
  }();
  return kTable != nullptr ? kTable->runningKernel() : nullptr;
}

// "ring(unsigned long*, int)", or the call of the host's.
std::string nameOf(const mtshmemi_wait_t& wait) {
  if (wait.isOfKernel == 0)
    return mtshmemi::gCallOfThread != nullptr ? mtshmemi::gCallOfThread : "the library";
  const char* const name = runningKernel();
  if (name == nullptr) return "a kernel";
  int status = 0;
  const std::unique_ptr<char, decltype(&std::free)> plain(
      abi::__cxa_demangle(name, nullptr, nullptr, &status), std::free);
  return status == 0 ? plain.get() : name;
}

// Into the heap's head, where all PEs may read it.
void tell(mtshmemi_wait_t& wait) {
  mtshmemi_heap_head_t& head = *mtshmemi::head(gState.me);
  for (int entry = 0; entry < MTSHMEMI_MAX_WAITS; ++entry) {
    mtshmemi_told_wait_t& told = head.waits[entry];
    uint64_t none = kWaitFree;
    if (!__atomic_compare_exchange_n(&told.isTold, &none, kWaitIsWritten, false, __ATOMIC_ACQ_REL,
                                     __ATOMIC_RELAXED))
      continue;
    const char* const place = static_cast<const char*>(wait.place);
    told.begun = wait.begun;
    told.place = reinterpret_cast<uint64_t>(place);
    told.offset = place >= gState.heap && place < gState.heap + gState.bytes
                      ? static_cast<uint64_t>(place - gState.heap)
                      : ~uint64_t{0};
    told.count = wait.count;
    told.wanted = wait.wanted;
    told.comparison = wait.comparison;
    told.width = wait.width;
    told.team = wait.team;
    told.isOfKernel = wait.isOfKernel;
    std::memcpy(told.block, wait.block, sizeof told.block);
    std::memcpy(told.thread, wait.thread, sizeof told.thread);
    const std::string name = nameOf(wait);
    std::snprintf(told.who, sizeof told.who, "%s", name.c_str());
    wait.entry = entry + 1;
    noteValue(told);
    __atomic_store_n(&told.isTold, kWaitIsTold, __ATOMIC_RELEASE);
    return;
  }
}

// One PE tells all; the others wait for their end.
[[noreturn]] void giveUpWaiting(const mtshmemi_wait_t& wait, uint64_t now) {
  const uint64_t first = mtshmemi::atomicCompareSwap(&mtshmemi::head(gState.me)->reporter, uint64_t{0},
                                                     static_cast<uint64_t>(gState.me) + 1, 0);
  if (first != 0) {
    sleep(kEndedWithin);
    std::_Exit(1);
  }
  const double seconds = static_cast<double>(now - wait.begun) / kSecond;
  char why[96];
  std::snprintf(why, sizeof why, "nobody answered for %.1f s (MTSHMEM_WAIT_TIMEOUT)", seconds);
  std::fputs(waitReport(now).c_str(), stderr);
  giveUp(nameOf(wait).c_str(), why);
}

uint64_t nanoseconds() {
  timespec time{};
  clock_gettime(CLOCK_MONOTONIC, &time);
  return static_cast<uint64_t>(time.tv_sec) * kSecond + static_cast<uint64_t>(time.tv_nsec);
}

}  // namespace

void readWaitLimit() {
  gLimit = 0;
  const char* const text = std::getenv("MTSHMEM_WAIT_TIMEOUT");
  if (text == nullptr || *text == '\0') return;
  char* end = nullptr;
  const double seconds = std::strtod(text, &end);
  if (*end != '\0' || !(seconds >= 0) || seconds > 1e9) {
    throw std::runtime_error(std::string("MTSHMEM_WAIT_TIMEOUT is '") + text +
                             "', which is no number of seconds");
  }
  gLimit = static_cast<uint64_t>(seconds * static_cast<double>(kSecond));
}

void lookAtWait(mtshmemi_wait_t* wait, int isOver) {
  if (isOver != 0) {
    mtshmemi_told_wait_t& told = mtshmemi::head(gState.me)->waits[wait->entry - 1];
    __atomic_store_n(&told.isTold, kWaitFree, __ATOMIC_RELEASE);
    return;
  }
  const uint64_t now = nanoseconds();
  if (wait->begun == 0) wait->begun = now;
  if (now < wait->nextLook) return;
  wait->nextLook = now + kLookEvery / 2;
  if (now - wait->begun < kTellAfter) return;
  if (wait->entry == 0) {
    tell(*wait);
  } else {
    noteValue(mtshmemi::head(gState.me)->waits[wait->entry - 1]);
  }
  if (const int lost = Runtime::get().lostPe(); lost >= 0)
    giveUp(nameOf(*wait).c_str(), "PE " + std::to_string(lost) + " ended while others wait for it");
  if (gLimit != 0 && now - wait->begun > gLimit) giveUpWaiting(*wait, now);
}

}  // namespace musashim::mtshmem
