// Events seen by the host: flags of records and waits, several streams, use in waits.
#include "../../framework/gate.h"

CONFORMANCE_CASE("event.host_view");

int main() {
  cudaStream_t stream;
  cudaStream_t other;
  SETUP(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking));
  SETUP(cudaStreamCreateWithFlags(&other, cudaStreamNonBlocking));
  cudaEvent_t event;
  cudaEvent_t second;
  OBSERVE("create_all_flags",
          cudaEventCreateWithFlags(&event, cudaEventBlockingSync | cudaEventDisableTiming));
  SETUP(cudaEventCreate(&second));
  OBSERVE("record_default", cudaEventRecordWithFlags(event, stream, cudaEventRecordDefault));
  OBSERVE("record_external_outside", cudaEventRecordWithFlags(event, stream, cudaEventRecordExternal));
  OBSERVE("record_unknown_flags", cudaEventRecordWithFlags(event, stream, 0x40));
  OBSERVE("wait_external_outside", cudaStreamWaitEvent(other, event, cudaEventWaitExternal));
  OBSERVE("wait_never_recorded", cudaStreamWaitEvent(other, second, 0));
  OBSERVE("not_blocked", cudaStreamSynchronize(other));
  cudaGetLastError();
  Gate gate;
  gate.block(stream);
  SETUP(cudaEventRecord(event, stream));
  OBSERVE("query_pending", cudaEventQuery(event));
  OBSERVE("not_ready_is_no_last_error", cudaPeekAtLastError());
  SETUP(cudaStreamWaitEvent(other, event, 0));
  SETUP(cudaEventRecord(second, other));
  OBSERVE("query_behind", cudaEventQuery(second));
  OBSERVE("wait_for_itself", cudaStreamWaitEvent(stream, event, 0));
  gate.open();
  OBSERVE("synchronise_behind", cudaEventSynchronize(second));
  OBSERVE("query_done", cudaEventQuery(event));
  float ms = 1.0f;
  OBSERVE("elapsed_untimed_first", cudaEventElapsedTime(&ms, event, second));
  OBSERVE("elapsed_untimed_second", cudaEventElapsedTime(&ms, second, event));
  cudaGetLastError();
  OBSERVE("record_legacy", cudaEventRecord(second, nullptr));
  OBSERVE("record_per_thread", cudaEventRecord(second, cudaStreamPerThread));
  OBSERVE("synchronise", cudaEventSynchronize(second));
  OBSERVE("destroy", cudaEventDestroy(second));
}
