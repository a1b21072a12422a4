// Destroying a busy stream neither waits nor drops its work.
#include "../../framework/buffers.h"
#include "../../framework/gate.h"

CONFORMANCE_CASE("stream.destroy_pending");

int main() {
  DeviceArray<int> value(1);
  cudaStream_t stream;
  SETUP(cudaStreamCreate(&stream));
  Gate gate;
  gate.block(stream);
  storeValue<<<1, 1, 0, stream>>>(value.data(), 77);
  OBSERVE("destroy", cudaStreamDestroy(stream));
  gate.open();
  OBSERVE("device_synchronise", cudaDeviceSynchronize());
  OBSERVE("work_was_done", value.read()[0]);
}
