// Memory pools: where stream-ordered allocations come from, and who may use them.
//
// A pool's memory is the device's own: a pool counts, keeps its attributes, and can be
// shared with other processes. It goes when it is destroyed and its memory is freed.
#pragma once

#include <atomic>
#include <cstdint>
#include <map>
#include <mutex>

#include "musa.h"
#include "musa/api/result.h"

namespace musashim::musa {

class DeviceState;

struct Pool {
  // How a pool came into being.
  enum class Origin { kDevice, kCreated, kImported };

  Pool(DeviceState& owner, Origin from) : device(owner), origin(from) {}

  DeviceState& device;
  const Origin origin;
  MUmemPoolProps properties{};
  uint64_t importKey = 0;  // of an imported pool: the exporter's
  std::atomic<uint64_t> releaseThreshold{0};
  std::atomic<int> reuse[4]{1, 1, 1, 1};  // by attribute number
  std::atomic<uint64_t> used{0}, usedHigh{0};

  void count(uint64_t bytes);
  // The same, but false if they would be more than the pool's maximum, in whole steps of 32 MiB (recorded).
  [[nodiscard]] bool reserve(uint64_t bytes);
  void uncount(uint64_t bytes);
  void destroy();  // the handle ends at once

  Result setAccess(const MUmemAccessDesc* access, size_t count);
  Result getAccess(int ordinal, MUmemAccess_flags& flags);

 private:
  void dropIfUnused();

  std::atomic<bool> destroyed_{false}, gone_{false};
  std::mutex mutex_;
  std::map<int, MUmemAccess_flags> access_;  // of other devices, by ordinal
};

// A handle's pool; fails when it is not alive.
Result findPool(MUmemoryPool handle, Pool*& pool);

}  // namespace musashim::musa
