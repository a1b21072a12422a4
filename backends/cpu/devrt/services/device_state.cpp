#include "cpu/devrt/services/device_state.h"

#include <sys/mman.h>

#include <optional>

#include "cpu/devrt/checks/check_hooks.h"

namespace musashim::devrt {

namespace {

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
  checks::releasedAll(base_, bytes_);
  blocks_ = std::make_unique<HeapBlocks>(base_ ? bytes_ : 0);
}

void* DeviceHeap::allocate(uint64_t bytes) {
  const std::optional<uint64_t> offset = blocks_->allocate(bytes);
  return offset ? base_ + *offset : nullptr;
}

bool DeviceHeap::release(void* pointer) {
  return blocks_->release(reinterpret_cast<uintptr_t>(pointer) - reinterpret_cast<uintptr_t>(base_));
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
