#include "kernels.cuh"

__device__ float scaled(float x) { return FACTOR * x; }
