#include "torch_musa/csrc/memory/History.h"

#include <torch/csrc/profiler/combined_traceback.h>

#include <atomic>
#include <chrono>
#include <mutex>

namespace c10::musa {
namespace {

std::mutex mutex;
HistorySettings current;
std::atomic<Stacks> stacksOfCalls = Stacks::kNone;  // costs an allocation nothing while it is off

}  // namespace

HistorySettings historySettings() {
  const std::lock_guard lock(mutex);
  return current;
}

void setHistorySettings(const HistorySettings& settings) {
  const std::lock_guard lock(mutex);
  current = settings;
  stacksOfCalls = settings.stacks;
}

Stack stackFor(Stacks calls) {
  if (stacksOfCalls.load(std::memory_order_relaxed) < calls) return nullptr;
  return torch::CapturedTraceback::gather(true, true, historySettings().native);
}

void History::add(Happening happening) {
  const HistorySettings settings = historySettings();
  if (!settings.events) return;
  happening.microseconds = std::chrono::duration_cast<std::chrono::microseconds>(
                               std::chrono::system_clock::now().time_since_epoch())
                               .count();
  if (settings.stacks < Stacks::kAlloc) happening.stack = nullptr;
  happenings_.push_back(std::move(happening));
  while (happenings_.size() > settings.limit) happenings_.pop_front();
}

}  // namespace c10::musa
