// Two spinning streams on one device do not keep a third from finishing.
#include "../../framework/buffers.h"
#include "../../framework/gate.h"

CONFORMANCE_CASE("stream.independence");

int main() {
  DeviceArray<int> values(3);
  cudaStream_t streams[3];
  for (cudaStream_t& stream : streams) SETUP(cudaStreamCreate(&stream));
  Gate one;
  Gate two;
  one.block(streams[0]);
  two.block(streams[1]);
  storeValue<<<1, 1, 0, streams[0]>>>(values.data(), 1);
  storeValue<<<1, 1, 0, streams[1]>>>(values.data() + 1, 2);
  storeValue<<<1, 1, 0, streams[2]>>>(values.data() + 2, 3);
  OBSERVE("third_finishes", cudaStreamSynchronize(streams[2]));
  OBSERVE("first_spins", cudaStreamQuery(streams[0]));
  OBSERVE("second_spins", cudaStreamQuery(streams[1]));
  two.open();
  OBSERVE("second_finishes", cudaStreamSynchronize(streams[1]));
  OBSERVE("first_still_spins", cudaStreamQuery(streams[0]));
  one.open();
  OBSERVE("first_finishes", cudaStreamSynchronize(streams[0]));
  OBSERVE("values", joined(values.read()));
}
