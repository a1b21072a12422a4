// Which kernels run a fiber per thread, and why: -Wmusa-fibers names those and no others.
// run_warnings.py reads the words after "expect:".

__device__ __noinline__ int apart(int* shared, int x) {
  shared[threadIdx.x] = x;
  __syncthreads();
  return shared[threadIdx.x ^ 1];
}
__device__ __noinline__ int shuffledApart(int x) { return __shfl_xor_sync(0xffffffffu, x, 1, 32); }
__device__ int recursive(int* shared, int x, int depth) {
  if (depth == 0) return x;
  const int below = recursive(shared, apart(shared, x), depth - 1);
  return below * 7 + recursive(shared, below, depth / 2 - 1);
}
typedef int (*Function)(int*, int);
__device__ int other(int* shared, int x) { return apart(shared, x) * shared[0]; }
__device__ Function functions[2] = {apart, other};
__device__ __noinline__ int noWait(int x) { return x * 3; }
__device__ int noWaitRecursive(int x) { return x < 2 ? x : noWaitRecursive(x - 1) + noWaitRecursive(x - 2); }

__global__ void plain(int* out) { out[threadIdx.x] = noWait(out[threadIdx.x]) + noWaitRecursive(5); }
__global__ void barrierItself(int* out) {
  __shared__ int shared[64];
  shared[threadIdx.x] = noWaitRecursive(out[threadIdx.x]);
  __syncthreads();
  out[threadIdx.x] = shared[noWait(threadIdx.x) % 64];
}
__global__ void warpItself(int* out) {
  out[threadIdx.x] += __shfl_down_sync(0xffffffffu, out[threadIdx.x], 1, 32);
}
__global__ void callsApart(int* out) {
  __shared__ int shared[64];
  out[threadIdx.x] = shuffledApart(apart(shared, out[threadIdx.x]));
}
__global__ void callsRecursive(int* out, int depth) {  // expect: recursive
  __shared__ int shared[64];
  out[threadIdx.x] = recursive(shared, out[threadIdx.x], depth);
}
__global__ void callsByPointer(int* out, int which) {  // expect: threads wait for each other
  __shared__ int shared[64];
  out[threadIdx.x] = functions[which](shared, out[threadIdx.x]);
}
// A loop of strides within another, with a modulo that the first rounds need not take.
__global__ void repeated(int4* to, const int4* from, size_t length, size_t period, size_t rounds) {
  const size_t first = blockDim.x * blockIdx.x + threadIdx.x, stride = blockDim.x * gridDim.x;
  for (size_t round = 0; round < rounds; ++round) {
    for (size_t i = first; i < length; i += stride) to[i].x = from[i % period].x;
  }
}

int main() {}
