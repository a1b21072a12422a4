// An event that was never recorded counts as done.
#include "../../framework/buffers.h"
#include "../../framework/gate.h"

CONFORMANCE_CASE("event.unrecorded");

int main() {
  DeviceArray<int> value(1);
  cudaEvent_t event;
  cudaStream_t stream;
  SETUP(cudaEventCreate(&event));
  SETUP(cudaStreamCreate(&stream));
  OBSERVE("query", cudaEventQuery(event));
  OBSERVE("synchronise", cudaEventSynchronize(event));
  OBSERVE("wait", cudaStreamWaitEvent(stream, event, 0));
  storeValue<<<1, 1, 0, stream>>>(value.data(), 6);
  OBSERVE("stream_goes_on", cudaStreamSynchronize(stream));
  OBSERVE("value", value.read()[0]);
}
