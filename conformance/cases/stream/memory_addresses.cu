// Addresses that writes of streams refuse.
// links: driver
#include "../../framework/buffers.h"
#include "../../framework/observe_driver.h"

CONFORMANCE_CASE("stream.memory_addresses");

int main() {
  DeviceArray<unsigned> words(4);
  cudaStream_t stream;
  SETUP(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking));
  const CUdeviceptr word = reinterpret_cast<CUdeviceptr>(words.data());
  unsigned onHost = 0;
  OBSERVE("null_address", cuStreamWriteValue32(stream, 0, 1, 0));
  OBSERVE("misaligned", cuStreamWriteValue32(stream, word + 1, 1, 0));
  OBSERVE("misaligned_64", cuStreamWriteValue64(stream, word + 4, 1, 0));
  OBSERVE("host_memory", cuStreamWriteValue32(stream, reinterpret_cast<CUdeviceptr>(&onHost), 1, 0));
}
