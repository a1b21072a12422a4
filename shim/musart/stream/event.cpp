// Events.
#include "musart/api/runtime.h"

using namespace musashim::musart;

extern "C" {

musaError_t musaEventCreate(musaEvent_t* event) {
  return apiCall(
      "musaEventCreate", [&] { return fromDriver(muEventCreate(event, MU_EVENT_DEFAULT)); }, event);
}

musaError_t musaEventCreateWithFlags(musaEvent_t* event, unsigned int flags) {
  return apiCall(
      "musaEventCreateWithFlags", [&] { return fromDriver(muEventCreate(event, flags)); }, event, flags);
}

musaError_t musaEventRecord(musaEvent_t event, musaStream_t stream) {
  return apiCall("musaEventRecord", [&] { return fromDriver(muEventRecord(event, stream)); }, event, stream);
}

musaError_t musaEventRecordWithFlags(musaEvent_t event, musaStream_t stream, unsigned int flags) {
  return apiCall(
      "musaEventRecordWithFlags", [&] { return fromDriver(muEventRecordWithFlags(event, stream, flags)); },
      event, stream, flags);
}

musaError_t musaEventQuery(musaEvent_t event) {
  // No context: host functions may ask as well, and have none.
  return apiCall<Needs::kDriver>("musaEventQuery", [&] { return fromDriver(muEventQuery(event)); }, event);
}

musaError_t musaEventSynchronize(musaEvent_t event) {
  return apiCall("musaEventSynchronize", [&] { return fromDriver(muEventSynchronize(event)); }, event);
}

musaError_t musaEventDestroy(musaEvent_t event) {
  return apiCall("musaEventDestroy", [&] { return fromDriver(muEventDestroy(event)); }, event);
}

musaError_t musaEventElapsedTime(float* ms, musaEvent_t start, musaEvent_t end) {
  return apiCall(
      "musaEventElapsedTime",
      [&]() -> musaError_t {
        MUSART_REQUIRE(ms, musaErrorInvalidValue);  // the driver API has another code for it (recorded)
        return fromDriver(muEventElapsedTime(ms, start, end));
      },
      ms, start, end);
}

}  // extern "C"
