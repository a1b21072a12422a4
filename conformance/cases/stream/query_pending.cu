// A busy stream says so, and that is no error.
#include "../../framework/buffers.h"
#include "../../framework/gate.h"

CONFORMANCE_CASE("stream.query_pending");

int main() {
  DeviceArray<int> value(1);
  cudaStream_t stream;
  cudaEvent_t event;
  SETUP(cudaStreamCreate(&stream));
  SETUP(cudaEventCreate(&event));
  Gate gate;
  gate.block(stream);
  storeValue<<<1, 1, 0, stream>>>(value.data(), 5);
  SETUP(cudaEventRecord(event, stream));
  OBSERVE("stream", cudaStreamQuery(stream));
  OBSERVE("event", cudaEventQuery(event));
  OBSERVE("peek_after", cudaPeekAtLastError());
  OBSERVE("last_error_after", cudaGetLastError());
  gate.open();
  OBSERVE("synchronise", cudaStreamSynchronize(stream));
  OBSERVE("stream_after", cudaStreamQuery(stream));
  OBSERVE("event_after", cudaEventQuery(event));
  OBSERVE("value", value.read()[0]);
}
