__device__ int scale = 5;
__device__ int scaled(int x) { return scale * x; }
