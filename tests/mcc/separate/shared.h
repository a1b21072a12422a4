// What the files of the program share.
#pragma once

#include <musa_runtime.h>

#include <cstdio>
#include <cstdlib>

#define CHECK(call)                                                               \
  do {                                                                            \
    const musaError_t status = (call);                                            \
    if (status != musaSuccess) {                                                  \
      std::printf("%s:%d: %s\n", __FILE__, __LINE__, musaGetErrorString(status)); \
      std::exit(1);                                                               \
    }                                                                             \
  } while (0)

#define EXPECT(have, want)                                                           \
  do {                                                                               \
    const long long a = (have), b = (want);                                          \
    if (a != b) {                                                                    \
      std::printf("%s:%d: %s is %lld, not %lld\n", __FILE__, __LINE__, #have, a, b); \
      std::exit(1);                                                                  \
    }                                                                                \
  } while (0)

struct Shape {
  __device__ virtual int area() const = 0;
  __device__ virtual ~Shape() {}
};
struct Box : Shape {
  __device__ Box(int a, int b) : a(a), b(b) {}
  __device__ int area() const override;  // waits.mu
  int a, b;
};

// waits.mu: threads wait for each other in them.
__device__ int blockSum(int value);
__device__ int warpSum(int value);
__device__ int recursiveSum(int depth, int value);
using Step = int (*)(int);
extern __device__ Step steps[2];

// state.mu
extern __device__ int counter;
extern __constant__ int factors[4];
extern __managed__ int managedTotal;
__global__ void addToCounter(int by);
void setFactors(const int* values);
int readCounter();
int readHidden();

template <typename T>
__device__ T squared(T value) {
  return value * value;
}

// Instantiated in several files.
template <typename T>
__global__ void squareAll(T* values, int count) {
  __shared__ T tile[64];
  const int i = static_cast<int>(threadIdx.x);
  tile[i] = i < count ? squared(values[i]) : T();
  __syncthreads();
  if (i < count) values[i] = tile[count - 1 - i];
}
int squaresOfState();

// library.mu: in an archive
__device__ int libraryValue(int x);
int libraryHost();
// plain.mu: compiled without -dc, with a counter of its own
int plainCounter();
