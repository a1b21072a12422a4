// Headers whose names macros put together, and a folder that is called as a header of the library.
#include <own/names.h>

#include <cstdio>
#include <vector>
#include <vector/own.h>

#include OWN_HEADER(value.cuh)

__global__ void kernel(int* out) { *out = own_value() + kOfFolder; }

int main() {
  std::vector<int> host(1);
  int* value;
  if (own_allocate(&value) != cudaSuccess) return 2;
  kernel<<<1, 1>>>(value);
  cudaMemcpy(host.data(), value, sizeof(int), cudaMemcpyDeviceToHost);
  std::puts(host[0] == 7 ? "passed" : "wrong");
  return host[0] != 7;
}
