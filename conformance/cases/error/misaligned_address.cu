// A four-float access at an odd address.
#include "../../framework/buffers.h"

CONFORMANCE_CASE("error.misaligned_address");

__global__ void readAt(const char* bytes, int offset, float* out) {
  const float4 value = *reinterpret_cast<const float4*>(bytes + offset);
  *out = value.x + value.y + value.z + value.w;
}

int main() {
  DeviceArray<char> bytes(64);
  DeviceArray<float> out(1);
  readAt<<<1, 1>>>(bytes.data(), 16, out.data());
  OBSERVE("aligned", cudaDeviceSynchronize());
  readAt<<<1, 1>>>(bytes.data(), 4, out.data());
  OBSERVE("misaligned", cudaDeviceSynchronize());
}
