// Two kernels for a debugger to stop in; see run_gdb.py.
__global__ void plain(int* data, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  int value = data[i] + 1;
  if (i < n) data[i] = value * 2;  // PLAIN
}

__global__ void withBarrier(int* data) {
  __shared__ int tile[64];
  int i = threadIdx.x;
  tile[i] = i * 10;
  __syncthreads();
  int other = tile[63 - i];
  data[i] = other;  // BARRIER
}

int main() {
  int* data;
  musaMalloc(&data, 64 * sizeof(int));
  musaMemset(data, 0, 64 * sizeof(int));
  plain<<<2, 32>>>(data, 64);
  withBarrier<<<1, 64>>>(data);
  return musaDeviceSynchronize() == musaSuccess ? 0 : 1;
}
