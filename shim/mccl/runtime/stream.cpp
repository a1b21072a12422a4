#include "mccl/runtime/stream.h"

#include <algorithm>
#include <optional>

#include "mccl/core/log.h"
#include "mccl/runtime/driver_calls.h"

namespace musashim::mccl {
namespace {

// The default streams: which stream is meant depends on the current device.
bool hasNoHandle(musaStream_t stream) {
  return stream == nullptr || stream == musaStreamLegacy || stream == musaStreamPerThread;
}

bool isDone(musaStream_t stream) {
  const musaError_t error = musaStreamQuery(stream);
  if (error != musaSuccess && error != musaErrorNotReady) (void)musaGetLastError();
  return error == musaSuccess;
}

bool isIdle(int device, musaStream_t stream) {
  unsigned flags = 0;
  if (hasNoHandle(stream) || !isDone(stream) || musaStreamGetFlags(stream, &flags) != musaSuccess)
    return false;
  if (flags & musaStreamNonBlocking) return true;
  // Work of a blocking stream waits for that of the legacy stream.
  DeviceScope scope(device);
  return scope.result() == mcclSuccess && isDone(musaStreamLegacy);
}

mcclResult_t order(musaStream_t before, musaStream_t after) {
  Event event;
  return event.order(before, after);
}

// `enqueue` queues on the first of `streams` what waits for all and what all wait for.
template <class Enqueue>
mcclResult_t queueAcross(std::span<const musaStream_t> streams, Enqueue&& enqueue) {
  const musaStream_t stream = streams.front();
  for (musaStream_t other : streams.subspan(1)) MCCL_RETURN_IF_ERROR(order(other, stream));
  MCCL_RETURN_IF_ERROR(enqueue(stream));
  for (musaStream_t other : streams.subspan(1)) (void)order(stream, other);  // queued: no way back
  return mcclSuccess;
}

// The calling thread's device, for calls with streams of several; in the end it is the one that was.
class CurrentDevice {
 public:
  CurrentDevice() : result_(checkMusa(musaGetDevice(&previous_), "musaGetDevice")), current_(previous_) {}
  ~CurrentDevice() {
    if (current_ != previous_) (void)musaSetDevice(previous_);
  }
  CurrentDevice(const CurrentDevice&) = delete;
  CurrentDevice& operator=(const CurrentDevice&) = delete;

  mcclResult_t result() const { return result_; }

  mcclResult_t use(int device) {
    if (current_ == device) return mcclSuccess;
    current_ = device;
    return checkMusa(musaSetDevice(device), "musaSetDevice");
  }

 private:
  int previous_ = -1;
  const mcclResult_t result_;
  int current_;
};

// Queues `arrive` on the groups' streams, and records each group's event behind it.
mcclResult_t queueArrivals(std::span<const StreamGroup> groups, musaStreamCallback_t arrive, void* data,
                           CurrentDevice& device) {
  for (const StreamGroup& group : groups) {
    MCCL_RETURN_IF_ERROR(device.use(group.device));
    MCCL_RETURN_IF_ERROR(queueWork(group.streams, arrive, data));
    MCCL_RETURN_IF_ERROR(group.event->record(group.streams.front()));
  }
  return mcclSuccess;
}

// Created streams know their device: for them the current one need not change.
mcclResult_t holdBackAll(std::span<const StreamGroup> groups, Event& done, CurrentDevice& device) {
  for (const StreamGroup& group : groups) {
    for (musaStream_t stream : group.streams) {
      if (hasNoHandle(stream)) MCCL_RETURN_IF_ERROR(device.use(group.device));
      MCCL_RETURN_IF_ERROR(done.holdBack(stream));
    }
  }
  return mcclSuccess;
}

// Has the graph that `stream` records free `data`; on an error it is freed here.
mcclResult_t giveToGraph(musaStream_t stream, void* data, musaHostFn_t free) {
  musaUserObject_t object = nullptr;
  const mcclResult_t made = checkMusa(
      musaUserObjectCreate(&object, data, free, 1, musaUserObjectNoDestructorSync), "musaUserObjectCreate");
  if (made != mcclSuccess) {
    free(data);
    return made;
  }
  musaStreamCaptureStatus status = musaStreamCaptureStatusNone;
  musaGraph_t graph = nullptr;
  mcclResult_t result =
      checkMusa(musaStreamGetCaptureInfo(stream, &status, nullptr, &graph, nullptr, nullptr),
                "musaStreamGetCaptureInfo");
  if (result == mcclSuccess) {
    result = checkMusa(musaGraphRetainUserObject(graph, object, 1, musaGraphUserObjectMove),
                       "musaGraphRetainUserObject");
  }
  if (result != mcclSuccess) (void)musaUserObjectRelease(object, 1);
  return result;
}

}  // namespace

Event::~Event() {
  if (event_) (void)musaEventDestroy(event_);
}

mcclResult_t Event::create() {
  return checkMusa(musaEventCreateWithFlags(&event_, musaEventDisableTiming), "musaEventCreateWithFlags");
}

mcclResult_t Event::record(musaStream_t stream) {
  if (!event_) MCCL_RETURN_IF_ERROR(create());
  const musaError_t error = musaEventRecord(event_, stream);
  if (error != musaErrorInvalidResourceHandle) return checkMusa(error, "musaEventRecord");
  (void)musaGetLastError();  // the device was reset since
  event_ = nullptr;
  MCCL_RETURN_IF_ERROR(create());
  return checkMusa(musaEventRecord(event_, stream), "musaEventRecord");
}

mcclResult_t Event::holdBack(musaStream_t stream) {
  return checkMusa(musaStreamWaitEvent(stream, event_, 0), "musaStreamWaitEvent");
}

mcclResult_t Event::order(musaStream_t before, musaStream_t after) {
  MCCL_RETURN_IF_ERROR(record(before));
  return holdBack(after);
}

int currentDevice() {
  int device = -1;
  return musaGetDevice(&device) == musaSuccess ? device : -1;
}

std::string busIdOf(int device) {
  char bus[32] = "";
  if (musaDeviceGetPCIBusId(bus, sizeof bus, device) == musaSuccess) return bus;
  (void)musaGetLastError();
  return "";
}

int capabilityOf(int device) {
  int major = 0, minor = 0;
  if (musaDeviceGetAttribute(&major, musaDevAttrComputeCapabilityMajor, device) == musaSuccess &&
      musaDeviceGetAttribute(&minor, musaDevAttrComputeCapabilityMinor, device) == musaSuccess)
    return 10 * major + minor;
  (void)musaGetLastError();
  return 0;
}

void lendDeviceMemory(size_t bytes, const std::function<void(void*)>& use) {
  void* memory = nullptr;
  if (checkMusa(musaMalloc(&memory, bytes), "musaMalloc") != mcclSuccess) return;
  {
    const MemoryAccess access;
    use(memory);
  }
  (void)checkMusa(musaFree(memory), "musaFree");
}

mcclResult_t checkMusa(musaError_t error, const char* call) {
  if (error == musaSuccess) return mcclSuccess;
  (void)musaGetLastError();
  return fail(mcclUnhandledMusaError, "Musa failure {} '{}' in {}", static_cast<int>(error),
              musaGetErrorString(error), call);
}

DeviceScope::DeviceScope(int device) {
  result_ = checkMusa(musaGetDevice(&previous_), "musaGetDevice");
  if (result_ != mcclSuccess || previous_ == device) return;
  result_ = checkMusa(musaSetDevice(device), "musaSetDevice");
  changed_ = result_ == mcclSuccess;
}

DeviceScope::~DeviceScope() {
  if (changed_) (void)musaSetDevice(previous_);
}

mcclResult_t isCapturing(int device, musaStream_t stream, bool& capturing) {
  std::optional<DeviceScope> scope;
  if (hasNoHandle(stream)) {
    scope.emplace(device);
    MCCL_RETURN_IF_ERROR(scope->result());
  }
  musaStreamCaptureStatus status = musaStreamCaptureStatusNone;
  MCCL_RETURN_IF_ERROR(checkMusa(musaStreamIsCapturing(stream, &status), "musaStreamIsCapturing"));
  capturing = status == musaStreamCaptureStatusActive;
  return mcclSuccess;
}

std::optional<StreamMark> markOf(musaStream_t stream) {
  const MUshimStreamTable* table = driverCalls().streams;
  MUshimStreamMark mark{};
  if (!table || hasNoHandle(stream) || table->mark(stream, &mark) != MUSA_SUCCESS) return std::nullopt;
  return StreamMark{mark.stream, mark.commands};
}

mcclResult_t queueWork(std::span<const musaStream_t> streams, musaStreamCallback_t work, void* data) {
  return queueAcross(streams, [&](musaStream_t stream) {
    return checkMusa(musaStreamAddCallback(stream, work, data, 0), "musaStreamAddCallback");
  });
}

mcclResult_t captureWork(std::span<const musaStream_t> streams, musaHostFn_t work, void* data,
                         musaHostFn_t free) {
  MCCL_RETURN_IF_ERROR(giveToGraph(streams.front(), data, free));
  return queueAcross(streams, [&](musaStream_t stream) {
    return checkMusa(musaLaunchHostFunc(stream, work, data), "musaLaunchHostFunc");
  });
}

mcclResult_t queueTogether(std::span<const StreamGroup> groups, musaStreamCallback_t arrive,
                           musaStreamCallback_t run, void* data) {
  const StreamGroup& first = groups.front();
  const std::span<const StreamGroup> others = groups.subspan(1);
  CurrentDevice device;
  MCCL_RETURN_IF_ERROR(device.result());
  if (arrive) MCCL_RETURN_IF_ERROR(queueArrivals(others, arrive, data, device));
  MCCL_RETURN_IF_ERROR(device.use(first.device));
  for (const StreamGroup& group : arrive ? others : others.first(0))
    MCCL_RETURN_IF_ERROR(group.event->holdBack(first.streams.front()));
  MCCL_RETURN_IF_ERROR(queueWork(first.streams, run, data));
  MCCL_RETURN_IF_ERROR(first.event->record(first.streams.front()));
  return holdBackAll(others, *first.event, device);
}

bool areIdle(int device, std::span<const musaStream_t> streams) {
  return std::all_of(streams.begin(), streams.end(),
                     [&](musaStream_t stream) { return isIdle(device, stream); });
}

mcclResult_t checkDevicePointer(const void* pointer, int device, const char* function, const char* name) {
  musaPointerAttributes attributes{};
  if (musaPointerGetAttributes(&attributes, pointer) != musaSuccess || !attributes.devicePointer) {
    (void)musaGetLastError();
    return fail(mcclInvalidArgument, "{} : {} is not a valid pointer", function, name);
  }
  if (attributes.type == musaMemoryTypeDevice && attributes.device != device) {
    return fail(mcclInvalidArgument, "{} : {} allocated on device {} mismatchs with NCCL device {}", function,
                name, attributes.device, device);
  }
  return mcclSuccess;
}

}  // namespace musashim::mccl
