// Threads that wait in a recursive function need stacks of their own: a warning of the pass for the device, behind
// clang.
__device__ int recursive(int* shared, int x, int depth) {
  if (depth == 0) return x;
  shared[threadIdx.x] = x;
  __syncthreads();
  const int other = shared[threadIdx.x ^ 1];
  return recursive(shared, other, depth - 1) * 7 + recursive(shared, x, depth / 2 - 1);
}
__global__ void callsRecursive(int* out, int depth) {
  __shared__ int shared[64];
  out[threadIdx.x] = recursive(shared, out[threadIdx.x], depth);
}
