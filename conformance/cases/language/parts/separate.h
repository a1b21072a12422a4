// What the two sources of language.separate_compilation know of each other.
#pragma once

#include <cuda_runtime.h>

using Operation = int (*)(int, int);

class Shape {
 public:
  __device__ virtual ~Shape() {}
  __device__ virtual int area() const = 0;
  __device__ virtual int sides() const { return 0; }
};

// In the case's own source:
extern __device__ int counter;
extern __constant__ int factors[4];

// In the twin:
extern __device__ int twinCounter;
extern __device__ int twinTable[4];
extern __device__ Operation twinOperation;
__device__ int addInTwin(int a, int b);
__device__ int whoIsTwin();
__device__ int sumAcrossBarrier(int value);
int readTwinCounter();
int readTwinHidden();
int countOurs(int threads);
int multiplyByOurFactors(int value);
cudaError_t makeShape(Shape** place);
const void* twinKernel();
