// A context: what one user of a device has there. Streams, events, modules and
// memory belong to a context and end with it.
#pragma once

#include <atomic>
#include <cstdint>
#include <map>
#include <memory>
#include <mutex>
#include <span>
#include <unordered_set>
#include <vector>

#include "interface/device.h"
#include "musa.h"
#include "musa/api/result.h"
#include "musa/stream/stream.h"

namespace musashim::musa {

class DeviceState;
class Event;
class Module;

// CUDA's range on current devices; lower runs first.
inline constexpr int kLeastPriority = 0;
inline constexpr int kGreatestPriority = -5;

class Context {
 public:
  Context(DeviceState& device, bool primary, unsigned flags);
  Context(const Context&) = delete;
  Context& operator=(const Context&) = delete;

  DeviceState& device() const { return device_; }
  bool isPrimary() const { return primary_; }
  uint64_t id() const { return id_; }
  std::atomic<unsigned>& flags() { return flags_; }
  MUcontext handle() { return reinterpret_cast<MUcontext>(this); }

  // The error of a faulted device, which every call on the context then returns.
  Result fault() const;

  // ---- Streams ----
  Stream& legacyStream() const { return *legacy_; }
  Stream& perThreadStream();  // the calling thread's own
  Stream* createStream(StreamKind kind, int priority);
  void destroyStream(Stream* stream);  // its pending work goes on

  bool hasBlockingStreams() const { return blockingStreams_.load(std::memory_order_acquire) != 0; }
  std::unique_lock<std::mutex> lockStreams() const { return std::unique_lock(streamsMutex_); }
  const std::vector<Stream*>& streams() const { return streams_; }  // with lockStreams()
  void appendRetired(std::vector<backend::Fence>& fences);          // with lockStreams()

  // Blocking streams that capture: work of the legacy stream is refused meanwhile.
  std::atomic<unsigned> capturingStreams{0};

  // True from the beginning of clear(): whoever waits inside a queue gives up.
  bool isEnding() const { return ending_.load(std::memory_order_acquire); }

  // Waits for all work of all streams. Does not look at faults.
  void synchronize();
  // The same in steps: what is not complete yet; and, after the wait, an end to streams whose
  // destruction waited for their work.
  void appendPending(std::vector<backend::Fence>& fences);
  void endRetiredStreams();

  // ---- What else lives here; each of these locks by itself ----
  void addModule(Module* module);
  void removeModule(Module* module);
  void addEvent(Event* event);
  void removeEvent(Event* event);

  Result enablePeer(Context& peer);
  Result disablePeer(Context& peer);
  bool hasPeer(const Context& peer) const;

  Result setLimit(MUlimit limit, size_t value);
  Result getLimit(MUlimit limit, size_t& value) const;

  std::atomic<int> cacheConfig{MU_FUNC_CACHE_PREFER_NONE};
  std::atomic<int> sharedConfig{MU_SHARED_MEM_CONFIG_FOUR_BYTE_BANK_SIZE};

  // Ends everything in the context: waits for its work (or, on a faulted device or when
  // `alone`, resets the device), then frees streams, events, modules and memory.
  void clear(bool alone);

 private:
  void destroyObjects();
  void releaseMemory(bool deviceMemoryGone);

  DeviceState& device_;
  const bool primary_;
  const uint64_t id_;
  std::atomic<unsigned> flags_;
  std::atomic<bool> ending_{false};

  mutable std::mutex streamsMutex_;
  std::vector<Stream*> streams_;  // all but the legacy one
  std::vector<backend::Fence> retiredBlocking_;
  std::vector<std::pair<backend::Fence, Stream*>> retired_;
  std::atomic<size_t> blockingStreams_{0};
  Stream* legacy_ = nullptr;

  mutable std::mutex mutex_;
  std::unordered_set<Module*> modules_;
  std::unordered_set<Event*> events_;
  std::map<uint64_t, DeviceState*> peers_;  // by id of the context
  size_t limits_[MU_LIMIT_MAX] = {};
};

// Waits for every fence, helping to run what stands before them.
void waitForAll(const std::vector<backend::Fence>& fences);

// Flags that a context can have.
Result checkContextFlags(unsigned flags);

}  // namespace musashim::musa
