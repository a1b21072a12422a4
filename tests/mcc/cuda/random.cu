// cuRAND's two interfaces in a program that is not ported: what kernels and the library make of one sequence is the same.
#include <cuda_runtime.h>
#include <curand.h>
#include <curand_kernel.h>

#include <cstdio>
#include <vector>

__global__ void draw(float* uniform, unsigned int* words, unsigned long long seed) {
  const int thread = blockIdx.x * blockDim.x + threadIdx.x;
  curandStatePhilox4_32_10_t philox;
  curand_init(seed, thread, 0, &philox);
  reinterpret_cast<float4*>(uniform)[thread] = curand_uniform4(&philox);
  curandState xorwow;
  curand_init(seed, thread, 0, &xorwow);
  words[thread] = curand(&xorwow);
}

int main() {
  constexpr int kThreads = 4096;
  constexpr unsigned long long kSeed = 1234;
  float *uniform = nullptr, *theirs = nullptr;
  unsigned int *words = nullptr, *others = nullptr;
  cudaMalloc(&uniform, 4 * kThreads * sizeof(float));
  cudaMalloc(&theirs, 4 * kThreads * sizeof(float));
  cudaMalloc(&words, kThreads * sizeof(unsigned int));
  cudaMalloc(&others, kThreads * sizeof(unsigned int));
  draw<<<kThreads / 128, 128>>>(uniform, words, kSeed);

  curandGenerator_t philox, xorwow;
  int failures = curandCreateGenerator(&philox, CURAND_RNG_PSEUDO_PHILOX4_32_10) != CURAND_STATUS_SUCCESS;
  failures += curandCreateGenerator(&xorwow, CURAND_RNG_PSEUDO_DEFAULT) != CURAND_STATUS_SUCCESS;
  failures += curandSetPseudoRandomGeneratorSeed(philox, kSeed) != CURAND_STATUS_SUCCESS;
  failures += curandSetPseudoRandomGeneratorSeed(xorwow, kSeed) != CURAND_STATUS_SUCCESS;
  failures += curandGenerateUniform(philox, theirs, 4 * kThreads) != CURAND_STATUS_SUCCESS;
  failures += curandGenerate(xorwow, others, kThreads) != CURAND_STATUS_SUCCESS;

  std::vector<float> a(4 * kThreads), b(4 * kThreads);
  std::vector<unsigned int> c(kThreads), d(kThreads);
  cudaMemcpy(a.data(), uniform, a.size() * sizeof(float), cudaMemcpyDeviceToHost);
  cudaMemcpy(b.data(), theirs, b.size() * sizeof(float), cudaMemcpyDeviceToHost);
  cudaMemcpy(c.data(), words, c.size() * sizeof(unsigned int), cudaMemcpyDeviceToHost);
  cudaMemcpy(d.data(), others, d.size() * sizeof(unsigned int), cudaMemcpyDeviceToHost);
  if (a != b || c != d) ++failures, std::printf("kernels and library differ\n");
  curandDestroyGenerator(philox);
  curandDestroyGenerator(xorwow);
  return failures != 0 || cudaGetLastError() != cudaSuccess;
}
