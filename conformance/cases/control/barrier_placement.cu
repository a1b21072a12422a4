// Barriers in loops, branches, switches, and in functions: inlined, not inlined, recursive, by pointer.
#include "../../framework/buffers.h"

CONFORMANCE_CASE("control.barrier_placement");

constexpr int kThreads = 96;

__device__ __forceinline__ int rotateInline(int* shared, int value) {
  const int me = static_cast<int>(threadIdx.x);
  shared[me] = value;
  __syncthreads();
  const int next = shared[(me + 1) % kThreads];
  __syncthreads();
  return next;
}

__device__ __noinline__ int rotateCalled(int* shared, int value) {
  const int me = static_cast<int>(threadIdx.x);
  shared[me] = value * 3;
  __syncthreads();
  const int next = shared[(me + 5) % kThreads];
  __syncthreads();
  return next;
}

// Depth is the same for all threads.
__device__ int rotateRecursive(int* shared, int value, int depth) {
  if (depth == 0) return value;
  const int below = rotateRecursive(shared, rotateInline(shared, value + depth), depth - 1);
  return below * 7 + rotateInline(shared, below);
}

typedef int (*Rotation)(int*, int);
__device__ int rotateFirst(int* shared, int value) { return rotateInline(shared, value) + 1; }
__device__ int rotateSecond(int* shared, int value) { return rotateCalled(shared, value) - 1; }
__device__ Rotation rotations[2] = {rotateFirst, rotateSecond};

__global__ void inLoop(int* out, int rounds) {
  __shared__ int shared[kThreads];
  int value = static_cast<int>(threadIdx.x), sum = 0;
  for (int round = 0; round < rounds; ++round) {
    value = rotateInline(shared, value + round);
    sum = sum * 3 + value;  // lives across the barriers of the next round
  }
  out[threadIdx.x] = sum;
}

__global__ void inBranches(int* out, int way) {
  __shared__ int shared[kThreads];
  int value = static_cast<int>(threadIdx.x);
  if (way & 1) {
    value = rotateInline(shared, value) * 10;
    if (way & 2) value += rotateInline(shared, value);
  } else {
    switch (way) {
      case 0:
        value = rotateInline(shared, value * value);
        break;
      case 4:
        value = rotateInline(shared, ~value);
        [[fallthrough]];
      default:
        value ^= rotateInline(shared, value + way);
    }
  }
  out[threadIdx.x] = value;
}

__global__ void inFunctions(int* out, int depth) {
  __shared__ int shared[kThreads];
  int value = static_cast<int>(threadIdx.x);
  value = rotateCalled(shared, value);
  value += rotateRecursive(shared, value, depth);
  value ^= rotations[depth & 1](shared, value);
  value ^= rotations[(depth + 1) & 1](shared, value);
  out[threadIdx.x] = value;
}

// A private array whose elements are written before and read behind barriers.
__global__ void privateArray(int* out) {
  __shared__ int shared[kThreads];
  int kept[8];
  for (int i = 0; i < 8; ++i) kept[i] = rotateInline(shared, static_cast<int>(threadIdx.x) * (i + 1));
  int sum = 0;
  for (int i = 0; i < 8; ++i) sum = sum * 5 + kept[(static_cast<int>(threadIdx.x) + i) % 8];
  out[threadIdx.x] = sum;
}

__global__ void twoInOne(int* out) {
  __shared__ int shared[kThreads];
  int i = 0, value = static_cast<int>(threadIdx.x);
  do {
    int j = i;
    while (j < 3) {
      value = rotateInline(shared, value + j);
      if (++j == 2 && i == 1) break;
    }
    if (i == 0) continue;
    value = rotateInline(shared, value * 2);
  } while (++i < 4);
  out[threadIdx.x] = value;
}

int main() {
  DeviceArray<int> out(kThreads);
  for (const int rounds : {0, 1, 7}) {
    inLoop<<<1, kThreads>>>(out.data(), rounds);
    OBSERVE("loop_" + std::to_string(rounds), joined(out.read()));
  }
  for (const int way : {0, 1, 2, 3, 4}) {
    inBranches<<<1, kThreads>>>(out.data(), way);
    OBSERVE("branch_" + std::to_string(way), joined(out.read()));
  }
  for (const int depth : {0, 1, 4}) {
    inFunctions<<<1, kThreads>>>(out.data(), depth);
    OBSERVE("functions_" + std::to_string(depth), joined(out.read()));
  }
  privateArray<<<1, kThreads>>>(out.data());
  OBSERVE("private_array", joined(out.read()));
  twoInOne<<<1, kThreads>>>(out.data());
  OBSERVE("nested_loops", joined(out.read()));
}
