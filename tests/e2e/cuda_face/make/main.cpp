#include <cuda_runtime.h>
#include <nccl.h>

#include <cstdio>

void launch(int* value, cudaStream_t stream);

int main() {
  int *value = nullptr, device = 0;
  ncclComm_t comm = nullptr;
  cudaStream_t stream = nullptr;
  if (cudaMalloc(reinterpret_cast<void**>(&value), sizeof(int)) != cudaSuccess) return 2;
  if (cudaStreamCreate(&stream) != cudaSuccess) return 3;
  if (ncclCommInitAll(&comm, 1, &device) != ncclSuccess) return 4;
  launch(value, stream);
  if (ncclAllReduce(value, value, 1, ncclInt, ncclSum, comm, stream) != ncclSuccess) return 5;
  int result = 0;
  cudaMemcpyAsync(&result, value, sizeof result, cudaMemcpyDeviceToHost, stream);
  if (cudaStreamSynchronize(stream) != cudaSuccess) return 6;
  ncclCommDestroy(comm);
  std::printf("%d wrong\n", result != 7);
  return result != 7;
}
