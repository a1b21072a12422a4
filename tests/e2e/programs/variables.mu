// __device__, __constant__, static and __managed__ variables; a copy per device.
#include "check.h"

__device__ int counter = 40;
__device__ float table[4] = {1, 2, 3, 4};
static __device__ int hidden = 5;
__constant__ float scale[2] = {10, 100};
__managed__ int managed = 3;
namespace config {
__device__ unsigned long long wide;
}

__global__ void use(float* out) {
  out[0] = static_cast<float>(atomicAdd(&counter, 1));
  out[1] = table[2] * scale[1];
  out[2] = static_cast<float>(hidden);
  out[3] = static_cast<float>(managed);
  managed = 77;
  config::wide = 1ull << 40;
}

int main() {
  int devices = 0;
  CHECK_MUSA(musaGetDeviceCount(&devices));
  CHECK(devices >= 2);
  const float newScale[2] = {1, 1000};
  for (int device = 0; device < 2; ++device) {
    CHECK_MUSA(musaSetDevice(device));
    DeviceArray<float> out(4);
    managed = 3;
    const int start = 40 + device;
    CHECK_MUSA(musaMemcpyToSymbol(counter, &start, sizeof start));
    if (device == 1) CHECK_MUSA(musaMemcpyToSymbol(scale, newScale, sizeof newScale));
    use<<<1, 1>>>(out.get());
    CHECK_MUSA(musaDeviceSynchronize());
    float seen[4];
    out.copyTo(seen);
    CHECK(seen[0] == static_cast<float>(start));
    CHECK(seen[1] == (device == 1 ? 3000.f : 300.f));
    CHECK(seen[2] == 5);
    CHECK(seen[3] == 3);
    CHECK(managed == 77);
    unsigned long long wide = 0;
    CHECK_MUSA(musaMemcpyFromSymbol(&wide, config::wide, sizeof wide));
    CHECK(wide == 1ull << 40);
  }
  CHECK_MUSA(musaSetDevice(0));
  int value = 0;
  CHECK_MUSA(musaMemcpyFromSymbol(&value, counter, sizeof value));
  CHECK(value == 41);
  void* first = nullptr;
  void* second = nullptr;
  size_t size = 0;
  CHECK_MUSA(musaGetSymbolAddress(&first, counter));
  CHECK_MUSA(musaGetSymbolSize(&size, table));
  CHECK(size == sizeof table);
  CHECK_MUSA(musaSetDevice(1));
  CHECK_MUSA(musaGetSymbolAddress(&second, counter));
  CHECK(first != second);
  std::puts("PASSED");
}
