#include <cuda_runtime.h>
#include <nccl.h>

#include <cstdio>

int main() {
  ncclComm_t comms[2];
  cudaStream_t streams[2];
  float *values[2], host[2][4] = {{1, 2, 3, 4}, {10, 20, 30, 40}};
  if (ncclCommInitAll(comms, 2, nullptr) != ncclSuccess) return 1;
  for (int i = 0; i < 2; ++i) {
    cudaSetDevice(i);
    cudaStreamCreate(&streams[i]);
    cudaMalloc(&values[i], sizeof host[i]);
    cudaMemcpy(values[i], host[i], sizeof host[i], cudaMemcpyHostToDevice);
  }
  ncclGroupStart();
  for (int i = 0; i < 2; ++i) ncclAllReduce(values[i], values[i], 4, ncclFloat, ncclSum, comms[i], streams[i]);
  ncclGroupEnd();
  int wrong = 0;
  for (int i = 0; i < 2; ++i) {
    cudaSetDevice(i);
    cudaStreamSynchronize(streams[i]);
    cudaMemcpy(host[i], values[i], sizeof host[i], cudaMemcpyDeviceToHost);
    for (int k = 0; k < 4; ++k) wrong += host[i][k] != 11.0f * (k + 1);
    ncclCommDestroy(comms[i]);
  }
  std::printf("%d wrong\n", wrong);
}
