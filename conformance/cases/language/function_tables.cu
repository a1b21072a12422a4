// Functions chosen at run time: tables on the device, pointers given by the host, members, virtual calls that
// differ from thread to thread.
#include "../../framework/buffers.h"

CONFORMANCE_CASE("language.function_tables");

constexpr int kThreads = 64;

typedef int (*Operation)(int, int);
__device__ int add(int a, int b) { return a + b; }
__device__ int subtract(int a, int b) { return a - b; }
__device__ int multiply(int a, int b) { return a * b; }
__device__ int power(int a, int b) { return b == 0 ? 1 : a * power(a, b - 1); }
__device__ Operation operations[4] = {add, subtract, multiply, power};
__constant__ Operation constantOperations[2] = {multiply, add};

template <int kBy>
__device__ int shiftBy(int a, int b) {
  return (a << kBy) ^ b;
}
__device__ const Operation templates[3] = {shiftBy<1>, shiftBy<4>, &shiftBy<9>};

// Each thread calls its own.
__global__ void byThread(int* out) {
  const int me = static_cast<int>(threadIdx.x);
  int value = operations[me % 4](me % 7, me % 5);
  value = value * 10 + constantOperations[me % 2](value, 3);
  out[me] = templates[me % 3](value, me);
}

__global__ void take(Operation* place, int which) { *place = operations[which]; }
__global__ void call(Operation operation, int* out) {
  out[threadIdx.x] = operation(static_cast<int>(threadIdx.x), 3);
}

struct Shape {
  int side;
  __device__ explicit Shape(int side) : side(side) {}
  __device__ virtual ~Shape() {}
  __device__ virtual int area() const { return 0; }
  __device__ virtual int edges() const = 0;
  __device__ int both() const { return area() * 100 + edges(); }
};
struct Square : Shape {
  __device__ explicit Square(int side) : Shape(side) {}
  __device__ int area() const override { return side * side; }
  __device__ int edges() const override { return 4; }
};
struct Triangle : Shape {
  __device__ explicit Triangle(int side) : Shape(side) {}
  __device__ int area() const override { return side * side / 2; }
  __device__ int edges() const override { return 3; }
};
struct Dot final : Shape {
  __device__ explicit Dot(int side) : Shape(side) {}
  __device__ int edges() const override { return 0; }
};

// Objects outlive the kernel that makes them.
__global__ void makeShapes(Shape** shapes) {
  const int me = static_cast<int>(threadIdx.x);
  if (me % 3 == 0) {
    shapes[me] = new Square(me);
  } else if (me % 3 == 1) {
    shapes[me] = new Triangle(me);
  } else {
    shapes[me] = new Dot(me);
  }
}
__global__ void useShapes(Shape** shapes, int* out) {
  __shared__ int sum;
  const int me = static_cast<int>(threadIdx.x);
  if (me == 0) sum = 0;
  __syncthreads();
  const Shape* neighbour = shapes[(me + 1) % kThreads];
  atomicAdd(&sum, neighbour->area());
  __syncthreads();
  out[me] = neighbour->both() * 3 + sum;
}
__global__ void dropShapes(Shape** shapes) { delete shapes[threadIdx.x]; }

struct Accumulator {
  int total;
  __device__ int plus(int x) { return total += x; }
  __device__ int times(int x) { return total *= x; }
};
__global__ void members(int* out) {
  int (Accumulator::* const steps[2])(int) = {&Accumulator::plus, &Accumulator::times};
  Accumulator mine = {static_cast<int>(threadIdx.x)};
  for (int i = 1; i < 6; ++i) (mine.*steps[(static_cast<int>(threadIdx.x) + i) % 2])(i);
  out[threadIdx.x] = mine.total;
}

int main() {
  DeviceArray<int> out(kThreads);
  byThread<<<1, kThreads>>>(out.data());
  OBSERVE("by_thread", joined(out.read()));
  DeviceArray<Operation> taken(1);
  for (int which = 0; which < 4; ++which) {
    take<<<1, 1>>>(taken.data(), which);
    call<<<1, kThreads>>>(taken.read()[0], out.data());
    OBSERVE("given_" + std::to_string(which), joined(out.read()));
  }
  DeviceArray<Shape*> shapes(kThreads);
  makeShapes<<<1, kThreads>>>(shapes.data());
  useShapes<<<1, kThreads>>>(shapes.data(), out.data());
  OBSERVE("virtual", joined(out.read()));
  dropShapes<<<1, kThreads>>>(shapes.data());
  members<<<1, kThreads>>>(out.data());
  OBSERVE("members", joined(out.read()));
}
