// links: driver
// Events through the driver: flags, state, order of checks.
#include "../../framework/gate.h"
#include "../../framework/observe_driver.h"

CONFORMANCE_CASE("event.driver_events");

int main() {
  useFirstDevice();
  CUevent event = nullptr, second = nullptr, untimed = nullptr, blocking = nullptr, unused = nullptr;
  OBSERVE("create_null", cuEventCreate(nullptr, CU_EVENT_DEFAULT));
  OBSERVE("create_null_bad_flags", cuEventCreate(nullptr, 0x80));
  OBSERVE("create_bad_flags", cuEventCreate(&event, 0x80));
  OBSERVE("create_interprocess_timed", cuEventCreate(&event, CU_EVENT_INTERPROCESS));
  OBSERVE("create", cuEventCreate(&event, CU_EVENT_DEFAULT));
  OBSERVE("create_blocking", cuEventCreate(&blocking, CU_EVENT_BLOCKING_SYNC));
  OBSERVE("create_untimed", cuEventCreate(&untimed, CU_EVENT_DISABLE_TIMING));
  SETUP(cuEventCreate(&second, CU_EVENT_DEFAULT));
  SETUP(cuEventCreate(&unused, CU_EVENT_DEFAULT));

  // Never recorded.
  float elapsed = -1;
  OBSERVE("query_unrecorded", cuEventQuery(event));
  OBSERVE("synchronise_unrecorded", cuEventSynchronize(event));
  OBSERVE("elapsed_unrecorded", cuEventElapsedTime(&elapsed, event, second));
  OBSERVE("wait_unrecorded", cuStreamWaitEvent(nullptr, event, 0));

  CUstream stream = nullptr;
  SETUP(cuStreamCreate(&stream, CU_STREAM_NON_BLOCKING));
  OBSERVE("record_null", cuEventRecord(nullptr, stream));
  OBSERVE("record", cuEventRecord(event, stream));
  OBSERVE("record_flags_default", cuEventRecordWithFlags(second, stream, CU_EVENT_RECORD_DEFAULT));
  OBSERVE("record_flags_external", cuEventRecordWithFlags(second, stream, CU_EVENT_RECORD_EXTERNAL));
  OBSERVE("record_flags_unknown", cuEventRecordWithFlags(second, stream, 2));
  OBSERVE("record_null_flags_unknown", cuEventRecordWithFlags(nullptr, stream, 2));
  OBSERVE("synchronise_null", cuEventSynchronize(nullptr));
  OBSERVE("query_null", cuEventQuery(nullptr));
  OBSERVE("synchronise", cuEventSynchronize(second));
  OBSERVE("query", cuEventQuery(second));
  OBSERVE("elapsed", cuEventElapsedTime(&elapsed, event, second));
  OBSERVE("elapsed_not_negative", elapsed >= 0);
  OBSERVE("elapsed_null", cuEventElapsedTime(nullptr, event, second));
  OBSERVE("elapsed_null_start", cuEventElapsedTime(&elapsed, nullptr, second));
  OBSERVE("elapsed_null_end", cuEventElapsedTime(&elapsed, event, nullptr));
  OBSERVE("elapsed_same", cuEventElapsedTime(&elapsed, event, event));
  OBSERVE("elapsed_same_zero", elapsed == 0);
  SETUP(cuEventRecord(untimed, stream));
  SETUP(cuStreamSynchronize(stream));
  OBSERVE("elapsed_untimed", cuEventElapsedTime(&elapsed, event, untimed));
  OBSERVE("elapsed_untimed_start", cuEventElapsedTime(&elapsed, untimed, event));
  OBSERVE("elapsed_one_unrecorded", cuEventElapsedTime(&elapsed, event, unused));
  OBSERVE("elapsed_untimed_unrecorded", cuEventElapsedTime(&elapsed, untimed, unused));

  // Pending work.
  {
    Gate gate;
    gate.block(stream);
    SETUP(cuEventRecord(event, stream));
    OBSERVE("query_pending", cuEventQuery(event));
    OBSERVE("elapsed_pending", cuEventElapsedTime(&elapsed, second, event));
    OBSERVE("elapsed_pending_untimed", cuEventElapsedTime(&elapsed, untimed, event));
    OBSERVE("destroy_pending", cuEventDestroy(event));
    gate.open();
  }
  OBSERVE("stream_after", cuStreamSynchronize(stream));
  OBSERVE("wait_flags_unknown", cuStreamWaitEvent(stream, second, 4));
  OBSERVE("wait_external", cuStreamWaitEvent(stream, second, CU_EVENT_WAIT_EXTERNAL));
  OBSERVE("wait_null", cuStreamWaitEvent(stream, nullptr, 0));
  OBSERVE("wait_null_flags_unknown", cuStreamWaitEvent(stream, nullptr, 4));
  OBSERVE("destroy_null", cuEventDestroy(nullptr));
  OBSERVE("destroy", cuEventDestroy(second));
  OBSERVE("last", cuCtxSynchronize());
}
