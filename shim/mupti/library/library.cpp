// The library itself: results, versions, times, ids, and when it listens.
#include <algorithm>
#include <atomic>
#include <ctime>
#include <mutex>
#include <utility>

#include "core/cuda_capability.h"
#include "mupti.h"
#include "mupti/activity/activity.h"
#include "mupti/callback/subscriber.h"
#include "mupti/events/events.h"
#include "mupti/library/entry.h"
#include "mupti/library/names.h"
#include "musa_runtime_api.h"

namespace musashim::mupti {
namespace {

constinit thread_local MUptiResult lastErrorOfThread = MUPTI_SUCCESS;
std::mutex listenMutex;
bool listening = false;

// A program's clock, which may count anything: two moments of both clocks say how fast it goes.
struct ForeignClock {
  uint64_t (*read)(void) = nullptr;
  uint64_t theirs = 0, ours = 0;
};
std::atomic<const ForeignClock*> foreignClock{nullptr};

// As CUPTI's, for who registered buffers by its name.
std::atomic<bool> tellsRealTime{false};

// From CLOCK_REALTIME, by which libmusa tells, to CLOCK_MONOTONIC, which the vendor's times are of: its
// Kineto adds the difference of the two, taken once.
uint64_t monotonicOf(uint64_t time) {
  static const uint64_t kDifference = [] {
    timespec real{}, monotonic{};
    clock_gettime(CLOCK_REALTIME, &real);
    clock_gettime(CLOCK_MONOTONIC, &monotonic);
    const auto nanoseconds = [](const timespec& t) {
      return static_cast<uint64_t>(t.tv_sec) * 1000000000u + static_cast<uint64_t>(t.tv_nsec);
    };
    return nanoseconds(real) - nanoseconds(monotonic);
  }();
  return time - kDifference;
}

uint64_t inTold(uint64_t time) {
  return tellsRealTime.load(std::memory_order_relaxed) ? time : monotonicOf(time);
}

MUptiResult giveTimestamp(uint64_t* time, bool real) {
  if (time == nullptr) return remember(MUPTI_ERROR_INVALID_PARAMETER);
  if (listenTable() == nullptr) return remember(MUPTI_ERROR_NOT_INITIALIZED);
  const ForeignClock* foreign = foreignClock.load(std::memory_order_acquire);
  const uint64_t now = foreign != nullptr ? foreign->read() : listenTable()->now();
  *time = foreign != nullptr || real ? now : monotonicOf(now);
  return MUPTI_SUCCESS;
}

constexpr MUshimListener kListener = {sizeof(MUshimListener), callBegins, callEnds, workEnded, rangeEvent,
                                      resourceEvent,          1};

// Asked for when the library is loaded, so that libmusa knows of us before the first range.
[[maybe_unused]] const MUshimListenTable* const kEarly = listenTable();

}  // namespace

MUptiResult remember(MUptiResult result) {
  if (result != MUPTI_SUCCESS) lastErrorOfThread = result;
  return result;
}

MUptiResult lastError() { return std::exchange(lastErrorOfThread, MUPTI_SUCCESS); }

const MUshimListenTable* listenTable() {
  static const MUshimListenTable* const kTable = [] {
    constexpr MUuuid kId = MUSASHIM_LISTEN_TABLE;
    const void* found = nullptr;
    return muGetExportTable(&found, &kId) == MUSA_SUCCESS ? static_cast<const MUshimListenTable*>(found)
                                                          : nullptr;
  }();
  return kTable;
}

uint64_t timestamp() {
  const ForeignClock* foreign = foreignClock.load(std::memory_order_acquire);
  return foreign != nullptr ? foreign->read() : inTold(listenTable()->now());
}

uint64_t timestampOf(unsigned long long time) {
  const ForeignClock* foreign = foreignClock.load(std::memory_order_acquire);
  if (foreign == nullptr) return inTold(time);
  const uint64_t theirs = foreign->read(), ours = listenTable()->now();
  const double rate =
      ours > foreign->ours ? double(theirs - foreign->theirs) / double(ours - foreign->ours) : 1;
  return theirs - static_cast<uint64_t>(double(ours - time) * rate);
}

void tellRealTime(bool wanted) { tellsRealTime.store(wanted); }

void useClock(uint64_t (*clock)(void)) {
  // Those before stay: somebody may be reading them.
  foreignClock.store(clock == nullptr ? nullptr : new ForeignClock{clock, clock(), listenTable()->now()},
                     std::memory_order_release);
}

MUptiResult listenAsWanted() {
  const std::lock_guard lock(listenMutex);
  const bool wanted = wantsRecords() || wantsCallbacks() || countsEvents();
  if (wanted == listening) return MUPTI_SUCCESS;
  if (listenTable() == nullptr) return MUPTI_ERROR_NOT_INITIALIZED;
  if (listenTable()->listen(wanted ? &kListener : nullptr) != MUSA_SUCCESS) return MUPTI_ERROR_NOT_COMPATIBLE;
  listening = wanted;
  return MUPTI_SUCCESS;
}

const char* nameOf(std::span<const Name> names, uint32_t number) {
  const auto found = std::lower_bound(names.begin(), names.end(), number,
                                      [](const Name& name, uint32_t wanted) { return name.number < wanted; });
  return found != names.end() && found->number == number ? found->name : nullptr;
}

}  // namespace musashim::mupti

using namespace musashim::mupti;

MUPTI_ENTRY MUptiResult MUPTIAPI muptiGetVersion(uint32_t* version) {
  if (version == nullptr) return remember(MUPTI_ERROR_INVALID_PARAMETER);
  *version = MUPTI_API_VERSION;
  return MUPTI_SUCCESS;
}

MUPTI_ENTRY MUptiResult MUPTIAPI muptiGetResultString(MUptiResult result, const char** str) {
  if (str == nullptr) return remember(MUPTI_ERROR_INVALID_PARAMETER);
  *str = nameOf(namesResults(), static_cast<uint32_t>(result));
  return *str != nullptr ? MUPTI_SUCCESS : remember(MUPTI_ERROR_INVALID_PARAMETER);
}

MUPTI_ENTRY MUptiResult MUPTIAPI muptiGetErrorMessage(MUptiResult result, const char** str) {
  return muptiGetResultString(result, str);
}

MUPTI_ENTRY MUptiResult MUPTIAPI muptiGetLastError() { return lastError(); }

MUPTI_ENTRY MUptiResult MUPTIAPI muptiGetTimestamp(uint64_t* time) { return giveTimestamp(time, false); }

MUPTI_ENTRY MUptiResult MUPTIAPI cuptiGetTimestamp(uint64_t* time) { return giveTimestamp(time, true); }

MUPTI_ENTRY MUptiResult MUPTIAPI muptiGetContextId(MUcontext context, uint32_t* contextId) {
  if (contextId == nullptr) return remember(MUPTI_ERROR_INVALID_PARAMETER);
  unsigned long long id = 0;
  if (muCtxGetId(context, &id) != MUSA_SUCCESS) return remember(MUPTI_ERROR_INVALID_CONTEXT);
  *contextId = static_cast<uint32_t>(id);
  return MUPTI_SUCCESS;
}

MUPTI_ENTRY MUptiResult MUPTIAPI muptiGetDeviceId(MUcontext context, uint32_t* deviceId) {
  if (deviceId == nullptr) return remember(MUPTI_ERROR_INVALID_PARAMETER);
  if (context != nullptr && muCtxPushCurrent(context) != MUSA_SUCCESS)
    return remember(MUPTI_ERROR_INVALID_CONTEXT);
  MUdevice device = 0;
  const MUresult result = muCtxGetDevice(&device);
  if (context != nullptr) (void)muCtxPopCurrent(nullptr);
  if (result != MUSA_SUCCESS) return remember(MUPTI_ERROR_INVALID_CONTEXT);
  *deviceId = static_cast<uint32_t>(device);
  return MUPTI_SUCCESS;
}

MUPTI_ENTRY MUptiResult MUPTIAPI muptiGetStreamIdEx(MUcontext context, MUstream stream,
                                                    uint8_t perThreadStream, uint32_t* streamId) {
  if (streamId == nullptr) return remember(MUPTI_ERROR_INVALID_PARAMETER);
  if (stream == nullptr && perThreadStream != 0) stream = MU_STREAM_PER_THREAD;
  if (context != nullptr && muCtxPushCurrent(context) != MUSA_SUCCESS)
    return remember(MUPTI_ERROR_INVALID_CONTEXT);
  unsigned long long id = 0;
  const MUresult result = muStreamGetId(stream, &id);
  if (context != nullptr) (void)muCtxPopCurrent(nullptr);
  if (result != MUSA_SUCCESS)
    return remember(context == nullptr && stream == nullptr ? MUPTI_ERROR_INVALID_CONTEXT
                                                            : MUPTI_ERROR_INVALID_STREAM);
  *streamId = static_cast<uint32_t>(id);
  return MUPTI_SUCCESS;
}

MUPTI_ENTRY MUptiResult MUPTIAPI muptiGetStreamId(MUcontext context, MUstream stream, uint32_t* streamId) {
  return muptiGetStreamIdEx(context, stream, 0, streamId);
}

MUPTI_ENTRY MUptiResult MUPTIAPI muptiDeviceSupported(MUdevice dev, int* support) {
  if (support == nullptr) return remember(MUPTI_ERROR_INVALID_PARAMETER);
  int devices = 0;
  if (muDeviceGetCount(&devices) != MUSA_SUCCESS) return remember(MUPTI_ERROR_NOT_INITIALIZED);
  if (dev < 0 || dev >= devices) return remember(MUPTI_ERROR_INVALID_DEVICE);
  *support = 1;
  return MUPTI_SUCCESS;
}

MUPTI_ENTRY MUptiResult MUPTIAPI muptiComputeCapabilitySupported(int major, int minor, int* support) {
  if (support == nullptr) return remember(MUPTI_ERROR_INVALID_PARAMETER);
  // Those of the devices that are emulated.
  *support = (major == 2 && (minor == 1 || minor == 2)) || (major == 3 && minor == 1) ? 1 : 0;
  return MUPTI_SUCCESS;
}

MUPTI_ENTRY MUptiResult MUPTIAPI cuptiComputeCapabilitySupported(int major, int minor, int* support) {
  if (support == nullptr) return remember(MUPTI_ERROR_INVALID_PARAMETER);
  const musashim::core::CudaCapability capability = musashim::core::cudaCapability().capability;
  *support = major == capability.major && minor == capability.minor ? 1 : 0;
  return MUPTI_SUCCESS;
}

MUPTI_ENTRY MUptiResult MUPTIAPI muptiFinalize() {
  endSubscription();
  endRecords();
  endEvents();
  return remember(listenAsWanted());
}
