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
void leavePool(DeviceIndex device, PoolId pool) {
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

PoolId Graph::newPool() {
  static std::atomic<unsigned long long> next{1};
  return {0, next++};
}

Graph::~Graph() {
  try {
    reset();
  } catch (const std::exception& error) {
    TORCH_WARN("a graph could not be given back: ", error.what());
  }
}

void Graph::begin(PoolId pool, musaStreamCaptureMode mode) {
  TORCH_CHECK(executable_ == nullptr && graph_ == nullptr && capture_ == 0,
              "This MUSAGraph instance already owns a captured graph. To capture a new graph, create a new "
              "instance.");
  const Stream stream = currentStream(-1);
  TORCH_CHECK(stream.id() != 0,
              "MUSA graphs must be captured on a non-default stream. (However, after capture, it's ok to "
              "replay them on "
              "the default stream.)");
  pool_ = pool == PoolId{0, 0} ? newPool() : pool;
  device_ = stream.device_index();
  stream_ = nativeStream(stream);
  C10_MUSA_CHECK(musaStreamBeginCapture(stream_, mode));
  ++theActive;
  musaStreamCaptureStatus status = musaStreamCaptureStatusNone;
  C10_MUSA_CHECK(musaStreamGetCaptureInfo(stream_, &status, &capture_));
  const std::lock_guard lock(theMutex);
  theCaptures.emplace(capture_, Capture{pool_, {}});
  ++thePoolUsers[pool_];
}

void Graph::end() {
  TORCH_CHECK(capture_ != 0, "this MUSAGraph is not capturing");
  musaGraph_t graph = nullptr;
  const musaError_t ended = musaStreamEndCapture(stream_, &graph);
  --theActive;
  {
    const std::lock_guard lock(theMutex);
    kept_ = std::move(theCaptures.at(capture_).kept);
    theCaptures.erase(capture_);
  }
  capture_ = 0;
  C10_MUSA_CHECK(ended);
  TORCH_CHECK(graph != nullptr, "Invalid capture.");
  graph_ = graph;
  if (keeps_) return;
  const musaError_t made = musaGraphInstantiate(&executable_, graph_, 0);
  if (!debugs_) (void)musaGraphDestroy(std::exchange(graph_, nullptr));
  C10_MUSA_CHECK(made);
}

void Graph::instantiate() {
  TORCH_CHECK(graph_ != nullptr, "capture_end() must have been called before calling instantiate");
  TORCH_CHECK(keeps_, "instantiate() is intended to be called by the user only when keep_graph=true");
  const DeviceScope scope(device_);
  if (executable_ != nullptr) {
    C10_MUSA_CHECK(musaDeviceSynchronize());  // it may still be running
    C10_MUSA_CHECK(musaGraphExecDestroy(std::exchange(executable_, nullptr)));
  }
  C10_MUSA_CHECK(musaGraphInstantiate(&executable_, graph_, 0));
}

void Graph::debugDump(const std::string& path) {
  if (graph_ == nullptr) {
    TORCH_WARN("MUSA graphs debug not enabled: call enable_debug_mode() before the capture");
    return;
  }
  C10_MUSA_CHECK(musaGraphDebugDotPrint(graph_, path.c_str(), musaGraphDebugDotFlagsVerbose));
  if (!keeps_) C10_MUSA_CHECK(musaGraphDestroy(std::exchange(graph_, nullptr)));
}

musaGraph_t Graph::raw() const {
  TORCH_CHECK(keeps_,
              "You cannot access the raw musaGraph_t instance unless MUSAGraph was initialized with "
              "keep_graph=true");
  TORCH_CHECK(graph_ != nullptr,
              "You cannot access the raw musaGraph_t instance until capture_end() has been called");
  return graph_;
}

musaGraphExec_t Graph::rawExecutable() const {
  TORCH_CHECK(executable_ != nullptr,
              "You cannot access the raw musaGraphExec_t instance until instantiate() has been called");
  return executable_;
}

void Graph::replay() {
  if (keeps_ && executable_ == nullptr && graph_ != nullptr) instantiate();
  TORCH_CHECK(executable_ != nullptr, "Called MUSAGraph::replay without a preceding successful capture.");
  const DeviceScope scope(device_);
  C10_MUSA_CHECK(musaGraphLaunch(executable_, nativeStream(currentStream(device_))));
}

void Graph::reset() {
  if (executable_ != nullptr) {
    // What it runs is kept here: it may still be running.
    const DeviceScope scope(device_);
    C10_MUSA_CHECK(musaDeviceSynchronize());
    C10_MUSA_CHECK(musaGraphExecDestroy(std::exchange(executable_, nullptr)));
  }
  if (graph_ != nullptr) C10_MUSA_CHECK(musaGraphDestroy(std::exchange(graph_, nullptr)));
  kept_.clear();
  if (pool_ == PoolId{0, 0}) return;
  const std::lock_guard lock(theMutex);
  leavePool(device_, pool_);
  pool_ = {0, 0};
}

PoolId Graph::pool() const {
  TORCH_CHECK(pool_ != (PoolId{0, 0}), "Called MUSAGraph::pool() without a preceding successful capture.");
  return pool_;
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
  leavePool(device, pool);
}

}  // namespace MUSACachingAllocator
}  // namespace c10::musa
