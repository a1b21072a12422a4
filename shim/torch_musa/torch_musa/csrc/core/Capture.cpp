#include "torch_musa/csrc/core/Capture.h"

#include <atomic>
#include <functional>
#include <map>
#include <mutex>
#include <vector>

#include "torch_musa/csrc/core/Allocator.h"
#include "torch_musa/csrc/core/MUSACachingAllocator.h"

namespace c10::musa {
namespace {

struct Capture {
  PoolId pool;
  std::vector<std::shared_ptr<void>> kept;
};

std::mutex theMutex;
std::map<unsigned long long, Capture> theCaptures;
std::map<PoolId, int> thePoolUsers;  // graphs, and whoever allocates to it by name
std::atomic<int> theActive{0};

/// What is allocated for streams that pass `takes` comes from the pool.
struct Allocation {
  DeviceIndex device;
  PoolId pool;
  std::function<bool(musaStream_t)> takes;
};
std::vector<Allocation> theAllocations;
std::atomic<int> theAllocationsCount{0};

/// The pool that is allocated to by name, for the stream's memory; {0, 0} if none is. Guarded by theMutex.
PoolId namedPoolOf(const Stream& stream) {
  for (const Allocation& one : theAllocations) {
    if (one.device == stream.device_index() && one.takes(nativeStream(stream))) return one.pool;
  }
  return {0, 0};
}

/// Guarded by theMutex.
void leavePoolLocked(DeviceIndex device, PoolId pool) {
  const auto users = thePoolUsers.find(pool);
  if (users == thePoolUsers.end() || --users->second > 0) return;
  thePoolUsers.erase(users);
  dropPool(device, pool);
}

}  // namespace

bool captureIsActive() { return theActive.load(std::memory_order_relaxed) > 0; }

unsigned long long captureOf(const Stream& stream) {
  if (!captureIsActive()) return 0;
  musaStreamCaptureStatus status = musaStreamCaptureStatusNone;
  unsigned long long id = 0;
  // The default stream answers with an error while another one is captured.
  if (musaStreamGetCaptureInfo(nativeStream(stream), &status, &id) != musaSuccess)
    return (void)musaGetLastError(), 0;
  return status == musaStreamCaptureStatusNone ? 0 : id;
}

PoolId poolOf(const Stream& stream) {
  const unsigned long long capture = captureOf(stream);
  const bool named = theAllocationsCount.load(std::memory_order_relaxed) > 0;
  if (capture == 0 && !named) return {0, 0};
  const std::lock_guard lock(theMutex);
  if (const PoolId pool = namedPoolOf(stream); pool != PoolId{0, 0}) return pool;
  const auto found = theCaptures.find(capture);
  return found == theCaptures.end() ? PoolId{0, 0} : found->second.pool;
}

void keepForCapture(unsigned long long capture, std::shared_ptr<void> kept) {
  const std::lock_guard lock(theMutex);
  const auto found = theCaptures.find(capture);
  TORCH_CHECK(found != theCaptures.end(),
              "the stream is captured, but not by torch.musa.MUSAGraph: operators cannot be recorded");
  found->second.kept.push_back(std::move(kept));
}

PoolId newPool() {
  static std::atomic<unsigned long long> next{1};
  return {0, next++};
}

unsigned long long beginCapture(musaStream_t stream, PoolId pool, musaStreamCaptureMode mode) {
  C10_MUSA_CHECK(musaStreamBeginCapture(stream, mode));
  ++theActive;
  musaStreamCaptureStatus status = musaStreamCaptureStatusNone;
  unsigned long long capture = 0;
  C10_MUSA_CHECK(musaStreamGetCaptureInfo(stream, &status, &capture));
  const std::lock_guard lock(theMutex);
  theCaptures.emplace(capture, Capture{pool, {}});
  ++thePoolUsers[pool];
  return capture;
}

std::vector<std::shared_ptr<void>> endCapture(musaStream_t stream, unsigned long long capture,
                                              musaGraph_t* graph) {
  const musaError_t ended = musaStreamEndCapture(stream, graph);
  --theActive;
  std::vector<std::shared_ptr<void>> kept;
  {
    const std::lock_guard lock(theMutex);
    kept = std::move(theCaptures.at(capture).kept);
    theCaptures.erase(capture);
  }
  C10_MUSA_CHECK(ended);
  return kept;
}

void leavePool(DeviceIndex device, PoolId pool) {
  const std::lock_guard lock(theMutex);
  leavePoolLocked(device, pool);
}

namespace MUSACachingAllocator {

void beginAllocateToPool(DeviceIndex device, MempoolId_t pool, std::function<bool(musaStream_t)> takes) {
  TORCH_CHECK(pool != (PoolId{0, 0}), "a pool of memory is needed: torch.musa.graph_pool_handle()");
  const std::lock_guard lock(theMutex);
  for (const Allocation& one : theAllocations)
    TORCH_CHECK(one.device != device || one.pool != pool, "memory is allocated to this pool already");
  ++thePoolUsers[pool];
  theAllocations.push_back({device, pool, std::move(takes)});
  ++theAllocationsCount;
}

void endAllocateToPool(DeviceIndex device, MempoolId_t pool) {
  const std::lock_guard lock(theMutex);
  const auto ended = std::erase_if(
      theAllocations, [&](const Allocation& one) { return one.device == device && one.pool == pool; });
  TORCH_CHECK(ended == 1, "endAllocateToPool: no memory is allocated to this pool");
  --theAllocationsCount;
}

void createOrIncrefPool(DeviceIndex /*device*/, MempoolId_t pool) {
  const std::lock_guard lock(theMutex);
  ++thePoolUsers[pool];
}

int getPoolUseCount(DeviceIndex /*device*/, MempoolId_t pool) {
  const std::lock_guard lock(theMutex);
  const auto users = thePoolUsers.find(pool);
  return users == thePoolUsers.end() ? 0 : users->second;
}

void releasePool(DeviceIndex device, MempoolId_t pool) {
  const std::lock_guard lock(theMutex);
  TORCH_CHECK(thePoolUsers.contains(pool), "releasePool: nobody uses this pool");
  leavePoolLocked(device, pool);
}

}  // namespace MUSACachingAllocator
}  // namespace c10::musa
