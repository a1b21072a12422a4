// error: cannot pass non-trivial object of type
__global__ void kernel() { printf("%d", warpSize); }
