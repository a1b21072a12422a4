// Asynchronous copies: what waits, what is read when.
#include "../../framework/buffers.h"
#include "../../framework/gate.h"

CONFORMANCE_CASE("memory.async_copies");

__device__ int symbol[4];

int main() {
  cudaStream_t stream;
  SETUP(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking));
  DeviceArray<int> device(4);
  int* pinned = nullptr;
  SETUP(cudaMallocHost(reinterpret_cast<void**>(&pinned), 4 * sizeof(int)));
  for (int i = 0; i < 4; ++i) pinned[i] = i + 1;

  // Pinned memory is read when the copy's turn comes, not when it is queued.
  Gate gate;
  gate.block(stream);
  SETUP(cudaMemcpyAsync(device.data(), pinned, 4 * sizeof(int), cudaMemcpyHostToDevice, stream));
  pinned[0] = 100;
  OBSERVE("pinned_waits", cudaStreamQuery(stream));
  gate.open();
  SETUP(cudaStreamSynchronize(stream));
  OBSERVE("pinned_read_late", joined(device.read()));

  // Pageable memory may be changed as soon as the call is back.
  int pageable[4] = {5, 6, 7, 8};
  SETUP(cudaMemcpyAsync(device.data(), pageable, sizeof pageable, cudaMemcpyHostToDevice, stream));
  pageable[0] = 100;
  SETUP(cudaStreamSynchronize(stream));
  OBSERVE("pageable_read_early", joined(device.read()));

  OBSERVE("to_symbol", cudaMemcpyToSymbolAsync(symbol, pinned, 2 * sizeof(int), sizeof(int),
                                               cudaMemcpyHostToDevice, stream));
  OBSERVE("from_symbol",
          cudaMemcpyFromSymbolAsync(pinned, symbol, 4 * sizeof(int), 0, cudaMemcpyDeviceToHost, stream));
  SETUP(cudaStreamSynchronize(stream));
  OBSERVE("symbol_values", joined(std::vector<int>(pinned, pinned + 4)));
  OBSERVE("rectangle", cudaMemcpy2DAsync(pinned, 8, device.data(), 8, 4, 2, cudaMemcpyDeviceToHost, stream));
  SETUP(cudaStreamSynchronize(stream));
  OBSERVE("rectangle_values", joined(std::vector<int>(pinned, pinned + 4)));
  OBSERVE("kind_unknown", cudaMemcpyAsync(device.data(), pinned, 4, static_cast<cudaMemcpyKind>(77), stream));
  OBSERVE("null", cudaMemcpyAsync(nullptr, pinned, 4, cudaMemcpyHostToDevice, stream));
  OBSERVE("zero_bytes", cudaMemcpyAsync(device.data(), pinned, 0, cudaMemcpyHostToDevice, stream));
}
