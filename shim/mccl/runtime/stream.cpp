#include "mccl/runtime/stream.h"

#include "mccl/core/log.h"

namespace musashim::mccl {
namespace {

// A timing-free event for one dependency. Destroying it early is legal: it lives until it has fired.
class Event {
 public:
  mcclResult_t create() {
    return checkMusa(musaEventCreateWithFlags(&event_, musaEventDisableTiming), "musaEventCreateWithFlags");
  }
  ~Event() {
    if (event_) (void)musaEventDestroy(event_);
  }
  // What is queued on `after` later waits for what is queued on `before` now.
  mcclResult_t order(musaStream_t before, musaStream_t after) {
    MCCL_RETURN_IF_ERROR(checkMusa(musaEventRecord(event_, before), "musaEventRecord"));
    return checkMusa(musaStreamWaitEvent(after, event_, 0), "musaStreamWaitEvent");
  }

 private:
  musaEvent_t event_ = nullptr;
};

mcclResult_t order(musaStream_t before, musaStream_t after) {
  Event event;
  MCCL_RETURN_IF_ERROR(event.create());
  return event.order(before, after);
}

}  // namespace

int currentDevice() {
  int device = -1;
  return musaGetDevice(&device) == musaSuccess ? device : -1;
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

mcclResult_t checkNotCapturing(musaStream_t stream) {
  musaStreamCaptureStatus status = musaStreamCaptureStatusNone;
  MCCL_RETURN_IF_ERROR(checkMusa(musaStreamIsCapturing(stream, &status), "musaStreamIsCapturing"));
  if (status == musaStreamCaptureStatusNone) return mcclSuccess;
  return fail(mcclInvalidUsage, "the stream is being captured: collectives in graphs are not supported yet");
}

mcclResult_t queueWork(std::span<const musaStream_t> streams, musaStreamCallback_t work, void* data) {
  const musaStream_t stream = streams.front();
  for (musaStream_t other : streams.subspan(1)) MCCL_RETURN_IF_ERROR(order(other, stream));
  MCCL_RETURN_IF_ERROR(checkMusa(musaStreamAddCallback(stream, work, data, 0), "musaStreamAddCallback"));
  for (musaStream_t other : streams.subspan(1))
    (void)order(stream, other);  // the work is queued: no way back
  return mcclSuccess;
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
