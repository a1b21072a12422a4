// A file of the host's compiler's with headers of Thrust's device system, by CUDA's paths.
#include <cuda_runtime_api.h>
#include <thrust/detail/execution_policy.h>
#include <thrust/system/cuda/detail/util.h>
#include <thrust/system/cuda/execution_policy.h>

cudaStream_t streamOf(cudaStream_t stream) {
  auto policy = thrust::cuda::par.on(stream);
  return thrust::cuda_cub::stream(policy);
}
