// Creating events: flags and misuse.
#include "../../framework/observe.h"

CONFORMANCE_CASE("event.creation");

int main() {
  cudaEvent_t event = nullptr;
  OBSERVE("create", cudaEventCreate(&event));
  OBSERVE("destroy", cudaEventDestroy(event));
  OBSERVE("create_null", cudaEventCreate(nullptr));
  OBSERVE("blocking_sync", cudaEventCreateWithFlags(&event, cudaEventBlockingSync));
  OBSERVE("disable_timing", cudaEventCreateWithFlags(&event, cudaEventDisableTiming));
  OBSERVE("unknown_flags", cudaEventCreateWithFlags(&event, 0x100));
  OBSERVE("interprocess_with_timing", cudaEventCreateWithFlags(&event, cudaEventInterprocess));
  OBSERVE("record_null", cudaEventRecord(nullptr, nullptr));
  OBSERVE("query_null", cudaEventQuery(nullptr));
  OBSERVE("synchronise_null", cudaEventSynchronize(nullptr));
  OBSERVE("wait_null", cudaStreamWaitEvent(nullptr, nullptr, 0));
  OBSERVE("destroy_null", cudaEventDestroy(nullptr));
  cudaGetLastError();
  SETUP(cudaEventCreate(&event));
  SETUP(cudaEventRecord(event, nullptr));
  OBSERVE("wait_unknown_flags", cudaStreamWaitEvent(nullptr, event, 0x80));
}
