#include "mupti/activity/memory.h"

#include <unistd.h>

#include <algorithm>
#include <map>
#include <mutex>
#include <string_view>

#include "mupti/activity/activity.h"
#include "mupti/activity/buffers.h"
#include "mupti/activity/objects.h"
#include "mupti/callback/calls.h"
#include "mupti/library/entry.h"
#include "musa_runtime_api.h"

namespace musashim::mupti {
namespace {

// A call that allocates or frees; the address is its first argument.
struct Row {
  std::string_view name;
  MUpti_ActivityMemoryKind kind;  // UNKNOWN: as the memory is that it frees
  int size;                       // which argument says how much; -1: it frees
  int rows;                       // which one says how many times that; -1: once
  int stream;                     // which one is its stream; -1: it waits for none
};
constexpr auto kDevice = MUPTI_ACTIVITY_MEMORY_KIND_DEVICE;
constexpr auto kPinned = MUPTI_ACTIVITY_MEMORY_KIND_PINNED;
constexpr auto kManaged = MUPTI_ACTIVITY_MEMORY_KIND_MANAGED;
constexpr auto kFreed = MUPTI_ACTIVITY_MEMORY_KIND_UNKNOWN;
constexpr Row kRows[] = {{"musaMalloc", kDevice, 1, -1, -1},
                         {"musaMallocAsync", kDevice, 1, -1, 2},
                         {"musaMallocFromPoolAsync", kDevice, 1, -1, 3},
                         {"musaMallocPitch", kDevice, 2, 3, -1},
                         {"musaMallocManaged", kManaged, 1, -1, -1},
                         {"musaMallocHost", kPinned, 1, -1, -1},
                         {"musaHostAlloc", kPinned, 1, -1, -1},
                         {"musaFree", kFreed, -1, -1, -1},
                         {"musaFreeAsync", kFreed, -1, -1, 1},
                         {"musaFreeHost", kFreed, -1, -1, -1},
                         {"muMemAlloc", kDevice, 1, -1, -1},
                         {"muMemAllocAsync", kDevice, 1, -1, 2},
                         {"muMemAllocFromPoolAsync", kDevice, 1, -1, 3},
                         {"muMemAllocPitch", kDevice, 2, 3, -1},
                         {"muMemAllocManaged", kManaged, 1, -1, -1},
                         {"muMemAllocHost", kPinned, 1, -1, -1},
                         {"muMemHostAlloc", kPinned, 1, -1, -1},
                         {"muMemFree", kFreed, -1, -1, -1},
                         {"muMemFreeAsync", kFreed, -1, -1, 1},
                         {"muMemFreeHost", kFreed, -1, -1, -1}};

struct Memory {
  uint64_t address, bytes;
  MUpti_ActivityMemoryKind kind;
};

// Allocated while records were wanted.
struct Known {
  std::mutex mutex;
  std::map<uint64_t, Memory> all;
};
Known& known() {
  static auto& one = *new Known;
  return one;
}

// What the thread's call frees.
constinit thread_local Memory freed{};

const Row* rowOf(const MUshimCall& call) {
  if (!isWanted(MUPTI_ACTIVITY_KIND_MEMORY2)) return nullptr;
  const std::string_view name = call.name;
  const auto* row =
      std::find_if(std::begin(kRows), std::end(kRows), [&](const Row& one) { return one.name == name; });
  return row == std::end(kRows) ? nullptr : row;
}

// Allocated before: the driver knows it.
Memory askFor(uint64_t address) {
  Memory memory{address, 0, MUPTI_ACTIVITY_MEMORY_KIND_UNKNOWN};
  MUmemorytype type{};
  int managed = 0;
  if (muPointerGetAttribute(&type, MU_POINTER_ATTRIBUTE_MEMORY_TYPE, address) != MUSA_SUCCESS) return memory;
  (void)muPointerGetAttribute(&managed, MU_POINTER_ATTRIBUTE_IS_MANAGED, address);
  memory.kind = managed != 0 ? kManaged : type == MU_MEMORYTYPE_HOST ? kPinned : kDevice;
  size_t bytes = 0;
  if (muMemGetAddressRange(nullptr, &bytes, address) == MUSA_SUCCESS) memory.bytes = bytes;
  return memory;
}

void addRecord(const MUshimCall& call, const Row& row, const Memory& memory) {
  MUpti_ActivityMemory3 record = {};
  record.kind = MUPTI_ACTIVITY_KIND_MEMORY2;
  record.memoryOperationType = row.size < 0 ? MUPTI_ACTIVITY_MEMORY_OPERATION_TYPE_RELEASE
                                            : MUPTI_ACTIVITY_MEMORY_OPERATION_TYPE_ALLOCATION;
  record.memoryKind = memory.kind;
  record.correlationId = call.correlation;
  record.address = memory.address;
  record.bytes = memory.bytes;
  record.timestamp = timestamp();
  record.processId = static_cast<uint32_t>(getpid());
  record.contextId = currentContextId();
  record.deviceId = currentDeviceId();
  // As CUPTI has it where no stream takes part.
  record.streamId = UINT32_MAX;
  if (row.stream >= 0) {
    record.isAsync = 1;
    const auto* stream = argument<MUstream>(call, static_cast<unsigned>(row.stream));
    unsigned long long id = 0;
    if (stream != nullptr && muStreamGetId(*stream, &id) == MUSA_SUCCESS)
      record.streamId = static_cast<uint32_t>(id);
  }
  buffers().add(record);
}

}  // namespace

void noteMemoryBegins(const MUshimCall& call) {
  const Row* row = rowOf(call);
  if (row == nullptr || row->size >= 0) return;
  freed = {};
  const auto* address = argument<uint64_t>(call, 0);
  if (address == nullptr || *address == 0) return;
  Known& memories = known();
  const std::lock_guard lock(memories.mutex);
  const auto found = memories.all.find(*address);
  freed = found != memories.all.end() ? found->second : askFor(*address);
}

void noteMemoryEnds(const MUshimCall& call, int result) {
  const Row* row = rowOf(call);
  if (row == nullptr || result != 0) return;
  Known& memories = known();
  if (row->size < 0) {
    if (freed.address == 0) return;
    addRecord(call, *row, freed);
    const std::lock_guard lock(memories.mutex);
    memories.all.erase(freed.address);
    return;
  }
  const auto* to = argument<const uint64_t*>(call, 0);
  const auto* size = argument<size_t>(call, static_cast<unsigned>(row->size));
  if (to == nullptr || size == nullptr || **to == 0) return;
  size_t bytes = *size;
  if (row->rows >= 0) {
    // Rows are as far apart as the call says.
    const auto* pitch = argument<const size_t*>(call, 1);
    const auto* rows = argument<size_t>(call, static_cast<unsigned>(row->rows));
    if (pitch == nullptr || rows == nullptr) return;
    bytes = **pitch * *rows;
  }
  const Memory memory{**to, bytes, row->kind};
  addRecord(call, *row, memory);
  const std::lock_guard lock(memories.mutex);
  memories.all.insert_or_assign(memory.address, memory);
}

}  // namespace musashim::mupti
