// The legacy default stream waits for blocking streams and they for it;
// non-blocking streams go their own way.
#include "../../framework/buffers.h"
#include "../../framework/gate.h"

CONFORMANCE_CASE("stream.legacy_default");

int main() {
  DeviceArray<int> values(4);
  cudaStream_t busy;
  cudaStream_t blocking;
  cudaStream_t nonBlocking;
  SETUP(cudaStreamCreate(&busy));
  SETUP(cudaStreamCreate(&blocking));
  SETUP(cudaStreamCreateWithFlags(&nonBlocking, cudaStreamNonBlocking));
  Gate gate;

  gate.block(busy);
  storeValue<<<1, 1, 0, blocking>>>(values.data(), 1);
  OBSERVE("blocking_stream_beside_busy_one", cudaStreamSynchronize(blocking));
  storeValue<<<1, 1>>>(values.data() + 1, 2);
  storeValue<<<1, 1, 0, blocking>>>(values.data() + 2, 3);
  storeValue<<<1, 1, 0, nonBlocking>>>(values.data() + 3, 4);
  OBSERVE("non_blocking_finishes", cudaStreamSynchronize(nonBlocking));
  OBSERVE("default_waits_for_busy", cudaStreamQuery(nullptr));
  OBSERVE("blocking_waits_for_default", cudaStreamQuery(blocking));
  gate.open();
  OBSERVE("default_finishes", cudaStreamSynchronize(nullptr));
  OBSERVE("blocking_finishes", cudaStreamSynchronize(blocking));
  OBSERVE("values", joined(values.read()));
}
