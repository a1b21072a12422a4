// The entries of the activity interface.
#include <atomic>
#include <bitset>
#include <mutex>

#include "mupti/activity/activity.h"
#include "mupti/activity/buffers.h"
#include "mupti/activity/objects.h"
#include "mupti/activity/settings.h"
#include "mupti/library/entry.h"
#include "support/per_thread.h"

namespace musashim::mupti {
namespace {

std::atomic<uint64_t> wantedKinds{0};
std::atomic<int> threadIdType{MUPTI_ACTIVITY_THREAD_ID_TYPE_DEFAULT};
std::atomic<size_t> deviceBufferSize{8u << 20}, deviceBufferPool{250};

// Calls that are not wanted though their kind is, and those that are though it is not.
struct Exceptions {
  std::mutex mutex;
  std::bitset<1024> off[2], on[2];  // runtime, driver
  std::atomic<bool> any{false};
};
Exceptions& exceptions() {
  static auto& all = *new Exceptions;
  return all;
}

struct ExternalIds {
  std::map<MUpti_ExternalCorrelationKind, std::vector<uint64_t>> stacks;
};

uint64_t bitOf(MUpti_ActivityKind kind) { return uint64_t{1} << kind; }

size_t placeOf(MUpti_ActivityKind kind) { return kind == MUPTI_ACTIVITY_KIND_RUNTIME ? 0 : 1; }

MUptiResult enableCall(MUpti_ActivityKind kind, uint32_t cbid, bool enable) {
  if (cbid == 0 || cbid >= 1024) return remember(MUPTI_ERROR_INVALID_PARAMETER);
  Exceptions& all = exceptions();
  {
    const std::lock_guard lock(all.mutex);
    const size_t place = placeOf(kind);
    const bool kindWanted = (wantedKinds.load() & bitOf(kind)) != 0;
    all.on[place][cbid] = enable;
    all.off[place][cbid] = !enable;
    all.any.store(true);
    // One call of a kind that is not wanted: the kind is, and all others are not.
    if (enable && !kindWanted) {
      all.off[place].set();
      all.off[place] &= ~all.on[place];
      wantedKinds.fetch_or(bitOf(kind));
    }
  }
  return remember(listenAsWanted());
}

bool isCorrelationKind(MUpti_ExternalCorrelationKind kind) {
  return kind > MUPTI_EXTERNAL_CORRELATION_KIND_INVALID && kind < MUPTI_EXTERNAL_CORRELATION_KIND_SIZE;
}

// Where an attribute is kept; null: there is none of that name.
std::atomic<size_t>* sizeAttribute(MUpti_ActivityAttribute attribute) {
  if (attribute == MUPTI_ACTIVITY_ATTR_DEVICE_BUFFER_SIZE) return &deviceBufferSize;
  return attribute == MUPTI_ACTIVITY_ATTR_DEVICE_BUFFER_POOL_LIMIT ? &deviceBufferPool : nullptr;
}

}  // namespace

bool wantsRecords() { return wantedKinds.load(std::memory_order_relaxed) != 0; }
bool isWanted(MUpti_ActivityKind kind) {
  return (wantedKinds.load(std::memory_order_relaxed) & bitOf(kind)) != 0;
}
bool systemThreadIds() { return threadIdType.load() == MUPTI_ACTIVITY_THREAD_ID_TYPE_SYSTEM; }
std::map<MUpti_ExternalCorrelationKind, std::vector<uint64_t>>& externalIds() {
  return support::PerThread<ExternalIds>::get().stacks;
}

bool isCallWanted(MUpti_ActivityKind kind, uint32_t cbid) {
  Exceptions& all = exceptions();
  if (!all.any.load(std::memory_order_relaxed)) return true;
  const std::lock_guard lock(all.mutex);
  return cbid < 1024 && !all.off[placeOf(kind)][cbid];
}

void endRecords() {
  wantedKinds.store(0);
  buffers().flush();
}

}  // namespace musashim::mupti

using namespace musashim::mupti;

MUPTI_ENTRY MUptiResult MUPTIAPI muptiActivityEnable(MUpti_ActivityKind kind) {
  if (kind <= MUPTI_ACTIVITY_KIND_INVALID || kind >= MUPTI_ACTIVITY_KIND_COUNT || recordBytes(kind) == 0)
    return remember(MUPTI_ERROR_INVALID_KIND);
  // As with CUPTI, kernels are of one kind or of the other.
  if ((kind == MUPTI_ACTIVITY_KIND_KERNEL && isWanted(MUPTI_ACTIVITY_KIND_CONCURRENT_KERNEL)) ||
      (kind == MUPTI_ACTIVITY_KIND_CONCURRENT_KERNEL && isWanted(MUPTI_ACTIVITY_KIND_KERNEL)))
    return remember(MUPTI_ERROR_NOT_COMPATIBLE);
  if (!isWanted(kind)) forgetTold(kind);
  wantedKinds.fetch_or(bitOf(kind));
  const MUptiResult result = listenAsWanted();
  if (result != MUPTI_SUCCESS) wantedKinds.fetch_and(~bitOf(kind));
  return remember(result);
}

MUPTI_ENTRY MUptiResult MUPTIAPI muptiActivityDisable(MUpti_ActivityKind kind) {
  if (kind <= MUPTI_ACTIVITY_KIND_INVALID || kind >= MUPTI_ACTIVITY_KIND_COUNT || recordBytes(kind) == 0)
    return remember(MUPTI_ERROR_INVALID_KIND);
  wantedKinds.fetch_and(~bitOf(kind));
  return remember(listenAsWanted());
}

MUPTI_ENTRY MUptiResult MUPTIAPI
muptiActivityRegisterCallbacks(MUpti_BuffersCallbackRequestFunc funcBufferRequested,
                               MUpti_BuffersCallbackCompleteFunc funcBufferCompleted) {
  tellCudaCapability(false);
  tellRealTime(false);
  return remember(buffers().setCallbacks(funcBufferRequested, funcBufferCompleted));
}

MUPTI_ENTRY MUptiResult MUPTIAPI
cuptiActivityRegisterCallbacks(MUpti_BuffersCallbackRequestFunc funcBufferRequested,
                               MUpti_BuffersCallbackCompleteFunc funcBufferCompleted) {
  tellCudaCapability(true);
  tellRealTime(true);
  return remember(buffers().setCallbacks(funcBufferRequested, funcBufferCompleted));
}

MUPTI_ENTRY MUptiResult MUPTIAPI muptiActivityGetNextRecord(uint8_t* buffer, size_t validBufferSizeBytes,
                                                            MUpti_Activity** record) {
  if (buffer == nullptr || record == nullptr) return remember(MUPTI_ERROR_INVALID_PARAMETER);
  size_t at = 0;
  if (*record != nullptr) {
    const size_t bytes = recordBytes((*record)->kind);
    if (bytes == 0) return remember(MUPTI_ERROR_INVALID_KIND);
    at = static_cast<size_t>(reinterpret_cast<uint8_t*>(*record) - buffer) + bytes;
  }
  if (at + sizeof(MUpti_Activity) > validBufferSizeBytes) return MUPTI_ERROR_MAX_LIMIT_REACHED;
  auto* const next = reinterpret_cast<MUpti_Activity*>(buffer + at);
  const size_t bytes = recordBytes(next->kind);
  if (bytes == 0) return remember(MUPTI_ERROR_INVALID_KIND);
  if (at + bytes > validBufferSizeBytes) return MUPTI_ERROR_MAX_LIMIT_REACHED;
  *record = next;
  return MUPTI_SUCCESS;
}

MUPTI_ENTRY MUptiResult MUPTIAPI muptiActivityGetNumDroppedRecords(MUcontext /*context*/,
                                                                   uint32_t /*streamId*/, size_t* dropped) {
  if (dropped == nullptr) return remember(MUPTI_ERROR_INVALID_PARAMETER);
  *dropped = buffers().takeDropped();
  return MUPTI_SUCCESS;
}

// Work that is complete has its records, so flags change nothing.
MUPTI_ENTRY MUptiResult MUPTIAPI muptiActivityFlushAll(uint32_t /*flag*/) {
  MUpti_ActivityOverhead record = {};
  if (isWanted(MUPTI_ACTIVITY_KIND_OVERHEAD)) record.start = timestamp();
  buffers().flush();
  if (record.start != 0) {
    record.kind = MUPTI_ACTIVITY_KIND_OVERHEAD;
    record.overheadKind = MUPTI_ACTIVITY_OVERHEAD_MUPTI_BUFFER_FLUSH;
    record.objectKind = MUPTI_ACTIVITY_OBJECT_THREAD;
    record.end = timestamp();
    buffers().add(record);
  }
  return MUPTI_SUCCESS;
}

MUPTI_ENTRY MUptiResult MUPTIAPI muptiActivityFlush(MUcontext /*context*/, uint32_t /*streamId*/,
                                                    uint32_t flag) {
  return muptiActivityFlushAll(flag);
}

// Sizes of buffers on a device, which there are none of, are kept for who asks for them.
MUPTI_ENTRY MUptiResult MUPTIAPI muptiActivityGetAttribute(MUpti_ActivityAttribute attr, size_t* valueSize,
                                                           void* value) {
  if (valueSize == nullptr || value == nullptr) return remember(MUPTI_ERROR_INVALID_PARAMETER);
  const std::atomic<size_t>* kept = sizeAttribute(attr);
  if (kept == nullptr) return remember(MUPTI_ERROR_NOT_SUPPORTED);
  if (*valueSize < sizeof(size_t)) return remember(MUPTI_ERROR_PARAMETER_SIZE_NOT_SUFFICIENT);
  *static_cast<size_t*>(value) = kept->load();
  *valueSize = sizeof(size_t);
  return MUPTI_SUCCESS;
}

MUPTI_ENTRY MUptiResult MUPTIAPI muptiActivitySetAttribute(MUpti_ActivityAttribute attr, size_t* valueSize,
                                                           void* value) {
  if (valueSize == nullptr || value == nullptr) return remember(MUPTI_ERROR_INVALID_PARAMETER);
  // Threads share a buffer: to ask for that is to ask for nothing new.
  if (attr == MUPTI_ACTIVITY_ATTR_PER_THREAD_ACTIVITY_BUFFER && *valueSize >= 1 &&
      *static_cast<uint8_t*>(value) == 0)
    return MUPTI_SUCCESS;
  std::atomic<size_t>* kept = sizeAttribute(attr);
  if (kept == nullptr) return remember(MUPTI_ERROR_NOT_SUPPORTED);
  if (*valueSize < sizeof(size_t)) return remember(MUPTI_ERROR_PARAMETER_SIZE_NOT_SUFFICIENT);
  kept->store(*static_cast<size_t*>(value));
  return MUPTI_SUCCESS;
}

MUPTI_ENTRY MUptiResult MUPTIAPI muptiSetThreadIdType(MUpti_ActivityThreadIdType type) {
  if (type != MUPTI_ACTIVITY_THREAD_ID_TYPE_DEFAULT && type != MUPTI_ACTIVITY_THREAD_ID_TYPE_SYSTEM)
    return remember(MUPTI_ERROR_NOT_SUPPORTED);
  threadIdType.store(type);
  return MUPTI_SUCCESS;
}

MUPTI_ENTRY MUptiResult MUPTIAPI muptiGetThreadIdType(MUpti_ActivityThreadIdType* type) {
  if (type == nullptr) return remember(MUPTI_ERROR_INVALID_PARAMETER);
  *type = static_cast<MUpti_ActivityThreadIdType>(threadIdType.load());
  return MUPTI_SUCCESS;
}

MUPTI_ENTRY MUptiResult MUPTIAPI muptiActivityPushExternalCorrelationId(MUpti_ExternalCorrelationKind kind,
                                                                        uint64_t id) {
  if (!isCorrelationKind(kind)) return remember(MUPTI_ERROR_INVALID_PARAMETER);
  externalIds()[kind].push_back(id);
  return MUPTI_SUCCESS;
}

MUPTI_ENTRY MUptiResult MUPTIAPI muptiActivityPopExternalCorrelationId(MUpti_ExternalCorrelationKind kind,
                                                                       uint64_t* lastId) {
  if (!isCorrelationKind(kind)) return remember(MUPTI_ERROR_INVALID_PARAMETER);
  std::vector<uint64_t>& ids = externalIds()[kind];
  if (ids.empty()) return remember(MUPTI_ERROR_QUEUE_EMPTY);
  if (lastId != nullptr) *lastId = ids.back();
  ids.pop_back();
  return MUPTI_SUCCESS;
}

MUPTI_ENTRY MUptiResult MUPTIAPI
muptiActivityRegisterTimestampCallback(MUpti_TimestampCallbackFunc funcTimestamp) {
  if (listenTable() == nullptr) return remember(MUPTI_ERROR_NOT_INITIALIZED);
  useClock(funcTimestamp);
  return MUPTI_SUCCESS;
}

MUPTI_ENTRY MUptiResult MUPTIAPI muptiActivityEnableRuntimeApi(MUpti_CallbackId cbid, uint8_t enable) {
  return enableCall(MUPTI_ACTIVITY_KIND_RUNTIME, cbid, enable != 0);
}

MUPTI_ENTRY MUptiResult MUPTIAPI muptiActivityEnableDriverApi(MUpti_CallbackId cbid, uint8_t enable) {
  return enableCall(MUPTI_ACTIVITY_KIND_DRIVER, cbid, enable != 0);
}
