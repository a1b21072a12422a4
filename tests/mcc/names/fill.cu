// MUSA source by the names in it.
#include <musa_runtime.h>

#include <cstdio>

extern "C" __global__ void fill(int* out) { out[threadIdx.x] = 3 * static_cast<int>(threadIdx.x); }

int main() {
  int* device = nullptr;
  int host[4] = {};
  musaMalloc(&device, sizeof host);
  fill<<<1, 4>>>(device);
  musaMemcpy(host, device, sizeof host, musaMemcpyDeviceToHost);
  std::printf("%d %d\n", host[1], host[3]);
  return host[3] == 9 ? 0 : 1;
}
