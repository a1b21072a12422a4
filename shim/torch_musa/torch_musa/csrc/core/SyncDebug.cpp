#include "torch_musa/csrc/core/SyncDebug.h"

#include <c10/util/Exception.h>

#include <atomic>

namespace c10::musa {
namespace {
std::atomic<SyncDebugMode> theMode{SyncDebugMode::kDefault};
}

SyncDebugMode syncDebugMode() noexcept { return theMode.load(std::memory_order_relaxed); }
void setSyncDebugMode(SyncDebugMode mode) noexcept { theMode.store(mode, std::memory_order_relaxed); }

void tellSynchronizing() {
  const SyncDebugMode mode = syncDebugMode();
  if (mode == SyncDebugMode::kDefault) [[likely]]
    return;
  TORCH_CHECK(mode != SyncDebugMode::kError, "called a synchronizing MUSA operation");
  TORCH_WARN("called a synchronizing MUSA operation");
}

}  // namespace c10::musa
