// Events.
#include <fmt/format.h>

#include "musa/api/api_call.h"
#include "musa/graph/capture/capture.h"

using namespace musashim::musa;
namespace backend = musashim::backend;

namespace {

constexpr unsigned kEventFlags = MU_EVENT_BLOCKING_SYNC | MU_EVENT_DISABLE_TIMING | MU_EVENT_INTERPROCESS;

Result recordEvent(MUevent hEvent, MUstream hStream, unsigned flags) {
  Event* event = nullptr;
  Stream* stream = nullptr;
  MUSA_TRY(findEvent(hEvent, event));
  MUSA_REQUIRE(flags <= MU_EVENT_RECORD_EXTERNAL, MUSA_ERROR_INVALID_VALUE, "unknown flags");
  MUSA_TRY(findStream(hStream, stream, WhenCapturing::kCapture));
  MUSA_REQUIRE(&event->context() == &stream->context(), MUSA_ERROR_INVALID_HANDLE,
               "event and stream belong to different contexts");
  MUSA_REQUIRE(stream->isCapturing() || flags == MU_EVENT_RECORD_DEFAULT, MUSA_ERROR_ILLEGAL_STATE,
               "only captures have external records");
  if (stream->isCapturing()) {
    if (flags == MU_EVENT_RECORD_EXTERNAL) return captureWork(*stream, EventRecordWork{event});
    return captureRecord(*stream, *event);
  }
  return event->record(*stream);
}

// Events of a capture have no place in time that the host could ask for.
Result checkUncaptured(const Event& event, const char* what) {
  if (auto captured = event.captured()) return refuseCapturedEvent(*captured, false);
  return checkUnsafe(what);
}

}  // namespace

extern "C" {

MUresult muEventCreate(MUevent* phEvent, unsigned int Flags) {
  return apiCall(
      "muEventCreate",
      [&]() -> Result {
        MUSA_REQUIRE(phEvent, MUSA_ERROR_INVALID_VALUE, "null pointer");
        MUSA_REQUIRE((Flags & ~kEventFlags) == 0, MUSA_ERROR_INVALID_VALUE,
                     fmt::format("unknown flags {:#x}", Flags));
        if (Flags & MU_EVENT_INTERPROCESS) {
          MUSA_REQUIRE(Flags & MU_EVENT_DISABLE_TIMING, MUSA_ERROR_INVALID_VALUE,
                       "interprocess events have no timing");
        }
        Context* context = nullptr;
        MUSA_TRY(currentContext(context));
        std::unique_ptr<backend::SharedEvent> shared;
        if (Flags & MU_EVENT_INTERPROCESS) MUSA_TRY(driver().backend().createSharedEvent(shared));
        Event* event = driver().events.create(*context, Flags, std::move(shared));
        context->addEvent(event);
        *phEvent = reinterpret_cast<MUevent>(event);
        return {};
      },
      phEvent, Flags);
}

MUresult muEventRecord(MUevent hEvent, MUstream hStream) {
  return apiCall(
      "muEventRecord", [&] { return recordEvent(hEvent, hStream, MU_EVENT_RECORD_DEFAULT); }, hEvent,
      hStream);
}

MUresult muEventRecordWithFlags(MUevent hEvent, MUstream hStream, unsigned int flags) {
  return apiCall(
      "muEventRecordWithFlags", [&] { return recordEvent(hEvent, hStream, flags); }, hEvent, hStream, flags);
}

MUresult muEventQuery(MUevent hEvent) {
  return apiCall<Needs::kDriverAnywhere>(
      "muEventQuery",
      [&]() -> Result {
        Event* event = nullptr;
        MUSA_TRY(findEvent(hEvent, event));
        MUSA_TRY(checkUncaptured(*event, "muEventQuery"));
        MUSA_REQUIRE(event->isComplete(), MUSA_ERROR_NOT_READY, "");
        return event->context().fault();
      },
      hEvent);
}

MUresult muEventSynchronize(MUevent hEvent) {
  return apiCall(
      "muEventSynchronize",
      [&]() -> Result {
        Event* event = nullptr;
        MUSA_TRY(findEvent(hEvent, event));
        MUSA_TRY(checkUncaptured(*event, "muEventSynchronize"));
        Context& context = event->context();
        event->synchronize();
        return finishSynchronization(context);
      },
      hEvent);
}

MUresult muEventDestroy(MUevent hEvent) {
  return apiCall(
      "muEventDestroy",
      [&]() -> Result {
        Event* event = driver().events.get(hEvent);
        MUSA_REQUIRE(event, MUSA_ERROR_INVALID_HANDLE, fmt::format("no event {}", fmt::ptr(hEvent)));
        Context& context = event->context();
        context.removeEvent(event);
        driver().events.destroy(event);
        return context.fault();
      },
      hEvent);
}

MUresult muEventElapsedTime(float* pMilliseconds, MUevent hStart, MUevent hEnd) {
  return apiCall(
      "muEventElapsedTime",
      [&]() -> Result {
        MUSA_REQUIRE(pMilliseconds, MUSA_ERROR_INVALID_HANDLE, "null pointer");  // the code is recorded
        Event *start = nullptr, *end = nullptr;
        MUSA_TRY(findEvent(hStart, start));
        MUSA_TRY(findEvent(hEnd, end));
        return Event::elapsed(*start, *end, *pMilliseconds);
      },
      pMilliseconds, hStart, hEnd);
}

}  // extern "C"
