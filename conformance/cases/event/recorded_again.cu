// A wait takes the record made last before it; recording again does not move it.
#include "../../framework/buffers.h"
#include "../../framework/gate.h"

CONFORMANCE_CASE("event.recorded_again");

int main() {
  DeviceArray<int> value(1);
  cudaEvent_t event;
  cudaStream_t busy;
  cudaStream_t waiter;
  cudaStream_t idle;
  SETUP(cudaEventCreate(&event));
  SETUP(cudaStreamCreateWithFlags(&busy, cudaStreamNonBlocking));
  SETUP(cudaStreamCreateWithFlags(&waiter, cudaStreamNonBlocking));
  SETUP(cudaStreamCreateWithFlags(&idle, cudaStreamNonBlocking));
  Gate gate;
  gate.block(busy);
  SETUP(cudaEventRecord(event, busy));
  SETUP(cudaStreamWaitEvent(waiter, event, 0));
  storeValue<<<1, 1, 0, waiter>>>(value.data(), 8);
  OBSERVE("record_again", cudaEventRecord(event, idle));
  OBSERVE("synchronise_new_record", cudaEventSynchronize(event));
  OBSERVE("query_new_record", cudaEventQuery(event));
  OBSERVE("waiter_keeps_old_record", cudaStreamQuery(waiter));
  OBSERVE("busy", cudaStreamQuery(busy));
  gate.open();
  OBSERVE("waiter_finishes", cudaStreamSynchronize(waiter));
  OBSERVE("value", value.read()[0]);
}
