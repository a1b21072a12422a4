// Lambdas, templates, recursion, virtual calls, function pointers and functions that
// are not inlined, all of which find out which thread they are.
#include "check.h"

__device__ __noinline__ unsigned globalIndex() { return blockIdx.x * blockDim.x + threadIdx.x; }

__device__ __noinline__ int fibonacci(int n) { return n < 2 ? n : fibonacci(n - 1) + fibonacci(n - 2); }

struct Shape {
  __device__ virtual float area() const = 0;
};
struct Square : Shape {
  float side;
  __device__ explicit Square(float s) : side(s) {}
  __device__ float area() const override { return side * side; }
};
struct Circle : Shape {
  float radius;
  __device__ explicit Circle(float r) : radius(r) {}
  __device__ float area() const override { return 3 * radius * radius; }
};

using Operation = int (*)(int, int);
__device__ int add(int a, int b) { return a + b; }
__device__ int multiply(int a, int b) { return a * b; }
__device__ Operation operations[2] = {add, multiply};

// Meets the others of its block inside a function that is reached by a pointer.
__device__ __noinline__ int sumOfBlock(int value) {
  __shared__ int sum;
  if (threadIdx.x == 0) sum = 0;
  __syncthreads();
  atomicAdd(&sum, value);
  __syncthreads();
  return sum;
}
using BlockOperation = int (*)(int);
__device__ BlockOperation blockOperation = sumOfBlock;

template <class F>
__global__ void apply(F f, int* out, int n) {
  const int i = static_cast<int>(globalIndex());
  if (i < n) out[i] = f(i);
}

__global__ void shapes(float* out) {
  const Square square(2);
  const Circle circle(1);
  const Shape* all[2] = {&square, &circle};
  out[threadIdx.x] = all[threadIdx.x % 2]->area();
}

__global__ void pointers(int* out) { out[threadIdx.x] = operations[threadIdx.x % 2](static_cast<int>(threadIdx.x), 5); }

__global__ void throughPointer(int* out) { out[globalIndex()] = blockOperation(static_cast<int>(threadIdx.x)); }

__global__ void threeDimensions(unsigned* out) {
  const unsigned block = blockIdx.x + gridDim.x * (blockIdx.y + gridDim.y * blockIdx.z);
  const unsigned thread = threadIdx.x + blockDim.x * (threadIdx.y + blockDim.y * threadIdx.z);
  out[block * blockDim.x * blockDim.y * blockDim.z + thread] = block * 1000 + thread;
}

int main() {
  DeviceArray<int> out(1000);
  int seen[1000];
  const int offset = 17;
  apply<<<8, 128>>>([=] __device__(int i) { return fibonacci(i % 12) + offset; }, out.get(), 1000);
  out.copyTo(seen);
  const int fib[12] = {0, 1, 1, 2, 3, 5, 8, 13, 21, 34, 55, 89};
  for (int i = 0; i < 1000; ++i) CHECK(seen[i] == fib[i % 12] + offset);

  apply<<<8, 128>>>([] __host__ __device__(int i) { return 3 * i; }, out.get(), 1000);
  out.copyTo(seen);
  for (int i = 0; i < 1000; ++i) CHECK(seen[i] == 3 * i);

  DeviceArray<float> areas(4);
  shapes<<<1, 4>>>(areas.get());
  for (int i = 0; i < 4; ++i) CHECK(areas.at(i) == (i % 2 == 0 ? 4.f : 3.f));

  pointers<<<1, 10>>>(out.get());
  out.copyTo(seen);
  for (int i = 0; i < 10; ++i) CHECK(seen[i] == (i % 2 == 0 ? i + 5 : i * 5));

  throughPointer<<<3, 64>>>(out.get());
  out.copyTo(seen);
  for (int i = 0; i < 192; ++i) CHECK(seen[i] == 63 * 64 / 2);

  DeviceArray<unsigned> indices(24 * 60);
  threeDimensions<<<dim3(2, 3, 4), dim3(5, 4, 3)>>>(indices.get());
  unsigned index[24 * 60];
  indices.copyTo(index);
  for (unsigned i = 0; i < 24 * 60; ++i) CHECK(index[i] == i / 60 * 1000 + i % 60);
  std::puts("PASSED");
}
