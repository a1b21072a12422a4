#include "mccl/runtime/graph_order.h"

#include "mccl/core/log.h"
#include "mccl/runtime/attendant.h"
#include "mccl/runtime/stream.h"

namespace musashim::mccl {
namespace {

struct Capture {
  unsigned long long id = 0;
  const musaGraphNode_t* latest = nullptr;  // nodes behind which the next one will stand
  size_t count = 0;
};

mcclResult_t captureOf(musaStream_t stream, Capture& capture) {
  musaStreamCaptureStatus status = musaStreamCaptureStatusNone;
  return checkMusa(
      musaStreamGetCaptureInfo(stream, &status, &capture.id, nullptr, &capture.latest, &capture.count),
      "musaStreamGetCaptureInfo");
}

}  // namespace

GraphOrder::~GraphOrder() {
  if (!event_) return;
  Attendant::post(Attendant::kCleanUp, [event = event_] { (void)musaEventDestroy(event); });
}

bool GraphOrder::isOver() const {
  const RelaxedCapture relaxed;
  const musaError_t error = musaEventQuery(event_);
  if (error != musaSuccess && error != musaErrorNotReady) (void)musaGetLastError();
  return error == musaSuccess;
}

mcclResult_t GraphOrder::enterGraph(musaStream_t stream) {
  if (!event_) {
    const RelaxedCapture relaxed;
    MCCL_RETURN_IF_ERROR(
        checkMusa(musaEventCreateWithFlags(&event_, musaEventDisableTiming), "musaEventCreateWithFlags"));
  }
  Capture capture;
  MCCL_RETURN_IF_ERROR(captureOf(stream, capture));
  if (capture.id != capture_)
    return checkMusa(musaStreamWaitEvent(stream, event_, musaEventWaitExternal), "musaStreamWaitEvent");
  for (size_t i = 0; i < capture.count; ++i) {
    if (capture.latest[i] == latest_) return mcclSuccess;
  }
  return checkMusa(musaStreamUpdateCaptureDependencies(stream, &latest_, 1, musaStreamAddCaptureDependencies),
                   "musaStreamUpdateCaptureDependencies");
}

mcclResult_t GraphOrder::leaveGraph(musaStream_t stream) {
  MCCL_RETURN_IF_ERROR(checkMusa(musaEventRecordWithFlags(event_, stream, musaEventRecordExternal),
                                 "musaEventRecordWithFlags"));
  Capture capture;
  MCCL_RETURN_IF_ERROR(captureOf(stream, capture));
  if (capture.count != 1) return fail(mcclInternalError, "a recorded event is not the stream's latest node");
  capture_ = capture.id;
  latest_ = capture.latest[0];
  return mcclSuccess;
}

mcclResult_t GraphOrder::enter(musaStream_t stream) {
  return checkMusa(musaStreamWaitEvent(stream, event_, 0), "musaStreamWaitEvent");
}

mcclResult_t GraphOrder::leave(musaStream_t stream) {
  return checkMusa(musaEventRecord(event_, stream), "musaEventRecord");
}

}  // namespace musashim::mccl
