#include "musa/context/context.h"

#include <fmt/core.h>

#include <algorithm>
#include <utility>

#include "musa/api/driver.h"
#include "musa/context/access_policy.h"
#include "musa/graph/capture/capture.h"
#include "musa/trace/listener.h"
#include "support/per_thread.h"

namespace musashim::musa {
namespace {

// Each thread's streams of MU_STREAM_PER_THREAD, ended with the thread.
struct ThreadStreams {
  struct Entry {
    Context* context;
    Stream* stream;
    uint64_t streamId;
  };
  std::vector<Entry> entries;

  static bool isAlive(const Entry& entry) {
    Stream* stream = driver().streams.get(entry.stream);
    return stream && stream->id() == entry.streamId;
  }

  ~ThreadStreams() {
    if (!Driver::get()) return;  // a forked child ends
    for (const Entry& entry : entries) {
      driver().whileAlive(entry.context, [&] {
        if (isAlive(entry)) entry.context->destroyStream(entry.stream);
      });
    }
  }
};

}  // namespace

Context::Context(DeviceState& device, bool primary, unsigned flags)
    : device_(device), primary_(primary), id_(driver().nextId()), flags_(flags) {
  legacy_ = driver().streams.create(*this, StreamKind::kLegacy, 0, device.backend().createQueue(0),
                                    driver().nextId());
  // CUDA's defaults on current devices.
  limits_[MU_LIMIT_STACK_SIZE] = 1024;
  limits_[MU_LIMIT_PRINTF_FIFO_SIZE] = size_t{1} << 20;
  limits_[MU_LIMIT_MALLOC_HEAP_SIZE] = size_t{8} << 20;
  limits_[MU_LIMIT_DEV_RUNTIME_SYNC_DEPTH] = 2;
  limits_[MU_LIMIT_DEV_RUNTIME_PENDING_LAUNCH_COUNT] = 2048;
  limits_[MU_LIMIT_MAX_L2_FETCH_GRANULARITY] = 64;
}

Result Context::fault() const {
  Status status = device_.backend().fault();
  if (status.isOk()) [[likely]]
    return {};
  device_.backend().flushPrintf();  // whichever call reports the fault: no later one synchronizes
  return status;
}

Stream& Context::perThreadStream() {
  auto& entries = support::PerThread<ThreadStreams>::get().entries;
  for (const auto& entry : entries) {
    if (entry.context == this && ThreadStreams::isAlive(entry)) return *entry.stream;
  }
  std::erase_if(entries, [](const auto& entry) { return !ThreadStreams::isAlive(entry); });
  Stream* stream = createStream(StreamKind::kPerThread, 0);
  entries.push_back({this, stream, stream->id()});
  return *stream;
}

Stream* Context::createStream(StreamKind kind, int priority) {
  Stream* stream = driver().streams.create(*this, kind, priority, device_.backend().createQueue(priority),
                                           driver().nextId());
  tellResource(MUSHIM_STREAM_CREATED, handle(), reinterpret_cast<MUstream>(stream));
  auto lock = lockStreams();
  // By address, as the legacy stream locks several of them at once: always in one order.
  streams_.insert(std::upper_bound(streams_.begin(), streams_.end(), stream), stream);
  if (stream->takesPartInLegacy()) blockingStreams_.fetch_add(1);
  return stream;
}

void Context::destroyStream(Stream* stream) {
  if (stream->isCapturing()) abandonCapture(*stream);
  tellResource(MUSHIM_STREAM_ENDS, handle(), reinterpret_cast<MUstream>(stream));
  auto lock = lockStreams();
  std::erase(streams_, stream);
  backend::Fence last = stream->lastFence();
  if (last.queue->isComplete(last.value)) {
    if (stream->takesPartInLegacy()) blockingStreams_.fetch_sub(1);
    driver().streams.destroy(stream);
    return;
  }
  // The work goes on: the queue and what it uses stay until a synchronisation sees its end.
  last.queue->nudge();
  retired_.push_back({last, nullptr});
  if (stream->takesPartInLegacy()) retiredBlocking_.push_back(last);
  retired_.back().second = stream;
  driver().streams.retire(stream);
}

void Context::appendRetired(std::vector<backend::Fence>& fences) {
  for (const backend::Fence& fence : retiredBlocking_) {
    if (!fence.queue->isComplete(fence.value)) fences.push_back(fence);
  }
}

void Context::appendPending(std::vector<backend::Fence>& fences) {
  auto lock = lockStreams();
  auto add = [&](const backend::Fence& fence) {
    if (!fence.queue->isComplete(fence.value)) fences.push_back(fence);
  };
  add(legacy_->lastFence());
  for (Stream* stream : streams_) add(stream->lastFence());
  for (auto& [fence, stream] : retired_) add(fence);
}

void waitForAll(const std::vector<backend::Fence>& fences) {
  // This thread helps one queue at a time, so the others need their own threads.
  for (size_t i = 1; i < fences.size(); ++i) fences[i].queue->nudge();
  for (const backend::Fence& fence : fences) fence.queue->wait(fence.value);
}

void Context::synchronize() {
  std::vector<backend::Fence> pending;
  appendPending(pending);
  waitForAll(pending);
  endRetiredStreams();
}

void Context::endRetiredStreams() {
  auto lock = lockStreams();
  std::erase_if(retired_, [&](auto& entry) {
    if (!entry.first.queue->isComplete(entry.first.value)) return false;
    if (entry.second->takesPartInLegacy()) blockingStreams_.fetch_sub(1);
    driver().streams.destroyRetired(entry.second);
    return true;
  });
  std::erase_if(retiredBlocking_, [](auto& fence) { return fence.queue->isComplete(fence.value); });
}

void Context::addModule(Module* module) {
  std::lock_guard lock(mutex_);
  modules_.insert(module);
}

void Context::removeModule(Module* module) {
  std::lock_guard lock(mutex_);
  modules_.erase(module);
}

void Context::addEvent(Event* event) {
  std::lock_guard lock(mutex_);
  events_.insert(event);
}

void Context::removeEvent(Event* event) {
  std::lock_guard lock(mutex_);
  events_.erase(event);
}

Result Context::enablePeer(Context& peer) {
  std::lock_guard lock(mutex_);
  MUSA_REQUIRE(peers_.emplace(peer.id_, &peer.device_).second, MUSA_ERROR_PEER_ACCESS_ALREADY_ENABLED,
               fmt::format("device {} to {}", device_.ordinal(), peer.device_.ordinal()));
  device_.backend().setPeerAccess(peer.device_.backend(), true);
  return {};
}

Result Context::disablePeer(Context& peer) {
  std::lock_guard lock(mutex_);
  MUSA_REQUIRE(peers_.erase(peer.id_) == 1, MUSA_ERROR_PEER_ACCESS_NOT_ENABLED,
               fmt::format("device {} to {}", device_.ordinal(), peer.device_.ordinal()));
  device_.backend().setPeerAccess(peer.device_.backend(), false);
  return {};
}

bool Context::hasPeer(const Context& peer) const {
  std::lock_guard lock(mutex_);
  return peers_.count(peer.id_) != 0;
}

Result Context::setLimit(MUlimit limit, size_t value) {
  MUSA_REQUIRE(limit >= 0 && limit < MU_LIMIT_MAX, MUSA_ERROR_INVALID_VALUE,
               fmt::format("limit {}", static_cast<int>(limit)));
  // As CUDA does with what is a hint: the device gives what it has.
  if (limit == MU_LIMIT_PERSISTING_L2_CACHE_SIZE) {
    value = std::min<size_t>(value, mostPersistingBytes(device_.profile()));
  }
  std::lock_guard lock(mutex_);
  limits_[limit] = value;
  return {};
}

Result Context::getLimit(MUlimit limit, size_t& value) const {
  MUSA_REQUIRE(limit >= 0 && limit < MU_LIMIT_MAX, MUSA_ERROR_INVALID_VALUE,
               fmt::format("limit {}", static_cast<int>(limit)));
  std::lock_guard lock(mutex_);
  value = limits_[limit];
  return {};
}

void Context::clear(bool alone) {
  ending_.store(true, std::memory_order_release);
  bool reset = alone || !device_.backend().fault().isOk();
  if (reset) {
    device_.backend().reset();
  } else {
    synchronize();
  }
  destroyObjects();
  releaseMemory(reset);
}

void Context::destroyObjects() {
  std::unordered_set<Module*> modules;
  std::unordered_set<Event*> events;
  {
    std::lock_guard lock(mutex_);
    modules.swap(modules_);
    events.swap(events_);
    for (const auto& [id, device] : peers_) device_.backend().setPeerAccess(device->backend(), false);
    peers_.clear();
  }
  destroyImagesOf(*this);
  for (Event* event : events) driver().events.destroy(event);
  for (Module* module : modules) driver().modules.destroy(module);

  std::vector<Stream*> streams;
  {
    auto lock = lockStreams();
    streams = streams_;
  }
  for (Stream* stream : streams) {
    if (stream->isCapturing()) abandonCapture(*stream);
  }
  auto lock = lockStreams();
  for (Stream* stream : streams_) driver().streams.destroy(stream);
  for (auto& [fence, stream] : retired_) driver().streams.destroyRetired(stream);
  streams_.clear();
  retired_.clear();
  retiredBlocking_.clear();
  blockingStreams_ = 0;
  driver().streams.destroy(legacy_);
  legacy_ = nullptr;
}

// However often it was opened.
static void closeImported(void* pointer) {
  for (bool last = false; !last && driver().backend().closeMemory(pointer, last).isOk();) continue;
}

void Context::releaseMemory(bool deviceMemoryGone) {
  for (const Allocation& allocation : driver().allocations().extract(this)) {
    void* pointer = reinterpret_cast<void*>(allocation.base);
    if (allocation.pool) allocation.pool->uncount(allocation.size);
    if (allocation.kind == MemoryKind::kManaged) driver().advice().forget(allocation);
    if (allocation.mapped) continue;  // stays mapped, for whoever gives access again
    if (allocation.imported) {
      closeImported(pointer);
    } else if (allocation.kind == MemoryKind::kDevice && !deviceMemoryGone) {
      (void)device_.backend().release(pointer).isOk();
    } else if (allocation.kind == MemoryKind::kHost || allocation.kind == MemoryKind::kManaged) {
      (void)driver().backend().releaseHost(pointer).isOk();
    }
  }
}

}  // namespace musashim::musa
