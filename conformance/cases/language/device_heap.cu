// malloc and free in kernels.
#include "../../framework/buffers.h"

CONFORMANCE_CASE("language.device_heap");

__device__ int* keptBlock;

__global__ void allocateAndFree(int* out) {
  int* mine = static_cast<int*>(malloc(32 * sizeof(int)));
  if (mine == nullptr) return;
  for (int i = 0; i < 32; ++i) mine[i] = i + static_cast<int>(threadIdx.x);
  int sum = 0;
  for (int i = 0; i < 32; ++i) sum += mine[i];
  free(mine);
  out[threadIdx.x] = sum;
}

__global__ void keep() {
  keptBlock = static_cast<int*>(malloc(sizeof(int)));
  if (keptBlock != nullptr) *keptBlock = 4711;
}

__global__ void useKept(int* out) {
  out[0] = *keptBlock;
  free(keptBlock);
  free(nullptr);
}

__global__ void tooMuch(int* out) { out[0] = malloc(size_t{1} << 40) == nullptr ? 1 : 0; }

__global__ void withNew(int* out) {
  int* one = new int(31);
  out[0] = *one;
  delete one;
}

int main() {
  DeviceArray<int> out(64);
  allocateAndFree<<<1, 64>>>(out.data());
  OBSERVE("sums", joined(out.read()));
  keep<<<1, 1>>>();
  useKept<<<1, 1>>>(out.data());
  OBSERVE("kept_over_launches", out.read()[0]);
  tooMuch<<<1, 1>>>(out.data());
  OBSERVE("too_much_is_null", out.read()[0]);
  withNew<<<1, 1>>>(out.data());
  OBSERVE("new_and_delete", out.read()[0]);
}
