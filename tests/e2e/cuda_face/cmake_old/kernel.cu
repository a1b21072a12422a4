#include <cuda_runtime.h>

__global__ void set(int* value) { *value = 7; }

void launch(int* value) { set<<<1, 1>>>(value); }
