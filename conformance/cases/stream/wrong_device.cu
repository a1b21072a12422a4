// Streams and events used while another device is current.
// requires: devices>=2
#include "../../framework/buffers.h"
#include "../../framework/gate.h"

CONFORMANCE_CASE("stream.wrong_device");

int main() {
  DeviceArray<int> value(1);
  cudaStream_t onZero;
  cudaEvent_t eventOnZero;
  SETUP(cudaStreamCreate(&onZero));
  SETUP(cudaEventCreate(&eventOnZero));

  SETUP(cudaSetDevice(1));
  cudaStream_t onOne;
  SETUP(cudaStreamCreate(&onOne));
  storeValue<<<1, 1, 0, onZero>>>(value.data(), 1);
  OBSERVE("launch", cudaGetLastError());
  cudaError_t query = cudaErrorNotReady;  // the kernel may still run
  while (query == cudaErrorNotReady) query = cudaStreamQuery(onZero);
  OBSERVE("query", query);
  OBSERVE("synchronise", cudaStreamSynchronize(onZero));
  OBSERVE("copy", cudaMemsetAsync(value.data(), 3, sizeof(int), onZero));
  OBSERVE("record_event_of_other_device", cudaEventRecord(eventOnZero, onOne));
  OBSERVE("record_on_other_device", cudaEventRecord(eventOnZero, onZero));
  OBSERVE("wait_for_other_device", cudaStreamWaitEvent(onOne, eventOnZero, 0));
  OBSERVE("synchronise_waiter", cudaStreamSynchronize(onOne));
  OBSERVE("free_of_other_device", cudaFree(nullptr));
  int current = -1;
  SETUP(cudaGetDevice(&current));
  OBSERVE("current_unchanged", current);
  OBSERVE("destroy_of_other_device", cudaStreamDestroy(onZero));
}
