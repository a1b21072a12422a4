#include "cpu/core/device.h"

#include <fmt/core.h>

#include <algorithm>
#include <limits>

#include "cpu/core/cpu_level.h"
#include "cpu/core/image.h"
#include "cpu/exec/queue_pool.h"

namespace musashim::backend::cpu {

namespace {
constexpr uint64_t kGranularity = 256;  // what musaMalloc promises

std::optional<PciAddress> placeOf(size_t index, const Settings& settings) {
  const std::vector<MachineDevice>& described = settings.machine.devices;
  if (index < described.size() && described[index].place) return described[index].place;
  return index < settings.places.size() ? std::optional(settings.places[index]) : std::nullopt;
}
}  // namespace

Status CpuDevice::create(size_t index, const Settings& settings, MemoryLedger& ledger,
                         std::unique_ptr<CpuDevice>& device) {
  std::unique_ptr<Arena> memory;
  MUSASHIM_RETURN_IF_ERROR(Arena::create(fmt::format("musa-device-{}", index),
                                         settings.profileOf(index).memoryBytes, kGranularity, ledger, memory,
                                         devrt::checks::MemoryKind::kDevice, index));
  device.reset(new CpuDevice(index, settings, ledger, std::move(memory)));
  return Status::ok();
}

CpuDevice::CpuDevice(size_t index, const Settings& settings, MemoryLedger& ledger,
                     std::unique_ptr<Arena> memory)
    : profile_(settings.profileOf(index)),
      pciAddress_(placeOf(index, settings)),
      ledger_(ledger),
      memory_(std::move(memory)),
      exports_(memory_->fileDescriptor(), memory_->size(), index),
      runtime_(devrt::createDeviceState(
          {profile_.clockKHz, settings.printfBytes, settings.heapBytes, settings.fiberStackBytes, profile_})),
      index_(index),
      reaches_(ProtectionKeys::ofDevice(index)) {
  if (settings.machine.devices.empty()) return;
  const MachineDevice& described = settings.machine.devices[index];
  readings_ = described.readings;
  if (!described.faults.empty()) plan_ = std::make_unique<FaultPlan>(described.faults, index);
}

Status CpuDevice::allocate(size_t bytes, void** pointer) {
  if (plan_) [[unlikely]] {
    *pointer = nullptr;
    MUSASHIM_RETURN_IF_ERROR(plan_->allocation());
  }
  return memory_->allocate(bytes, pointer);
}

bool CpuDevice::launchFails() {
  Status status = plan_->launch();
  if (status.isOk()) return false;
  if (plan_->isLost()) ledger_.board()->setLost(index_);
  raiseFault(std::move(status));
  return true;
}

CpuDevice::~CpuDevice() { dropPendingWork(); }

MemoryInfo CpuDevice::memoryInfo() const {
  // Saturating: an overcommitting ledger has no limit.
  uint64_t machine = ledger_.headroom();
  machine += std::min(memory_->keptBytes(), std::numeric_limits<uint64_t>::max() - machine);
  return {std::min<size_t>(memory_->freeBytes(), machine), profile_.memoryBytes};
}

std::shared_ptr<Queue> CpuDevice::createQueue(int priority) {
  ledger_.board()->setPresent(index_, true);
  return QueuePool::instance().take(*this, priority);
}

int CpuDevice::imageRank(std::string_view processor) const {
  if (processor.empty()) return 0;
  const unsigned level = cpuLevelOf(processor);
  return level == 0 || level > cpuLevel() ? -1 : static_cast<int>(level);
}

Status CpuDevice::loadImage(std::span<const std::byte> image, std::unique_ptr<Image>& loaded) {
  return CpuImage::load(image, profile_.arch, loaded);
}

// Every call of the driver API asks, most of them twice.
Status CpuDevice::fault() const {
  if (!faulted_.load(std::memory_order_acquire)) [[likely]]
    return Status::ok();
  std::lock_guard lock(mutex_);
  return fault_;
}

Status CpuDevice::skipReason() const {
  std::lock_guard lock(mutex_);
  if (!fault_.isOk()) return fault_;
  return {StatusCode::kLaunchFailure, "the device was reset before the work ran"};
}

void CpuDevice::raiseFault(Status fault) {
  {
    std::lock_guard lock(mutex_);
    if (!fault_.isOk()) return;
    fault_ = std::move(fault);
    faulted_.store(true, std::memory_order_release);
    skips_.store(true);
  }
  // Queues that wait for others need not do so any more.
  for (CpuQueue* queue : QueuePool::instance().queuesOf(*this)) queue->kick();
}

void CpuDevice::dropPendingWork() {
  skips_.store(true);
  for (CpuQueue* queue : QueuePool::instance().queuesOf(*this)) {
    queue->kick();
    while (queue->belongsTo(*this) && !queue->isDrained()) queue->wait(queue->lastSubmitted());
  }
}

void CpuDevice::reset() {
  dropPendingWork();
  exports_.withdrawAll();
  memory_->releaseAll();
  devrt::flushPrintf(*runtime_, stdout);
  devrt::resetDeviceState(*runtime_);
  ledger_.board()->setPresent(index_, false);
  if (plan_ && plan_->isLost()) return;  // for good
  std::lock_guard lock(mutex_);
  fault_ = Status::ok();
  faulted_.store(false, std::memory_order_release);
  skips_.store(false);
}

void CpuDevice::setPeerAccess(const Device& peer, bool on) {
  std::lock_guard lock(mutex_);
  peers_[static_cast<const CpuDevice&>(peer).index_] += on ? 1 : -1;
  KeyBits reaches = ProtectionKeys::ofDevice(index_);
  for (const auto& [index, count] : peers_) {
    if (count > 0) reaches |= ProtectionKeys::ofDevice(index);
  }
  reaches_.store(reaches, std::memory_order_relaxed);
}

void CpuDevice::flushPrintf() { devrt::flushPrintf(*runtime_, stdout); }

}  // namespace musashim::backend::cpu
