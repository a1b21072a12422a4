#include "cpu/devrt/child_launches/child_launches.h"

#include <cstring>
#include <iterator>

#include "cpu/devrt/control.h"

namespace musashim::devrt {

namespace {

// musaError_t, numbered as cudaError_t.
constexpr int32_t kInvalidConfiguration = 9;
constexpr int32_t kLaunchMaxDepthExceeded = 65;
constexpr uint64_t kMostThreads = 1024;

// Of launches by the device threads that this host thread runs.
thread_local int32_t lastError = 0;

uint64_t threadsOf(const MusaDim3& block) { return uint64_t{block.x} * block.y * block.z; }

bool isValid(const ChildLaunch& launch, size_t sharedLimit) {
  const MusaDim3& grid = launch.grid;
  const uint64_t threads = threadsOf(launch.block);
  const uint64_t limit = launch.kernel->max_threads != 0 ? launch.kernel->max_threads : kMostThreads;
  return grid.x != 0 && grid.y != 0 && grid.z != 0 && grid.x <= INT32_MAX && grid.y <= 65535 &&
         grid.z <= 65535 && threads != 0 && launch.block.x <= kMostThreads &&
         launch.block.y <= kMostThreads && launch.block.z <= 64 && threads <= limit &&
         size_t{launch.kernel->static_shared_bytes} + launch.sharedBytes <= sharedLimit;
}

}  // namespace

int32_t ChildLaunches::add(ChildLaunch launch, uint64_t stream) {
  if (!isValid(launch, sharedLimit_)) return kInvalidConfiguration;
  if (depth_ >= kDeepest) return kLaunchMaxDepthExceeded;
  const std::lock_guard lock(mutex_);
  (stream == MUSA_STREAM_TAIL_LAUNCH ? tail_ : launches_).push_back(std::move(launch));
  return 0;
}

std::vector<ChildLaunch> ChildLaunches::take() {
  std::vector<ChildLaunch> all = std::move(launches_);
  all.insert(all.end(), std::make_move_iterator(tail_.begin()), std::make_move_iterator(tail_.end()));
  return all;
}

}  // namespace musashim::devrt

extern "C" {

MUSADEVRT_API void __musa_device_launch(const MusaKernelInfo* kernel, const void* params, uint64_t grid_xy,
                                        uint32_t grid_z, uint64_t block_xy, uint32_t block_z,
                                        uint64_t shared_bytes, uint64_t stream) {
  using namespace musashim::devrt;
  const auto dim = [](uint64_t xy, uint32_t z) {
    return MusaDim3{static_cast<uint32_t>(xy), static_cast<uint32_t>(xy >> 32), z};
  };
  const auto* state = static_cast<const GridState*>(__musa_thread.block->grid_state);
  ChildLaunch launch{kernel, dim(grid_xy, grid_z), dim(block_xy, block_z), 0, {}};
  if (shared_bytes > UINT32_MAX) {
    lastError = kInvalidConfiguration;
    return;
  }
  launch.sharedBytes = static_cast<uint32_t>(shared_bytes);
  const auto* bytes = static_cast<const std::byte*>(params);
  launch.params.assign(bytes, bytes + kernel->param_bytes);
  if (const int32_t error = state->children->add(std::move(launch), stream)) lastError = error;
}

MUSADEVRT_API int32_t __musa_device_last_error(int32_t clear) {
  const int32_t error = musashim::devrt::lastError;
  if (clear != 0) musashim::devrt::lastError = 0;
  return error;
}
}
