// Copies between devices, with and without access.
// requires: devices>=2
#include "../../framework/buffers.h"

CONFORMANCE_CASE("peer.copies");

__global__ void addFromPeer(int* own, const int* peer, int count) {
  const int i = static_cast<int>(threadIdx.x);
  if (i < count) own[i] += peer[i];
}

int main() {
  const std::vector<int> source = {3, 1, 4, 1, 5, 9, 2, 6};
  const size_t bytes = source.size() * sizeof(int);
  SETUP(cudaSetDevice(1));
  DeviceArray<int> onOne(8);
  SETUP(cudaSetDevice(0));
  DeviceArray<int> onZero(source);

  OBSERVE("peer", cudaMemcpyPeer(onOne.data(), 1, onZero.data(), 0, bytes));
  std::vector<int> read(8);
  OBSERVE("read_other_device", cudaMemcpy(read.data(), onOne.data(), bytes, cudaMemcpyDeviceToHost));
  OBSERVE("peer_values", joined(read));
  OBSERVE("fill_other_device", cudaMemset(onOne.data(), 0, bytes));
  cudaGetLastError();
  SETUP(cudaSetDevice(1));
  SETUP(cudaMemset(onOne.data(), 0, bytes));
  SETUP(cudaDeviceSynchronize());
  SETUP(cudaSetDevice(0));
  OBSERVE("default", cudaMemcpy(onOne.data(), onZero.data(), bytes, cudaMemcpyDefault));
  OBSERVE("device_to_device",
          cudaMemcpy(onOne.data() + 4, onZero.data(), bytes / 2, cudaMemcpyDeviceToDevice));
  SETUP(cudaMemcpy(read.data(), onOne.data(), bytes, cudaMemcpyDeviceToHost));
  OBSERVE("values", joined(read));

  OBSERVE("async", cudaMemcpyPeerAsync(onZero.data(), 0, onOne.data(), 1, bytes, nullptr));
  OBSERVE("async_values", joined(onZero.read()));
  OBSERVE("bad_device", cudaMemcpyPeer(onOne.data(), 99, onZero.data(), 0, bytes));
  OBSERVE("negative_device", cudaMemcpyPeer(onOne.data(), -1, onZero.data(), 0, bytes));
  OBSERVE("zero_bytes", cudaMemcpyPeer(onOne.data(), 1, onZero.data(), 0, 0));
  OBSERVE("null", cudaMemcpyPeer(nullptr, 1, onZero.data(), 0, bytes));
  OBSERVE("same_device", cudaMemcpyPeer(onZero.data() + 4, 0, onZero.data(), 0, bytes / 2));
  cudaGetLastError();

  SETUP(cudaDeviceEnablePeerAccess(1, 0));
  OBSERVE("fill_with_access", cudaMemset(onOne.data(), 1, bytes));
  cudaGetLastError();
  addFromPeer<<<1, 8>>>(onZero.data(), onOne.data(), 8);
  OBSERVE("kernel_reads_peer", joined(onZero.read()));
}
