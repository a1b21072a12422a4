// Destroying an event that work waits for.
#include "../../framework/buffers.h"
#include "../../framework/gate.h"

CONFORMANCE_CASE("event.destroyed_while_pending");

int main() {
  DeviceArray<int> value(1);
  cudaEvent_t event;
  cudaStream_t busy;
  cudaStream_t waiter;
  SETUP(cudaEventCreate(&event));
  SETUP(cudaStreamCreateWithFlags(&busy, cudaStreamNonBlocking));
  SETUP(cudaStreamCreateWithFlags(&waiter, cudaStreamNonBlocking));
  Gate gate;
  gate.block(busy);
  SETUP(cudaEventRecord(event, busy));
  SETUP(cudaStreamWaitEvent(waiter, event, 0));
  storeValue<<<1, 1, 0, waiter>>>(value.data(), 12);
  OBSERVE("destroy", cudaEventDestroy(event));
  OBSERVE("waiter_still_waits", cudaStreamQuery(waiter));
  gate.open();
  OBSERVE("waiter_finishes", cudaStreamSynchronize(waiter));
  OBSERVE("value", value.read()[0]);
}
