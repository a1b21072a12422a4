#include <omp.h>

#include <cstdio>
int host();
__global__ void add(int* sum) { atomicAdd(sum, 1); }
int main() {
  int* sum = nullptr;
  int threads = 0, wrong = 0;
  cudaMallocManaged(&sum, sizeof *sum);
  *sum = 0;
#pragma omp parallel num_threads(3) reduction(+ : threads)
  {
    threads += 1 + 0 * omp_get_thread_num();
    add<<<1, 4>>>(sum);
  }
  cudaDeviceSynchronize();
  wrong = (threads != 3) + (*sum != 12) + (host() != 2);
  std::printf("%d wrong\n", wrong);
  return wrong;
}
