// Device memory for tensors, as PyTorch asks for it.
#include "torch_musa/csrc/core/Allocator.h"

#include <array>
#include <memory>
#include <mutex>

#include "torch_musa/csrc/core/Blocks.h"
#include "torch_musa/csrc/core/Capture.h"

namespace c10::musa {
namespace {

class Allocator final : public DeviceAllocator {
 public:
  DataPtr allocate(std::size_t bytes) override {
    const DeviceIndex device = current_device();
    void* memory = nullptr;
    if (bytes > 0) {
      const Stream stream = currentStream(device);
      const PoolId pool = poolOf(stream);
      const Stack stack = stackFor(Stacks::kState);
      const std::lock_guard lock(mutex_);
      memory = of(device).take(bytes, stream.id(), pool, stack);
    }
    return {memory, memory, &give, Device(kDevice, device)};
  }
  DeleterFnPtr raw_deleter() const override { return &give; }
  void copy_data(void* to, const void* from, std::size_t bytes) const override {
    C10_MUSA_CHECK(musaMemcpy(to, from, bytes, musaMemcpyDeviceToDevice));
  }

  bool initialized() override { return true; }
  void emptyCache(MempoolId_t /*pool*/) override {
    const std::lock_guard lock(mutex_);
    for (const auto& blocks : devices_) {
      if (blocks) blocks->release();
    }
  }
  void recordStream(const DataPtr& memory, Stream stream) override {
    const std::lock_guard lock(mutex_);
    of(memory.device().index()).usedBy(memory.get(), stream.id());
  }
  CachingDeviceAllocator::DeviceStats getDeviceStats(DeviceIndex device) override {
    const std::lock_guard lock(mutex_);
    return of(device).stats;
  }
  void resetAccumulatedStats(DeviceIndex device) override {
    const std::lock_guard lock(mutex_);
    auto& stats = of(device).stats;
    eachStat(stats, [](CachingAllocator::Stat& stat) { stat.reset_accumulated(); });
    stats.num_alloc_retries = stats.num_ooms = stats.num_device_alloc = stats.num_device_free = 0;
  }
  void resetPeakStats(DeviceIndex device) override {
    const std::lock_guard lock(mutex_);
    eachStat(of(device).stats, [](CachingAllocator::Stat& stat) { stat.reset_peak(); });
  }
  // PyTorch asks for it from 2.10 on.
  std::pair<std::size_t, std::size_t> getMemoryInfo(DeviceIndex device) { return memoryInfo(device); }
  void setLimit(DeviceIndex device, double fraction) {
    const std::lock_guard lock(mutex_);
    of(device).limit = fraction;
  }
  double limit(DeviceIndex device) {
    const std::lock_guard lock(mutex_);
    return of(device).limit;
  }
  std::vector<Segment> segments(DeviceIndex device) {
    const std::lock_guard lock(mutex_);
    return of(device).segments();
  }
  std::vector<Happening> history(DeviceIndex device) {
    const std::lock_guard lock(mutex_);
    const auto& happenings = of(device).history.happenings();
    return {happenings.begin(), happenings.end()};
  }
  void clearHistory(DeviceIndex device) {
    const std::lock_guard lock(mutex_);
    of(device).history.clear();
  }
  void drop(DeviceIndex device, PoolId pool) {
    const std::lock_guard lock(mutex_);
    of(device).dropPool(pool);
  }

 private:
  template <typename Visit>
  static void eachStat(CachingDeviceAllocator::DeviceStats& stats, Visit visit) {
    for (auto* array :
         {&stats.allocation, &stats.segment, &stats.active, &stats.inactive_split, &stats.allocated_bytes,
          &stats.reserved_bytes, &stats.active_bytes, &stats.inactive_split_bytes, &stats.requested_bytes}) {
      for (auto& stat : *array) visit(stat);
    }
  }

  DeviceBlocks& of(DeviceIndex device) {
    TORCH_CHECK(device >= 0 && device < device_count(), "Invalid device argument ", static_cast<int>(device),
                ": did you call init?");
    auto& blocks = devices_.at(static_cast<std::size_t>(device));
    if (!blocks) blocks = std::make_unique<DeviceBlocks>(device);
    return *blocks;
  }

  static void give(void* memory);
  void put(void* memory) {
    const Stack stack = stackFor(Stacks::kAll);
    const std::lock_guard lock(mutex_);
    for (const auto& blocks : devices_) {
      if (blocks && blocks->give(memory, stack)) return;
    }
  }

  std::mutex mutex_;
  std::array<std::unique_ptr<DeviceBlocks>, 64> devices_;
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

std::pair<std::size_t, std::size_t> memoryInfo(DeviceIndex device) {
  const DeviceScope scope(device);
  std::size_t free = 0, total = 0;
  C10_MUSA_CHECK(musaMemGetInfo(&free, &total));
  return {free, total};
}

void setMemoryFraction(DeviceIndex device, double fraction) { theAllocator().setLimit(device, fraction); }
double memoryFraction(DeviceIndex device) { return theAllocator().limit(device); }

std::vector<Happening> memoryHistory(DeviceIndex device) { return theAllocator().history(device); }
void clearMemoryHistory(DeviceIndex device) { theAllocator().clearHistory(device); }

std::vector<Segment> memorySegments(DeviceIndex device) { return theAllocator().segments(device); }

void dropPool(DeviceIndex device, PoolId pool) { theAllocator().drop(device, pool); }

}  // namespace c10::musa
