// CUDA code that was not ported compiles with the folder cuda_alias.
#include <cuComplex.h>
#include <cuda.h>
#include <cudaProfiler.h>
#include <cudaTypedefs.h>
#include <cuda_awbarrier.h>
#include <cuda_bf16.h>
#include <cuda_device_runtime_api.h>
#include <cuda_fp16.h>
#include <cuda_fp8.h>
#include <cuda_occupancy.h>
#include <cuda_pipeline.h>
#include <cuda_pipeline_primitives.h>
#include <cuda_profiler_api.h>
#include <cuda_runtime.h>
#include <cuda_stdint.h>
#include <cuda_surface_types.h>
#include <cuda_texture_types.h>

#include <cstdio>
#include <cuda/barrier>
#include <cuda/pipeline>
#include <nvfunctional>

texture<float, 1, cudaReadModeElementType> numbers;

__global__ void all(float* out) {
  __shared__ cuda::barrier<cuda::thread_scope_block> barrier;
  if (threadIdx.x == 0) init(&barrier, blockDim.x);
  __syncthreads();
  barrier.arrive_and_wait();
  if (threadIdx.x != 0) return;
  const nvstd::function<float(float)> half = [](float x) { return x / 2; };
  out[0] = half(tex1Dfetch(numbers, 3));
  out[1] = cuCabsf(cuCmulf(make_cuFloatComplex(3, 4), make_cuComplex(0, 1)));
  const __nv_bfloat16 b = __float2bfloat16(1.5f);
  const __nv_fp8_e4m3 e(2.0f);
  out[2] = __bfloat162float(b) + float(e) + __half2float(__float2half(0.5f));
  nvcuda::experimental::pipeline pipe;
  pipe.commit_and_wait();
}

int main() {
  float *in = nullptr, *out = nullptr;
  if (cudaMallocManaged(&in, 8 * sizeof(float)) != cudaSuccess) return 1;
  if (cudaMallocManaged(&out, 3 * sizeof(float)) != cudaSuccess) return 1;
  for (int i = 0; i < 8; ++i) in[i] = static_cast<float>(i);
  if (cudaBindTexture(nullptr, numbers, in, 8 * sizeof(float)) != cudaSuccess) return 1;
  all<<<1, 32>>>(out);
  if (cudaDeviceSynchronize() != cudaSuccess || cudaUnbindTexture(numbers) != cudaSuccess) return 1;
  const cudaExtent extent = make_cudaExtent(4 * sizeof(float), 2, 1);
  const cudaPitchedPtr rows = make_cudaPitchedPtr(in, extent.width, extent.width, extent.height);
  const cudaPos origin = make_cudaPos(0, 0, 0);
  if (cudaMemset3D(rows, 0, extent) != cudaSuccess || in[7] != 0 || origin.x != 0) return 1;
  PFN_cuDriverGetVersion version = cuDriverGetVersion;
  int number = 0;
  const cudaDataType type = CUDA_R_16F;
  cudaDeviceProp properties;
  cudaFuncAttributes attributes;
  if (cudaGetDeviceProperties(&properties, 0) != cudaSuccess) return 1;
  if (cudaFuncGetAttributes(&attributes, all) != cudaSuccess) return 1;
  const cudaOccDeviceProp device = properties;
  const cudaOccFuncAttributes kernel = attributes;
  const cudaOccDeviceState state;
  cudaOccResult occupancy;
  if (cudaOccMaxActiveBlocksPerMultiprocessor(&occupancy, &device, &kernel, &state, 32, 0) !=
      CUDA_OCC_SUCCESS)
    return 1;
  if (occupancy.activeBlocksPerMultiprocessor <= 0) return 1;
  const bool right =
      out[0] == 1.5f && out[1] == 5.0f && out[2] == 4.0f && version(&number) == CUDA_SUCCESS && type == 2;
  std::puts(right ? "passed" : "wrong");
  return right ? 0 : 1;
}
