// cub::DeviceScan of ten million integers: its blocks wait by votes for those before them. repeat.py runs it often.
#include <thrust/device_vector.h>
#include <thrust/fill.h>

#include <cstdio>
#include <cub/device/device_scan.cuh>
#include <vector>

int main() {
  const int n = 10'000'000;
  thrust::device_vector<int> in(n), out(n);
  thrust::fill(in.begin(), in.end(), 1);
  std::size_t bytes = 0;
  cub::DeviceScan::InclusiveSum(nullptr, bytes, in.data(), out.data(), n);
  thrust::device_vector<char> room(bytes);
  const cudaError_t error =
      cub::DeviceScan::InclusiveSum(thrust::raw_pointer_cast(room.data()), bytes, in.data(), out.data(), n);
  if (error != cudaSuccess || cudaDeviceSynchronize() != cudaSuccess) return 2;
  std::vector<int> host(n);
  if (cudaMemcpy(host.data(), thrust::raw_pointer_cast(out.data()), n * sizeof(int), cudaMemcpyDeviceToHost) != cudaSuccess)
    return 3;
  for (int i = 0; i < n; ++i)
    if (host[i] != i + 1) return 4;
  std::puts("right");
}
