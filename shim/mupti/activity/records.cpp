// What libmusa tells becomes records.
#include <pthread.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <map>
#include <mutex>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "mupti/activity/activity.h"
#include "mupti/activity/buffers.h"
#include "mupti/activity/memory.h"
#include "mupti/activity/objects.h"
#include "mupti/activity/settings.h"
#include "mupti/callback/calls.h"
#include "mupti/events/events.h"
#include "mupti/library/entry.h"
#include "musa_runtime_api.h"

namespace musashim::mupti {
namespace {

uint32_t threadId() {
  if (systemThreadIds()) return static_cast<uint32_t>(syscall(SYS_gettid));
  return static_cast<uint32_t>(pthread_self());
}

void addExternalCorrelations(uint32_t correlation) {
  if (!isWanted(MUPTI_ACTIVITY_KIND_EXTERNAL_CORRELATION)) return;
  for (const auto& [kind, ids] : externalIds()) {
    if (ids.empty()) continue;
    MUpti_ActivityExternalCorrelation record = {};
    record.kind = MUPTI_ACTIVITY_KIND_EXTERNAL_CORRELATION;
    record.externalKind = kind;
    record.externalId = ids.back();
    record.correlationId = correlation;
    buffers().add(record);
  }
}

uint32_t streamIdOf(const MUshimCall& call, unsigned place) {
  uint32_t id = MUPTI_SYNCHRONIZATION_INVALID_VALUE;
  unsigned long long number = 0;
  if (const auto* stream = argument<MUstream>(call, place);
      stream && muStreamGetId(*stream, &number) == MUSA_SUCCESS)
    id = static_cast<uint32_t>(number);
  return id;
}

// Events are slots in one range of addresses.
uint32_t eventIdOf(const MUshimCall& call, unsigned place) {
  const auto* event = argument<MUevent>(call, place);
  return event ? static_cast<uint32_t>(reinterpret_cast<uintptr_t>(*event) >> 3)
               : MUPTI_SYNCHRONIZATION_INVALID_VALUE;
}

void addSynchronization(const MUshimCall& call, uint64_t begin, uint64_t end) {
  struct Row {
    std::string_view name;
    MUpti_ActivitySynchronizationType type;
    int stream, event;  // which arguments; -1: none
  };
  constexpr Row kRows[] = {
      {"DeviceSynchronize", MUPTI_ACTIVITY_SYNCHRONIZATION_TYPE_CONTEXT_SYNCHRONIZE, -1, -1},
      {"CtxSynchronize", MUPTI_ACTIVITY_SYNCHRONIZATION_TYPE_CONTEXT_SYNCHRONIZE, -1, -1},
      {"StreamSynchronize", MUPTI_ACTIVITY_SYNCHRONIZATION_TYPE_STREAM_SYNCHRONIZE, 0, -1},
      {"EventSynchronize", MUPTI_ACTIVITY_SYNCHRONIZATION_TYPE_EVENT_SYNCHRONIZE, -1, 0},
      {"StreamWaitEvent", MUPTI_ACTIVITY_SYNCHRONIZATION_TYPE_STREAM_WAIT_EVENT, 0, 1}};
  std::string_view name = call.name;
  name.remove_prefix(name.starts_with("musa") ? 4 : 2);
  const auto* row =
      std::find_if(std::begin(kRows), std::end(kRows), [&](const Row& one) { return one.name == name; });
  if (row == std::end(kRows)) return;
  MUpti_ActivitySynchronization record = {};
  record.kind = MUPTI_ACTIVITY_KIND_SYNCHRONIZATION;
  record.type = row->type;
  record.start = begin;
  record.end = end;
  record.correlationId = call.correlation;
  record.contextId = currentContextId();
  record.streamId = row->stream < 0 ? MUPTI_SYNCHRONIZATION_INVALID_VALUE
                                    : streamIdOf(call, static_cast<unsigned>(row->stream));
  record.musaEventId = row->event < 0 ? MUPTI_SYNCHRONIZATION_INVALID_VALUE
                                      : eventIdOf(call, static_cast<unsigned>(row->event));
  buffers().add(record);
}

void addEvent(const MUshimCall& call) {
  const std::string_view name = call.name;
  if (name != "musaEventRecord" && name != "muEventRecord") return;
  MUpti_ActivityMusaEvent2 record = {};
  record.kind = MUPTI_ACTIVITY_KIND_MUSA_EVENT;
  record.correlationId = call.correlation;
  record.contextId = currentContextId();
  record.streamId = streamIdOf(call, 1);
  record.eventId = eventIdOf(call, 0);
  record.deviceId = currentDeviceId();
  record.musaEventSyncId = call.correlation;  // one for each time that an event is recorded
  buffers().add(record);
}

uint8_t memoryKind(int place) {
  switch (place) {
    case MUSHIM_PLACE_PINNED:
      return MUPTI_ACTIVITY_MEMORY_KIND_PINNED;
    case MUSHIM_PLACE_DEVICE:
      return MUPTI_ACTIVITY_MEMORY_KIND_DEVICE;
    case MUSHIM_PLACE_MANAGED:
      return MUPTI_ACTIVITY_MEMORY_KIND_MANAGED;
    default:
      return MUPTI_ACTIVITY_MEMORY_KIND_PAGEABLE;
  }
}

uint8_t copyKind(const MUshimWork& work) {
  // Managed memory is where the copy goes: on the device, if the other side is the host's.
  const bool fromDevice = work.from >= MUSHIM_PLACE_DEVICE, toDevice = work.to >= MUSHIM_PLACE_DEVICE;
  if (fromDevice && toDevice) return MUPTI_ACTIVITY_MEMCPY_KIND_DTOD;
  if (fromDevice) return MUPTI_ACTIVITY_MEMCPY_KIND_DTOH;
  return toDevice ? MUPTI_ACTIVITY_MEMCPY_KIND_HTOD : MUPTI_ACTIVITY_MEMCPY_KIND_HTOH;
}

// Of streams by their ids, as calls that launch into them tell: work does not, and may not ask.
class Priorities {
 public:
  void learn(MUstream stream) {
    unsigned long long id = 0;
    int priority = 0;
    if (muStreamGetId(stream, &id) != MUSA_SUCCESS) return;
    const std::lock_guard lock(mutex_);
    const auto [place, isNew] = known_.try_emplace(static_cast<uint32_t>(id), 0);
    if (isNew && muStreamGetPriority(stream, &priority) == MUSA_SUCCESS) place->second = priority;
  }
  int of(uint32_t stream) {
    const std::lock_guard lock(mutex_);
    const auto found = known_.find(stream);
    return found == known_.end() ? 0 : found->second;
  }

 private:
  std::mutex mutex_;
  std::map<uint32_t, int> known_;
};

Priorities& priorities() {
  static auto& all = *new Priorities;
  return all;
}

void learnPriority(const MUshimCall& call) {
  const std::string_view name = call.name;
  const MUstream* stream = nullptr;
  if (name == "musaLaunchKernel" || name == "musaLaunchCooperativeKernel")
    stream = argument<MUstream>(call, 5);
  if (name == "muLaunchKernel" || name == "muLaunchCooperativeKernel") stream = argument<MUstream>(call, 8);
  if (name == "musaLaunchKernelExC") {
    if (const auto* config = argument<const musaLaunchConfig_t*>(call, 0)) stream = &(*config)->stream;
  }
  if (stream != nullptr && *stream != nullptr) priorities().learn(*stream);
}

// Of all records of work.
template <class Record>
Record recordOf(const MUshimWork& work, MUpti_ActivityKind kind) {
  Record record = {};
  record.kind = kind;
  record.start = timestampOf(work.begin);
  record.end = timestampOf(work.end);
  record.deviceId = work.device;
  record.contextId = work.context;
  record.streamId = work.stream;
  record.correlationId = work.correlation;
  return record;
}

void addKernel(const MUshimWork& work) {
  const bool concurrent = isWanted(MUPTI_ACTIVITY_KIND_CONCURRENT_KERNEL);
  if (!concurrent && !isWanted(MUPTI_ACTIVITY_KIND_KERNEL)) return;
  auto record = recordOf<MUpti_ActivityKernel11>(
      work, concurrent ? MUPTI_ACTIVITY_KIND_CONCURRENT_KERNEL : MUPTI_ACTIVITY_KIND_KERNEL);
  record.completed = record.end;
  record.name = keep(work.name);
  record.gridX = static_cast<int32_t>(work.grid[0]);
  record.gridY = static_cast<int32_t>(work.grid[1]);
  record.gridZ = static_cast<int32_t>(work.grid[2]);
  record.blockX = static_cast<int32_t>(work.block[0]);
  record.blockY = static_cast<int32_t>(work.block[1]);
  record.blockZ = static_cast<int32_t>(work.block[2]);
  record.staticSharedMemory = static_cast<int32_t>(work.staticShared);
  record.dynamicSharedMemory = static_cast<int32_t>(work.dynamicShared);
  record.sharedMemoryExecuted = work.staticShared + work.dynamicShared;
  record.priority = priorities().of(work.stream);
  buffers().add(record);
}

void addCopy(const MUshimWork& work) {
  const bool amongDevices =
      work.from == MUSHIM_PLACE_DEVICE && work.to == MUSHIM_PLACE_DEVICE && work.fromDevice != work.toDevice;
  if (amongDevices && isWanted(MUPTI_ACTIVITY_KIND_MEMCPY2)) {
    auto record = recordOf<MUpti_ActivityMemcpyPtoP4>(work, MUPTI_ACTIVITY_KIND_MEMCPY2);
    record.copyKind = MUPTI_ACTIVITY_MEMCPY_KIND_PTOP;
    record.srcKind = record.dstKind = MUPTI_ACTIVITY_MEMORY_KIND_DEVICE;
    record.bytes = work.bytes;
    record.srcDeviceId = work.fromDevice;
    record.dstDeviceId = work.toDevice;
    record.srcContextId = record.dstContextId = work.context;
    buffers().add(record);
  } else if (!amongDevices && isWanted(MUPTI_ACTIVITY_KIND_MEMCPY)) {
    auto record = recordOf<MUpti_ActivityMemcpy5>(work, MUPTI_ACTIVITY_KIND_MEMCPY);
    record.copyKind = copyKind(work);
    record.srcKind = memoryKind(work.from);
    record.dstKind = memoryKind(work.to);
    record.bytes = work.bytes;
    buffers().add(record);
  }
}

void addFill(const MUshimWork& work) {
  if (!isWanted(MUPTI_ACTIVITY_KIND_MEMSET)) return;
  auto record = recordOf<MUpti_ActivityMemset4>(work, MUPTI_ACTIVITY_KIND_MEMSET);
  record.value = work.value;
  record.bytes = work.bytes;
  record.memoryKind = memoryKind(work.to);
  buffers().add(record);
}

}  // namespace

const char* keep(const char* name) {
  static std::mutex mutex;
  static auto& names = *new std::set<std::string, std::less<>>;
  struct Last {
    const char *from, *kept;
  };
  constinit static thread_local Last last{};
  if (last.from == name && last.kept != nullptr && std::string_view(last.kept) == name) return last.kept;
  const std::lock_guard lock(mutex);
  auto found = names.find(std::string_view(name));
  if (found == names.end()) found = names.insert(name).first;
  last = {name, found->c_str()};
  return found->c_str();
}

void noteCallBegins(MUshimCall& call) {
  if (!wantsRecords()) return;
  if (isWanted(MUPTI_ACTIVITY_KIND_CONCURRENT_KERNEL) || isWanted(MUPTI_ACTIVITY_KIND_KERNEL))
    learnPriority(call);
  noteMemoryBegins(call);
  call.data = timestamp();
}

void noteCallEnds(const MUshimCall& call, int result) {
  if (!wantsRecords() || call.data == 0) return;
  const uint64_t begin = call.data, end = timestamp();
  noteObjects(call, result);
  noteMemoryEnds(call, result);
  addExternalCorrelations(call.correlation);
  MUpti_CallbackDomain domain = MUPTI_CB_DOMAIN_INVALID;
  const Call* known = findCall(call, domain);
  if (known == nullptr) return;
  const MUpti_ActivityKind kind =
      domain == MUPTI_CB_DOMAIN_RUNTIME_API ? MUPTI_ACTIVITY_KIND_RUNTIME : MUPTI_ACTIVITY_KIND_DRIVER;
  if (isWanted(kind) && isCallWanted(kind, known->cbid)) {
    MUpti_ActivityAPI record = {};
    record.kind = kind;
    record.cbid = known->cbid;
    record.start = begin;
    record.end = end;
    record.processId = static_cast<uint32_t>(getpid());
    record.threadId = threadId();
    record.correlationId = call.correlation;
    record.returnValue = static_cast<uint32_t>(result);
    buffers().add(record);
  }
  if (isWanted(MUPTI_ACTIVITY_KIND_SYNCHRONIZATION)) addSynchronization(call, begin, end);
  if (isWanted(MUPTI_ACTIVITY_KIND_MUSA_EVENT)) addEvent(call);
}

void workEnded(const MUshimWork* work) {
  if (work->kind == MUSHIM_WORK_KERNEL) {
    countKernel(*work);
    addKernel(*work);
  }
  if (work->kind == MUSHIM_WORK_COPY) addCopy(*work);
  if (work->kind == MUSHIM_WORK_FILL) addFill(*work);
}

void rangeEvent(const MUshimRangeEvent* event) {
  if (!isWanted(MUPTI_ACTIVITY_KIND_MARKER)) return;
  MUpti_ActivityMarker2 record = {};
  record.kind = MUPTI_ACTIVITY_KIND_MARKER;
  record.flags = event->kind == MUSHIM_RANGE_BEGIN ? MUPTI_ACTIVITY_FLAG_MARKER_START
                 : event->kind == MUSHIM_RANGE_END ? MUPTI_ACTIVITY_FLAG_MARKER_END
                                                   : MUPTI_ACTIVITY_FLAG_MARKER_INSTANTANEOUS;
  record.timestamp = timestampOf(event->time);
  record.id = event->id;
  record.objectKind = MUPTI_ACTIVITY_OBJECT_THREAD;
  record.objectId.pt.processId = static_cast<uint32_t>(getpid());
  record.objectId.pt.threadId = threadId();
  // As CUPTI: the end of a range has no name.
  record.name = event->kind == MUSHIM_RANGE_END ? nullptr : event->name;
  record.domain = event->domain;
  buffers().add(record);
}

}  // namespace musashim::mupti
