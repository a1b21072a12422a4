#include "musa/graph/nodes/graph_memory.h"

#include <algorithm>
#include <unordered_map>

#include "musa/api/api_call.h"

namespace musashim::musa {
namespace {

struct Registry {
  std::mutex mutex;
  std::unordered_map<MUdeviceptr, std::weak_ptr<GraphMemory>> byAddress;
};

Registry& registry() {
  static auto* all = new Registry;
  return *all;
}

}  // namespace

Result GraphMemory::create(Context& context, size_t bytes, std::shared_ptr<GraphMemory>& memory) {
  MUSA_REQUIRE(bytes != 0, MUSA_ERROR_INVALID_VALUE, "0 bytes");
  void* pointer = nullptr;
  MUSA_TRY(context.device().backend().allocate(bytes, &pointer));
  memory.reset(new GraphMemory(context, toDevicePtr(pointer), bytes));
  std::lock_guard lock(registry().mutex);
  registry().byAddress[memory->address_] = memory;
  return {};
}

GraphMemory::GraphMemory(Context& context, MUdeviceptr address, size_t bytes)
    : device_(context.device()), address_(address), bytes_(bytes) {
  allocationId_ = driver().allocations().insert({.base = address,
                                                 .size = bytes,
                                                 .kind = MemoryKind::kDevice,
                                                 .context = &context,
                                                 .device = device_.ordinal(),
                                                 .pooled = true,
                                                 .ofGraph = true});
  std::lock_guard lock(device_.graphMemory.mutex_);
  device_.graphMemory.all_.insert(this);
}

GraphMemory::~GraphMemory() {
  {
    std::lock_guard lock(registry().mutex);
    registry().byAddress.erase(address_);
  }
  free();
  {
    GraphMemoryUse& use = device_.graphMemory;
    std::lock_guard lock(use.mutex_);
    use.all_.erase(this);
    if (reserved_) use.changeReserved(-static_cast<int64_t>(bytes_));
  }
  // Gone already when its context was cleared.
  auto allocation = driver().allocations().find(address_);
  if (!allocation || allocation->id != allocationId_ || !driver().allocations().erase(address_)) return;
  (void)device_.backend().release(toPointer(address_)).isOk();
}

std::shared_ptr<GraphMemory> GraphMemory::find(MUdeviceptr address) {
  std::lock_guard lock(registry().mutex);
  auto found = registry().byAddress.find(address);
  return found == registry().byAddress.end() ? nullptr : found->second.lock();
}

bool GraphMemory::isAllocated() const {
  std::lock_guard lock(device_.graphMemory.mutex_);
  return allocated_;
}

bool GraphMemory::allocate() {
  GraphMemoryUse& use = device_.graphMemory;
  std::lock_guard lock(use.mutex_);
  if (allocated_) return false;
  allocated_ = true;
  use.changeUsed(static_cast<int64_t>(bytes_));
  if (!reserved_) use.changeReserved(static_cast<int64_t>(bytes_));
  reserved_ = true;
  return true;
}

bool GraphMemory::free() {
  GraphMemoryUse& use = device_.graphMemory;
  std::lock_guard lock(use.mutex_);
  if (!allocated_) return false;
  allocated_ = false;
  use.changeUsed(-static_cast<int64_t>(bytes_));
  return true;
}

void GraphMemoryUse::changeUsed(int64_t bytes) {
  used_ += static_cast<uint64_t>(bytes);
  usedHigh_ = std::max(usedHigh_, used_);
}

void GraphMemoryUse::changeReserved(int64_t bytes) {
  reserved_ += static_cast<uint64_t>(bytes);
  reservedHigh_ = std::max(reservedHigh_, reserved_);
}

void GraphMemoryUse::trim() {
  std::lock_guard lock(mutex_);
  for (GraphMemory* memory : all_) {
    if (memory->allocated_ || !memory->reserved_) continue;
    memory->reserved_ = false;
    changeReserved(-static_cast<int64_t>(memory->bytes_));
  }
}

Result GraphMemoryUse::get(MUgraphMem_attribute attribute, uint64_t& value) const {
  std::lock_guard lock(mutex_);
  switch (attribute) {
    case MU_GRAPH_MEM_ATTR_USED_MEM_CURRENT:
      value = used_;
      return {};
    case MU_GRAPH_MEM_ATTR_USED_MEM_HIGH:
      value = usedHigh_;
      return {};
    case MU_GRAPH_MEM_ATTR_RESERVED_MEM_CURRENT:
      value = reserved_;
      return {};
    case MU_GRAPH_MEM_ATTR_RESERVED_MEM_HIGH:
      value = reservedHigh_;
      return {};
  }
  return {MUSA_ERROR_INVALID_VALUE, "unknown attribute"};
}

Result GraphMemoryUse::reset(MUgraphMem_attribute attribute) {
  std::lock_guard lock(mutex_);
  switch (attribute) {
    case MU_GRAPH_MEM_ATTR_USED_MEM_HIGH:
      usedHigh_ = used_;
      return {};
    case MU_GRAPH_MEM_ATTR_RESERVED_MEM_HIGH:
      reservedHigh_ = reserved_;
      return {};
    default:
      return {MUSA_ERROR_INVALID_VALUE, "only high marks can be set, and only to 0"};
  }
}

}  // namespace musashim::musa
