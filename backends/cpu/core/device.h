// A device of the cpu backend.
#pragma once

#include <atomic>
#include <map>
#include <memory>
#include <mutex>
#include <string>

#include "cpu/core/fault_plan.h"
#include "cpu/core/settings.h"
#include "cpu/core/slow_links.h"
#include "cpu/devrt/control.h"
#include "cpu/memory/arena.h"
#include "cpu/memory/protection_keys.h"
#include "cpu/process/exports.h"
#include "interface/device.h"

namespace musashim::backend::cpu {

class CpuDevice final : public Device {
 public:
  static Status create(size_t index, const Settings& settings, MemoryLedger& ledger,
                       std::unique_ptr<CpuDevice>& device);
  ~CpuDevice() override;  // drops pending work

  const DeviceProfile& profile() const override { return profile_; }
  DeviceReadings readings() const override { return readings_; }
  std::optional<PciAddress> pciAddress() const override { return pciAddress_; }
  Status allocate(size_t bytes, void** pointer) override;
  Status release(void* pointer) override {
    exports_.withdraw(memory_->offsetOf(pointer));
    return memory_->release(pointer);
  }
  Status shareMemory(void* pointer, size_t bytes, ShareTicket& ticket) override {
    return exports_.share(memory_->offsetOf(pointer), bytes, ticket);
  }
  MemoryInfo memoryInfo() const override;
  std::shared_ptr<Queue> createQueue(int priority) override;
  int imageRank(std::string_view processor) const override;
  Status loadImage(std::span<const std::byte> image, std::unique_ptr<Image>& loaded) override;
  Status fault() const override;
  void reset() override;
  void flushPrintf() override;
  void setPeerAccess(const Device& peer, bool on) override;
  void answerWith(const DeviceQueries& queries) override { devrt::answerDeviceCode(*runtime_, queries); }

  // For the executor:
  devrt::DeviceState& runtime() { return *runtime_; }
  // True after a fault and during a reset: commands complete without running.
  bool skipsWork() const { return skips_.load(); }
  // A kernel is about to run: true when it fails instead, by the machine's description.
  bool failsNextLaunch() { return plan_ != nullptr && launchFails(); }
  Status skipReason() const;
  void raiseFault(Status fault);                                                // the first one sticks
  KeyBits reaches() const { return reaches_.load(std::memory_order_relaxed); }  // what kernels may touch

  size_t index() const { return index_; }
  const Arena& memory() const { return *memory_; }

  // Null: copies go as fast as they do.
  const SlowLinks* slowLinks() const { return slowLinks_; }
  void copyBy(const SlowLinks& links) { slowLinks_ = &links; }  // before any work

  // What others see of it (process/device_board.h).
  uint32_t number() const { return static_cast<uint32_t>(index_); }
  std::atomic<uint32_t>& runningOn(size_t queue) { return ledger_.board()->runningOn(queue); }

 private:
  CpuDevice(size_t index, const Settings& settings, MemoryLedger& ledger, std::unique_ptr<Arena> memory);
  void dropPendingWork();
  bool launchFails();

  const DeviceProfile profile_;
  const std::optional<PciAddress> pciAddress_;
  MemoryLedger& ledger_;
  std::unique_ptr<Arena> memory_;
  ExportTable exports_;
  devrt::DeviceStatePointer runtime_;
  const size_t index_;
  std::atomic<KeyBits> reaches_;
  DeviceReadings readings_;
  const SlowLinks* slowLinks_ = nullptr;
  std::unique_ptr<FaultPlan> plan_;  // null: no faults but those of programs
  std::atomic<bool> skips_{false};
  mutable std::mutex mutex_;  // guards what follows
  Status fault_;
  std::map<size_t, int> peers_;       // how often access was given, by index
  std::atomic<bool> faulted_{false};  // fault_ is not ok
};

}  // namespace musashim::backend::cpu
