// error: no setter defined for property 'x'
__global__ void kernel() { threadIdx.x = 1; }
