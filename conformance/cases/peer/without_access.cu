// A kernel that reads a peer's memory without having asked for access.
// requires: devices>=2
#include "../../framework/buffers.h"

CONFORMANCE_CASE("peer.without_access");

__global__ void read(const int* peer, int* out) { *out = *peer; }

int main() {
  SETUP(cudaSetDevice(1));
  int* onOne = nullptr;
  SETUP(cudaMalloc(reinterpret_cast<void**>(&onOne), 1 << 20));
  SETUP(cudaSetDevice(0));
  int* out = nullptr;
  SETUP(cudaMalloc(reinterpret_cast<void**>(&out), sizeof(int)));
  read<<<1, 1>>>(onOne, out);
  OBSERVE("launch", cudaGetLastError());
  OBSERVE("synchronise", cudaDeviceSynchronize());
  OBSERVE("later_call", cudaMalloc(reinterpret_cast<void**>(&out), 16));
  SETUP(cudaSetDevice(1));
  OBSERVE("peer_device_works", cudaDeviceSynchronize());
}
