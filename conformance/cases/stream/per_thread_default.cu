// The per-thread default stream: a blocking stream of its own.
#include "../../framework/buffers.h"
#include "../../framework/gate.h"

CONFORMANCE_CASE("stream.per_thread_default");

int main() {
  DeviceArray<int> values(3);
  cudaStream_t busy;
  SETUP(cudaStreamCreate(&busy));
  Gate gate;
  gate.block(busy);
  storeValue<<<1, 1, 0, cudaStreamPerThread>>>(values.data(), 1);
  OBSERVE("beside_busy_stream", cudaStreamSynchronize(cudaStreamPerThread));
  storeValue<<<1, 1>>>(values.data() + 1, 2);
  storeValue<<<1, 1, 0, cudaStreamPerThread>>>(values.data() + 2, 3);
  OBSERVE("waits_for_legacy_default", cudaStreamQuery(cudaStreamPerThread));
  OBSERVE("legacy_pending", cudaStreamQuery(cudaStreamLegacy));
  gate.open();
  OBSERVE("finishes", cudaStreamSynchronize(cudaStreamPerThread));
  OBSERVE("values", joined(values.read()));
}
