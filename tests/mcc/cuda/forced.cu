// All that it needs comes from `-include forced.h -include cuda_fp16.h -include stdio.h`.
__global__ void halves(__half* out) { out[threadIdx.x] = __float2half(doubled(threadIdx.x)); }

int main() {
  __half* out;
  if (cudaMallocManaged(&out, 32 * sizeof *out) != cudaSuccess) return 1;
  halves<<<1, 32>>>(out);
  if (finish() != cudaSuccess || __half2float(out[31]) != 62) return 1;
  printf("passed\n");
}
