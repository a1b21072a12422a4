// Every launch is of clusters of one block; larger ones are refused.
#include <cooperative_groups.h>

#include <cstdio>

namespace cg = cooperative_groups;

__global__ void alone(int* out) {
  __shared__ int values[64];
  const cg::cluster_group cluster = cg::this_cluster();
  values[threadIdx.x] = static_cast<int>(threadIdx.x) * 3;
  cluster.sync();
  const int* other = cluster.map_shared_rank(values, 0);
  out[threadIdx.x] =
      other[63 - cluster.thread_rank()] + static_cast<int>(cluster.num_blocks() + cluster.block_rank());
}

int main() {
  int* out;
  cudaMallocManaged(&out, 64 * sizeof(int));
  cudaLaunchConfig_t config = {};
  config.gridDim = 2;
  config.blockDim = 64;
  cudaLaunchAttribute attribute = {};
  attribute.id = cudaLaunchAttributeClusterDimension;
  attribute.val.clusterDim.x = 2;
  attribute.val.clusterDim.y = attribute.val.clusterDim.z = 1;
  config.attrs = &attribute;
  config.numAttrs = 1;
  bool good = cudaLaunchKernelEx(&config, alone, out) == cudaErrorNotSupported;
  (void)cudaGetLastError();
  attribute.val.clusterDim.x = 1;
  good = good && cudaLaunchKernelEx(&config, alone, out) == cudaSuccess &&
         cudaDeviceSynchronize() == cudaSuccess;
  for (int i = 0; i < 64; ++i) good = good && out[i] == (63 - i) * 3 + 1;
  puts(good ? "passed" : "failed");
  return good ? 0 : 1;
}
