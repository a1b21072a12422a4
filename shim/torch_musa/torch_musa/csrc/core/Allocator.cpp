// Device memory for tensors: what was freed is kept by its size, for its device.
#include "torch_musa/csrc/core/Allocator.h"

#include <c10/core/CachingDeviceAllocator.h>

#include <map>
#include <mutex>
#include <unordered_map>

#include "torch_musa/csrc/core/Device.h"

namespace c10::musa {
namespace {

constexpr std::size_t kSmallest = 512;

std::size_t rounded(std::size_t bytes) {
  const std::size_t step = bytes < (1U << 20U) ? kSmallest : (2U << 20U);
  return (bytes + step - 1) / step * step;
}

struct Pool {
  std::multimap<std::size_t, void*> free;
  CachingDeviceAllocator::DeviceStats stats;
  double limit = 1.0;  // of the device's memory
};

class Allocator final : public DeviceAllocator {
 public:
  DataPtr allocate(std::size_t bytes) override {
    const DeviceIndex device = current_device();
    void* const memory = bytes > 0 ? take(device, bytes) : nullptr;
    return {memory, memory, &give, Device(kDevice, device)};
  }
  DeleterFnPtr raw_deleter() const override { return &give; }
  void copy_data(void* to, const void* from, std::size_t bytes) const override {
    C10_MUSA_CHECK(musaMemcpy(to, from, bytes, musaMemcpyDeviceToDevice));
  }

  bool initialized() override { return true; }
  void emptyCache(MempoolId_t /*pool*/) override {
    const std::lock_guard lock(mutex_);
    for (auto& [device, pool] : pools_) release(device, pool);
  }
  // Work on tensors is done when a call ends, so no stream uses memory that is given back.
  void recordStream(const DataPtr& /*memory*/, Stream /*stream*/) override {}
  CachingDeviceAllocator::DeviceStats getDeviceStats(DeviceIndex device) override {
    const std::lock_guard lock(mutex_);
    return pools_[device].stats;
  }
  void resetAccumulatedStats(DeviceIndex device) override {
    const std::lock_guard lock(mutex_);
    eachStat(pools_[device].stats, [](CachingAllocator::Stat& stat) { stat.reset_accumulated(); });
  }
  void resetPeakStats(DeviceIndex device) override {
    const std::lock_guard lock(mutex_);
    eachStat(pools_[device].stats, [](CachingAllocator::Stat& stat) { stat.reset_peak(); });
  }
  std::pair<std::size_t, std::size_t> getMemoryInfo(DeviceIndex device) override {
    const DeviceScope scope(device);
    std::size_t free = 0, total = 0;
    C10_MUSA_CHECK(musaMemGetInfo(&free, &total));
    return {free, total};
  }
  void setLimit(DeviceIndex device, double fraction) {
    const std::lock_guard lock(mutex_);
    pools_[device].limit = fraction;
  }

 private:
  struct Block {
    std::size_t bytes;
    std::size_t wanted;
    DeviceIndex device;
  };

  template <typename Visit>
  static void eachStat(CachingDeviceAllocator::DeviceStats& stats, Visit visit) {
    for (auto* array : {&stats.allocation, &stats.segment, &stats.active, &stats.allocated_bytes,
                        &stats.reserved_bytes, &stats.active_bytes, &stats.requested_bytes}) {
      for (auto& stat : *array) visit(stat);
    }
  }
  static CachingAllocator::Stat& whole(CachingAllocator::StatArray& array) { return array[0]; }

  void* take(DeviceIndex device, std::size_t wanted) {
    const std::size_t bytes = rounded(wanted);
    const std::lock_guard lock(mutex_);
    Pool& pool = pools_[device];
    void* memory = nullptr;
    std::size_t size = bytes;
    // Not one that is much larger.
    if (const auto kept = pool.free.lower_bound(bytes);
        kept != pool.free.end() && kept->first <= bytes + bytes / 4) {
      size = kept->first;
      memory = kept->second;
      pool.free.erase(kept);
    } else {
      memory = fresh(device, pool, bytes);
    }
    blocks_[memory] = {size, wanted, device};
    whole(pool.stats.allocation).increase(1);
    whole(pool.stats.active).increase(1);
    whole(pool.stats.allocated_bytes).increase(size);
    whole(pool.stats.active_bytes).increase(size);
    whole(pool.stats.requested_bytes).increase(wanted);
    return memory;
  }

  void* fresh(DeviceIndex device, Pool& pool, std::size_t bytes) {
    void* memory = nullptr;
    musaError_t error =
        beyondLimit(device, pool, bytes) ? musaErrorMemoryAllocation : musaMalloc(&memory, bytes);
    if (error == musaErrorMemoryAllocation) {
      (void)musaGetLastError();
      ++pool.stats.num_alloc_retries;
      release(device, pool);
      error = beyondLimit(device, pool, bytes) ? musaErrorMemoryAllocation : musaMalloc(&memory, bytes);
    }
    if (error == musaErrorMemoryAllocation) {
      (void)musaGetLastError();
      ++pool.stats.num_ooms;
      fail(device, pool, bytes);
    }
    C10_MUSA_CHECK(error);
    whole(pool.stats.segment).increase(1);
    whole(pool.stats.reserved_bytes).increase(bytes);
    ++pool.stats.num_device_alloc;
    return memory;
  }

  bool beyondLimit(DeviceIndex device, Pool& pool, std::size_t bytes) {
    if (pool.limit >= 1.0) return false;
    const auto total = static_cast<double>(getMemoryInfo(device).second);
    return static_cast<double>(whole(pool.stats.reserved_bytes).current) + static_cast<double>(bytes) >
           pool.limit * total;
  }

  [[noreturn]] void fail(DeviceIndex device, Pool& pool, std::size_t bytes) {
    const auto [free, total] = getMemoryInfo(device);
    const auto mib = [](auto count) { return static_cast<double>(count) / (1 << 20); };
    TORCH_CHECK_WITH(
        OutOfMemoryError, false, "MUSA out of memory. Tried to allocate ", mib(bytes), " MiB. GPU ",
        static_cast<int>(device), " has a total capacity of ", mib(total), " MiB of which ", mib(free),
        " MiB is free. Of the allocated memory ", mib(whole(pool.stats.allocated_bytes).current),
        " MiB is allocated by PyTorch, and ",
        mib(whole(pool.stats.reserved_bytes).current - whole(pool.stats.allocated_bytes).current),
        " MiB is reserved by PyTorch but unallocated.");
  }

  void release(DeviceIndex device, Pool& pool) {
    const DeviceScope scope(device);
    for (const auto& [bytes, memory] : pool.free) {
      C10_MUSA_CHECK(musaFree(memory));
      whole(pool.stats.segment).decrease(1);
      whole(pool.stats.reserved_bytes).decrease(bytes);
      ++pool.stats.num_device_free;
    }
    pool.free.clear();
  }

  static void give(void* memory);
  void put(void* memory) {
    const std::lock_guard lock(mutex_);
    const auto block = blocks_.find(memory);
    if (block == blocks_.end()) return;
    const auto [bytes, wanted, device] = block->second;
    blocks_.erase(block);
    Pool& pool = pools_[device];
    pool.free.emplace(bytes, memory);
    whole(pool.stats.allocation).decrease(1);
    whole(pool.stats.active).decrease(1);
    whole(pool.stats.allocated_bytes).decrease(bytes);
    whole(pool.stats.active_bytes).decrease(bytes);
    whole(pool.stats.requested_bytes).decrease(wanted);
  }

  std::mutex mutex_;
  std::unordered_map<DeviceIndex, Pool> pools_;
  std::unordered_map<void*, Block> blocks_;
};

Allocator& theAllocator() {
  static Allocator* const kAllocator = new Allocator;  // tensors may outlive everything
  return *kAllocator;
}

void Allocator::give(void* memory) {
  if (memory != nullptr) theAllocator().put(memory);
}

const int kRegistered = (SetAllocator(kDevice, &theAllocator()), 0);

}  // namespace

DeviceAllocator& deviceAllocator() {
  (void)kRegistered;
  return theAllocator();
}

void setMemoryFraction(DeviceIndex device, double fraction) { theAllocator().setLimit(device, fraction); }

}  // namespace c10::musa
