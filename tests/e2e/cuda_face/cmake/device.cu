__device__ int plusTwo(int value) { return value + 2; }
