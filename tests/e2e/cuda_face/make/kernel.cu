#include <cuda_runtime.h>

#if CUDA_MAJOR < 12
#error "nvcc has told another version"
#endif

__global__ void set(int* value) { *value = 7; }

void launch(int* value, cudaStream_t stream) { set<<<1, 1, 0, stream>>>(value); }
