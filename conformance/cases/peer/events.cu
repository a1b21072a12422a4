// Events between devices.
// requires: devices>=2
#include "../../framework/buffers.h"
#include "../../framework/gate.h"

CONFORMANCE_CASE("peer.events");

int main() {
  cudaStream_t streams[2];
  cudaEvent_t events[2];
  Gate gate;
  for (int device = 0; device < 2; ++device) {
    SETUP(cudaSetDevice(device));
    SETUP(cudaStreamCreate(&streams[device]));
    SETUP(cudaEventCreate(&events[device]));
  }
  SETUP(cudaSetDevice(1));
  DeviceArray<int> value(1);

  SETUP(cudaSetDevice(0));
  gate.block(streams[0]);
  SETUP(cudaEventRecord(events[0], streams[0]));
  SETUP(cudaSetDevice(1));
  OBSERVE("wait", cudaStreamWaitEvent(streams[1], events[0], 0));
  storeValue<<<1, 1, 0, streams[1]>>>(value.data(), 14);
  SETUP(cudaEventRecord(events[1], streams[1]));
  OBSERVE("waiter", cudaStreamQuery(streams[1]));
  OBSERVE("query_from_other_device", cudaEventQuery(events[0]));
  gate.open();
  OBSERVE("synchronise_waiter", cudaStreamSynchronize(streams[1]));
  OBSERVE("value", value.read()[0]);
  OBSERVE("event_done", cudaEventQuery(events[0]));
  float ms = 0.0f;
  OBSERVE("elapsed_between_devices", cudaEventElapsedTime(&ms, events[0], events[1]));
}
