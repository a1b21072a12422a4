// error: cannot use 'throw' in __global__ function
__global__ void kernel() { throw 1; }
