// Recursion: to depths of each thread's own, mutual, with arrays on every level, with warp operations.
#include "../../framework/buffers.h"

CONFORMANCE_CASE("language.recursion");

constexpr int kThreads = 64;

__device__ unsigned ackermann(unsigned m, unsigned n) {
  if (m == 0) return n + 1;
  if (n == 0) return ackermann(m - 1, 1);
  return ackermann(m - 1, ackermann(m, n - 1));
}

__device__ int odd(int n);
__device__ int even(int n) { return n == 0 ? 1 : odd(n - 1) + 2; }
__device__ int odd(int n) { return n == 0 ? 0 : even(n - 1) * 3 % 1000; }

// Every level has an array that the levels below read.
__device__ int nested(const int* above, int depth) {
  int mine[4];
  for (int i = 0; i < 4; ++i) mine[i] = above[(i + depth) % 4] * 2 + i;
  return depth == 0 ? mine[0] + mine[3] : nested(mine, depth - 1) + mine[depth % 4];
}

__device__ void quickSort(int* values, int first, int last) {
  if (first >= last) return;
  const int pivot = values[(first + last) / 2];
  int i = first, j = last;
  while (i <= j) {
    while (values[i] < pivot) ++i;
    while (values[j] > pivot) --j;
    if (i > j) break;
    const int swapped = values[i];
    values[i++] = values[j];
    values[j--] = swapped;
  }
  quickSort(values, first, j);
  quickSort(values, i, last);
}

// All lanes go down together.
__device__ int sumBelow(int value, int depth) {
  if (depth == 0) return value;
  return sumBelow(value + __shfl_xor_sync(0xffffffffu, value, 1 << (depth - 1), 32), depth - 1) + depth;
}

__global__ void run(unsigned* out) {
  const int me = static_cast<int>(threadIdx.x);
  const int start[4] = {me, me * me, 3, -me};
  unsigned* row = out + me * 4;
  row[0] = ackermann(static_cast<unsigned>(me) % 3, static_cast<unsigned>(me) % 6);
  row[1] = static_cast<unsigned>(even(me));
  row[2] = static_cast<unsigned>(nested(start, me % 9));
  row[3] = static_cast<unsigned>(sumBelow(me, 5));
}

__global__ void sort(int* values) { quickSort(values + threadIdx.x * 50, 0, 49); }

int main() {
  SETUP(cudaDeviceSetLimit(cudaLimitStackSize, 16 << 10));
  DeviceArray<unsigned> out(kThreads * 4);
  run<<<1, kThreads>>>(out.data());
  OBSERVE("values", joined(out.read()));
  std::vector<int> values(kThreads * 50);
  for (size_t i = 0; i < values.size(); ++i) values[i] = static_cast<int>(i * 7919 % 997) - 300;
  DeviceArray<int> sorted(values);
  sort<<<1, kThreads>>>(sorted.data());
  OBSERVE("sorted", joined(sorted.read()));
}
