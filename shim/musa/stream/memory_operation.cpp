#include "musa/stream/memory_operation.h"

#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <memory>
#include <thread>

#include "interface/memory_access.h"
#include "musa/api/api_call.h"

namespace musashim::musa {
namespace {

constexpr unsigned kComparison = 0x3;

struct Operations {
  Context& context;
  uint64_t contextId;
  std::vector<MUstreamBatchMemOpParams> list;
};

template <class Value>
bool fulfilled(Value seen, Value value, unsigned flags) {
  switch (flags & kComparison) {
    case MU_STREAM_WAIT_VALUE_EQ:
      return seen == value;
    case MU_STREAM_WAIT_VALUE_AND:
      return (seen & value) != 0;
    case MU_STREAM_WAIT_VALUE_NOR:
      return static_cast<Value>(~(seen | value)) != 0;
    default:  // GEQ, cyclic
      return static_cast<std::make_signed_t<Value>>(seen - value) >= 0;
  }
}

bool givenUp(const Operations& operations) {
  Context* context = driver().contexts.get(&operations.context);
  return !context || context->id() != operations.contextId || context->isEnding() || !context->fault().isOk();
}

template <class Value>
void waitFor(const Operations& operations, MUdeviceptr address, Value value, unsigned flags) {
  std::atomic_ref<Value> place(*static_cast<Value*>(toPointer(address)));
  auto pause = std::chrono::microseconds(1);
  for (int look = 0; !fulfilled<Value>(place.load(std::memory_order_acquire), value, flags); ++look) {
    if (look < 200) continue;  // often the value is about to come
    if (givenUp(operations)) return;
    std::this_thread::sleep_for(pause);
    pause = std::min(pause * 2, std::chrono::microseconds(100));
  }
}

template <class Value>
void write(MUdeviceptr address, Value value) {
  std::atomic_ref<Value>(*static_cast<Value*>(toPointer(address))).store(value, std::memory_order_release);
}

void run(void* data, const Status&) {
  const auto& operations = *static_cast<Operations*>(data);
  const backend::MemoryAccessScope access(driver().backend());
  for (const MUstreamBatchMemOpParams& one : operations.list) {
    switch (one.operation) {
      case MU_STREAM_MEM_OP_WAIT_VALUE_32:
        waitFor<uint32_t>(operations, one.waitValue.address, one.waitValue.value, one.waitValue.flags);
        break;
      case MU_STREAM_MEM_OP_WAIT_VALUE_64:
        waitFor<uint64_t>(operations, one.waitValue.address, one.waitValue.value64, one.waitValue.flags);
        break;
      case MU_STREAM_MEM_OP_WRITE_VALUE_32:
        write<uint32_t>(one.writeValue.address, one.writeValue.value);
        break;
      case MU_STREAM_MEM_OP_WRITE_VALUE_64:
        write<uint64_t>(one.writeValue.address, one.writeValue.value64);
        break;
      case MU_STREAM_MEM_OP_BARRIER:
      case MU_STREAM_MEM_OP_FLUSH_REMOTE_WRITES:
        std::atomic_thread_fence(std::memory_order_seq_cst);
        break;
    }
  }
}

// The memory must be the device's, or host memory that devices can reach.
Result checkAddress(MUdeviceptr address, size_t bytes) {
  MUSA_REQUIRE(address % bytes == 0, MUSA_ERROR_INVALID_VALUE, fmt::format("{:#x} is not aligned", address));
  auto allocation = driver().allocations().find(address);
  MUSA_REQUIRE(allocation && allocation->contains(address, bytes), MUSA_ERROR_INVALID_VALUE,
               fmt::format("{:#x} is no memory of a device", address));
  return {};
}

Result checkOperation(const MUstreamBatchMemOpParams& one) {
  size_t bytes = 8;
  switch (one.operation) {
    case MU_STREAM_MEM_OP_WAIT_VALUE_32:
      bytes = 4;
      [[fallthrough]];
    case MU_STREAM_MEM_OP_WAIT_VALUE_64:
      MUSA_REQUIRE((one.waitValue.flags & ~(kComparison | MU_STREAM_WAIT_VALUE_FLUSH)) == 0,
                   MUSA_ERROR_INVALID_VALUE, "unknown flags");
      MUSA_REQUIRE((one.waitValue.flags & MU_STREAM_WAIT_VALUE_FLUSH) == 0, MUSA_ERROR_NOT_SUPPORTED,
                   "flushing remote writes");
      return checkAddress(one.waitValue.address, bytes);
    case MU_STREAM_MEM_OP_WRITE_VALUE_32:
      bytes = 4;
      [[fallthrough]];
    case MU_STREAM_MEM_OP_WRITE_VALUE_64:
      // Current GPUs refuse writes without a barrier as well.
      MUSA_REQUIRE(one.writeValue.flags == MU_STREAM_WRITE_VALUE_DEFAULT, MUSA_ERROR_INVALID_VALUE,
                   "flags that the device does not have");
      return checkAddress(one.writeValue.address, bytes);
    case MU_STREAM_MEM_OP_BARRIER:
      return {};
    case MU_STREAM_MEM_OP_FLUSH_REMOTE_WRITES:
      return {MUSA_ERROR_NOT_SUPPORTED, "flushing remote writes"};
  }
  return {MUSA_ERROR_INVALID_VALUE, "unknown operation"};
}

}  // namespace

Result checkMemoryOperations(std::span<const MUstreamBatchMemOpParams> operations) {
  for (const MUstreamBatchMemOpParams& one : operations) MUSA_TRY(checkOperation(one));
  return {};
}

backend::HostCall memoryOperationsCall(Context& context, std::vector<MUstreamBatchMemOpParams> operations,
                                       std::shared_ptr<void>& keep) {
  auto data = std::make_shared<Operations>(Operations{context, context.id(), std::move(operations)});
  keep = data;
  return {run, data.get(), false};
}

}  // namespace musashim::musa
