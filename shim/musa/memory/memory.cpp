#include "musa/memory/memory.h"

#include <fmt/core.h>

#include "musa/api/api_call.h"
#include "musa/api/driver.h"
#include "musa/graph/capture/capture.h"
#include "musa/graph/nodes/graph_memory.h"

namespace musashim::musa {
namespace {

Result findStart(void* pointer, Allocation& allocation) {
  const Allocation* found = driver().allocations().peek(reinterpret_cast<uintptr_t>(pointer));
  MUSA_REQUIRE(found && found->base == reinterpret_cast<uintptr_t>(pointer) && !found->freeing,
               MUSA_ERROR_INVALID_VALUE, fmt::format("{} is not the start of an allocation", pointer));
  allocation = *found;
  return {};
}

// Gives memory of a device back, its own or another process's.
Status giveBack(const Allocation& allocation) {
  void* pointer = reinterpret_cast<void*>(allocation.base);
  if (allocation.pool) allocation.pool->uncount(allocation.size);
  if (!allocation.imported) return allocation.context->device().backend().release(pointer);
  // Imported more than once, it is freed once.
  Status closed;
  for (bool last = false; !last && closed.isOk();) closed = driver().backend().closeMemory(pointer, last);
  return closed;
}

// Whether memory of a device is the user's to free: what was opened is closed, and what
// was mapped unmapped.
bool isFreeable(const Allocation& allocation) {
  return allocation.kind == MemoryKind::kDevice && !allocation.mapped &&
         (!allocation.imported || allocation.pool);
}

// Memory of an allocation node stays with the graph.
Result freeGraphMemory(const Allocation& allocation) {
  driver().synchronizeContexts(&allocation.context->device());
  MUSA_TRY(finishSynchronization(*allocation.context));
  auto memory = GraphMemory::find(allocation.base);
  MUSA_REQUIRE(memory && memory->free(), MUSA_ERROR_INVALID_VALUE, "not allocated at present");
  return {};
}

// The rest of a stream-ordered free, when its turn comes.
void finishFree(void* data, const Status&) {
  const Allocation& allocation = *static_cast<Allocation*>(data);
  // Gone already when the context was cleared meanwhile.
  if (!driver().allocations().erase(allocation.base)) return;
  (void)giveBack(allocation).isOk();
}

}  // namespace

Result allocateDevice(Context& context, size_t bytes, void*& pointer, Pool* pool) {
  if (!pool) MUSA_TRY(checkUnsafe("allocating memory"));
  MUSA_REQUIRE(bytes != 0, MUSA_ERROR_INVALID_VALUE, "0 bytes");
  DeviceState& device = context.device();
  // Stream-ordered frees may still be on their way.
  if (pool && !pool->reserve(bytes)) {
    context.synchronize();
    MUSA_REQUIRE(pool->reserve(bytes), MUSA_ERROR_OUT_OF_MEMORY, "the pool's maximum is reached");
  }
  Status status = device.backend().allocate(bytes, &pointer);
  if (status.code() == StatusCode::kOutOfMemory) {
    context.synchronize();
    status = device.backend().allocate(bytes, &pointer);
  }
  if (!status.isOk() && pool) pool->uncount(bytes);
  MUSA_TRY(status);
  driver().allocations().insert({.base = reinterpret_cast<uintptr_t>(pointer),
                                 .size = bytes,
                                 .kind = MemoryKind::kDevice,
                                 .context = &context,
                                 .device = device.ordinal(),
                                 .pooled = pool != nullptr,
                                 .pool = pool});
  return {};
}

Result allocateHost(Context& context, size_t bytes, MemoryKind kind, unsigned flags, void*& pointer) {
  MUSA_TRY(checkUnsafe("allocating memory"));
  MUSA_REQUIRE(bytes != 0, MUSA_ERROR_INVALID_VALUE, "0 bytes");
  MUSA_TRY(driver().backend().allocateHost(bytes, &pointer));
  driver().allocations().insert({.base = reinterpret_cast<uintptr_t>(pointer),
                                 .size = bytes,
                                 .kind = kind,
                                 .context = &context,
                                 .device = context.device().ordinal(),
                                 .flags = flags});
  return {};
}

Result freeDevice(void* pointer) {
  Allocation allocation;
  MUSA_TRY(findStart(pointer, allocation));
  MUSA_REQUIRE(isFreeable(allocation) || allocation.kind == MemoryKind::kManaged, MUSA_ERROR_INVALID_VALUE,
               fmt::format("{} was not allocated on a device", pointer));
  bool managed = allocation.kind == MemoryKind::kManaged;
  DeviceState& device = allocation.context->device();
  MUSA_TRY(allocation.context->fault());
  MUSA_TRY(checkUnsafe("freeing memory"));
  if (allocation.ofGraph) return freeGraphMemory(allocation);
  driver().synchronizeContexts(managed ? nullptr : &device);
  MUSA_TRY(finishSynchronization(*allocation.context));
  MUSA_REQUIRE(driver().allocations().erase(allocation.base), MUSA_ERROR_INVALID_VALUE, "freed meanwhile");
  if (!managed) return giveBack(allocation);
  driver().advice().forget(allocation);
  return driver().backend().releaseHost(pointer);
}

Result freeHost(void* pointer) {
  Allocation allocation;
  MUSA_TRY(findStart(pointer, allocation));
  MUSA_REQUIRE(allocation.kind == MemoryKind::kHost, MUSA_ERROR_INVALID_VALUE,
               fmt::format("{} is not the driver's host memory", pointer));
  MUSA_TRY(checkUnsafe("freeing memory"));
  driver().synchronizeContexts(nullptr);
  MUSA_REQUIRE(driver().allocations().erase(allocation.base), MUSA_ERROR_INVALID_VALUE, "freed meanwhile");
  return driver().backend().releaseHost(pointer);
}

Result allocateAsync(Stream& stream, size_t bytes, Pool& pool, void*& pointer) {
  // The memory exists at once, so whatever the stream does with it comes later.
  return allocateDevice(stream.context(), bytes, pointer, &pool);
}

Result importIntoPool(Context& context, Pool& pool, const backend::ShareTicket& ticket,
                      MUdeviceptr& address) {
  backend::OpenedMemory memory;
  MUSA_TRY(driver().backend().openMemory(ticket, memory));
  address = toDevicePtr(memory.base);
  auto known = driver().allocations().find(address);
  if (known && known->pool == &pool) return {};
  if (known || memory.device != pool.device.index()) {
    bool last = false;
    (void)driver().backend().closeMemory(memory.base, last).isOk();
    return {MUSA_ERROR_INVALID_VALUE, "imported before, or of another device than the pool"};
  }
  driver().allocations().insert({.base = address,
                                 .size = memory.bytes,
                                 .kind = MemoryKind::kDevice,
                                 .context = &context,
                                 .device = pool.device.ordinal(),
                                 .pooled = true,
                                 .pool = &pool,
                                 .imported = true});
  pool.count(memory.bytes);
  return {};
}

Result freeAsync(Stream& stream, void* pointer) {
  Allocation allocation;
  MUSA_TRY(findStart(pointer, allocation));
  MUSA_REQUIRE(isFreeable(allocation), MUSA_ERROR_INVALID_VALUE,
               fmt::format("{} is not device memory", pointer));
  if (allocation.ofGraph) {
    // The memory stays where it is: a later launch of the graph runs after this stream's work
    // if the user orders them, as on hardware.
    auto memory = GraphMemory::find(allocation.base);
    MUSA_REQUIRE(memory && memory->free(), MUSA_ERROR_INVALID_VALUE, "not allocated at present");
    return {};
  }
  if (stream.isCaughtUp()) {  // its turn is now
    MUSA_REQUIRE(driver().allocations().erase(allocation.base), MUSA_ERROR_INVALID_VALUE, "freed meanwhile");
    return giveBack(allocation);
  }
  MUSA_REQUIRE(driver().allocations().markFreeing(allocation.base), MUSA_ERROR_INVALID_VALUE,
               "freed meanwhile");
  auto work = std::make_shared<Allocation>(allocation);
  stream.submitKeeping(backend::HostCall{finishFree, work.get(), true}, work);
  return {};
}

}  // namespace musashim::musa
