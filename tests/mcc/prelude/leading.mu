// Begins with headers of the language's library, by a header of its own too.
#include "leading.h"

#include <algorithm>
#include <cassert>
#include <cstdio>
#include <vector>

__global__ void larger(const int* a, const int* b, int* out) { out[threadIdx.x] = std::max(a[threadIdx.x], b[threadIdx.x]); }

int main() {
  std::vector<int> values(64);
  for (int i = 0; i < 64; ++i) values[i] = i % 7;
  std::sort(values.begin(), values.end());
  Names names{{"last", values.back()}};
  int* device;
  assert(musaMalloc(&device, 64 * sizeof(int)) == musaSuccess);
  larger<<<1, 64>>>(device, device, device);
  std::printf("%d\n", names["last"]);
  return musaDeviceSynchronize() != musaSuccess;
}
