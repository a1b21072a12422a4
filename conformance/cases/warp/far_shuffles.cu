// Shuffles over distances that are larger than a warp: 33 is one lane, as hardware looks at the low bits.
#include "../../framework/buffers.h"

CONFORMANCE_CASE("warp.far_shuffles");

enum Form { kUp, kDown, kXor };

template <Form kForm>
__device__ int shuffled(int value, int distance, int width) {
  if (kForm == kUp) return __shfl_up_sync(0xffffffffu, value, static_cast<unsigned>(distance), width);
  if (kForm == kDown) return __shfl_down_sync(0xffffffffu, value, static_cast<unsigned>(distance), width);
  return __shfl_xor_sync(0xffffffffu, value, distance, width);
}

template <Form kForm>
__global__ void farDistances(int* out, const int* distances, int count) {
  const int lane = static_cast<int>(threadIdx.x);
  int row = 0;
  for (int i = 0; i < count; ++i) {
    out[row++ * 32 + lane] = shuffled<kForm>(lane, distances[i], 32);
    out[row++ * 32 + lane] = shuffled<kForm>(lane, distances[i], 8);
  }
  out[row++ * 32 + lane] = shuffled<kForm>(lane, 37, 16);
}

template <Form kForm>
static void observe(const char* name) {
  const DeviceArray<int> distances({32, 33, 40, 68});
  DeviceArray<int> out(9 * 32);
  farDistances<kForm><<<1, 32>>>(out.data(), distances.data(), 4);
  OBSERVE(name, joined(out.read()));
}

int main() {
  observe<kUp>("up");
  observe<kDown>("down");
  observe<kXor>("xor");
}
