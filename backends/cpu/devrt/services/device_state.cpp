#include "cpu/devrt/services/device_state.h"

#include <sys/mman.h>

#include <mutex>

#include "cpu/devrt/checks/check_hooks.h"

namespace musashim::devrt {

using backend::cpu::RangeAllocator;

namespace {

constexpr uint64_t kHeapGranularity = 16;

std::byte* mapHeap(size_t bytes) {
  void* base =
      mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  return base == MAP_FAILED ? nullptr : static_cast<std::byte*>(base);
}

}  // namespace

DeviceHeap::DeviceHeap(size_t bytes) : bytes_(bytes), base_(mapHeap(bytes)) {
  if (base_) checks::addDeviceRange(base_, bytes_);
  clear();
}

DeviceHeap::~DeviceHeap() {
  checks::removeDeviceRange(base_);
  checks::releasedAll(base_, bytes_);
  if (base_) munmap(base_, bytes_);
}

void DeviceHeap::clear() {
  std::lock_guard lock(mutex_);
  checks::releasedAll(base_, bytes_);
  ranges_ = std::make_unique<RangeAllocator>(base_ ? bytes_ : 0, kHeapGranularity);
}

void* DeviceHeap::allocate(uint64_t bytes) {
  std::lock_guard lock(mutex_);
  std::optional<uint64_t> offset = ranges_->allocate(bytes, kHeapGranularity, RangeAllocator::From::kDirty);
  if (!offset) offset = ranges_->allocate(bytes, kHeapGranularity, RangeAllocator::From::kClean);
  if (!offset) {
    ranges_->cleanAll([](uint64_t, uint64_t) {});  // join used and fresh parts
    offset = ranges_->allocate(bytes, kHeapGranularity, RangeAllocator::From::kClean);
  }
  return offset ? base_ + *offset : nullptr;
}

bool DeviceHeap::release(void* pointer) {
  std::lock_guard lock(mutex_);
  auto offset = reinterpret_cast<uintptr_t>(pointer) - reinterpret_cast<uintptr_t>(base_);
  return ranges_->release(offset).has_value();
}

DeviceStatePointer createDeviceState(const DeviceOptions& options) {
  return DeviceStatePointer(new DeviceState(options));
}

void DeviceStateDeleter::operator()(DeviceState* state) const { delete state; }

void answerDeviceCode(DeviceState& state, const backend::DeviceQueries& queries) { state.queries = queries; }

void resetDeviceState(DeviceState& state) {
  state.heap.clear();
  state.printFifo.clear();
}

void flushPrintf(DeviceState& state, std::FILE* stream) { state.printFifo.flush(stream); }

}  // namespace musashim::devrt
