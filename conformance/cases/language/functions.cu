// Device functions: recursion, pointers to functions, virtual functions.
#include "../../framework/buffers.h"

CONFORMANCE_CASE("language.functions");

__device__ int fibonacci(int n) { return n < 2 ? n : fibonacci(n - 1) + fibonacci(n - 2); }

typedef int (*Operation)(int, int);
__device__ int add(int a, int b) { return a + b; }
__device__ int multiply(int a, int b) { return a * b; }
__device__ Operation operations[2] = {add, multiply};

class Shape {
 public:
  __device__ virtual ~Shape() {}
  __device__ virtual int area() const = 0;
};
class Square : public Shape {
 public:
  __device__ explicit Square(int side) : side_(side) {}
  __device__ int area() const override { return side_ * side_; }

 private:
  int side_;
};
class Rectangle : public Shape {
 public:
  __device__ Rectangle(int a, int b) : a_(a), b_(b) {}
  __device__ int area() const override { return a_ * b_; }

 private:
  int a_;
  int b_;
};

__global__ void run(int* out) {
  out[0] = fibonacci(15);
  out[1] = operations[threadIdx.x](6, 7) + operations[1](6, 7);
  const Square square(9);
  const Rectangle rectangle(4, 11);
  const Shape* shapes[2] = {&square, &rectangle};
  int area = 0;
  for (const Shape* shape : shapes) area += shape->area();
  out[2] = area;
}

int main() {
  DeviceArray<int> out(3);
  run<<<1, 1>>>(out.data());
  OBSERVE("values", joined(out.read()));
}
