// Variables of the device: initial values, addresses of others, statics.
#include "../../framework/buffers.h"

CONFORMANCE_CASE("language.variables");

struct Point {
  int x;
  float y;
};

__device__ int number = 12;
__device__ int* pointer = &number;
__device__ Point points[2] = {{1, 2.5f}, {3, 4.5f}};
__constant__ char letters[] = "device text";
__device__ const int fixedNumbers[3] = {7, 8, 9};
__device__ int zeroed[4];
static __device__ long long internal = 1ll << 33;

namespace inner {
__device__ int number = 500;
}

__global__ void look(int* out) {
  static __shared__ int sharedStatic;
  sharedStatic = 6;
  out[0] = *pointer;
  out[1] = points[1].x + static_cast<int>(points[0].y * 2.0f);
  out[2] = letters[7];
  out[3] = fixedNumbers[0] + fixedNumbers[2];
  out[4] = zeroed[0] + zeroed[3];
  out[5] = static_cast<int>(internal >> 30);
  out[6] = inner::number + number;
  out[7] = sharedStatic;
  *pointer += 1;
}

int main() {
  DeviceArray<int> out(8);
  look<<<1, 1>>>(out.data());
  OBSERVE("first", joined(out.read()));
  look<<<1, 1>>>(out.data());
  OBSERVE("second", joined(out.read()));
}
