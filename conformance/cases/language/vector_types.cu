// Built-in vector types have the same layout on both sides.
#include "../../framework/buffers.h"

CONFORMANCE_CASE("language.vector_types");

template <class T>
static std::string layoutOf() {
  return std::to_string(sizeof(T)) + "/" + std::to_string(alignof(T));
}

__global__ void layouts(int* out) {
  out[0] = static_cast<int>(sizeof(float3) * 100 + alignof(float3));
  out[1] = static_cast<int>(sizeof(float4) * 100 + alignof(float4));
  out[2] = static_cast<int>(sizeof(double2) * 100 + alignof(double2));
  out[3] = static_cast<int>(sizeof(uchar4) * 100 + alignof(uchar4));
  out[4] = static_cast<int>(sizeof(short2) * 100 + alignof(short2));
  out[5] = static_cast<int>(sizeof(longlong2) * 100 + alignof(longlong2));
}

__global__ void swizzle(float4* values, const int2* pairs, char4* bytes) {
  const int i = static_cast<int>(threadIdx.x);
  const float4 v = values[i];
  values[i] = make_float4(v.w, v.z, v.y, v.x + static_cast<float>(pairs[i].x * pairs[i].y));
  bytes[i] = make_char4(1, -1, static_cast<char>(i), static_cast<char>(pairs[i].y));
}

int main() {
  OBSERVE("float2", layoutOf<float2>());
  OBSERVE("float3", layoutOf<float3>());
  OBSERVE("float4", layoutOf<float4>());
  OBSERVE("int4", layoutOf<int4>());
  OBSERVE("double2", layoutOf<double2>());
  OBSERVE("uchar4", layoutOf<uchar4>());
  OBSERVE("char3", layoutOf<char3>());
  OBSERVE("short4", layoutOf<short4>());
  OBSERVE("ulonglong2", layoutOf<ulonglong2>());
  OBSERVE("dim3", layoutOf<dim3>());
  DeviceArray<int> device(6);
  layouts<<<1, 1>>>(device.data());
  OBSERVE("on_device", joined(device.read()));

  std::vector<float4> values(8);
  std::vector<int2> pairs(8);
  for (int i = 0; i < 8; ++i) {
    const float f = static_cast<float>(i);
    values[static_cast<size_t>(i)] = make_float4(f, f + 0.25f, f + 0.5f, f + 0.75f);
    pairs[static_cast<size_t>(i)] = make_int2(i, i + 1);
  }
  DeviceArray<float4> deviceValues(values);
  DeviceArray<int2> devicePairs(pairs);
  DeviceArray<char4> bytes(8);
  swizzle<<<1, 8>>>(deviceValues.data(), devicePairs.data(), bytes.data());
  values = deviceValues.read();
  OBSERVE("swizzled", checksum(values.data(), values.size() * sizeof(float4)));
  const std::vector<char4> read = bytes.read();
  OBSERVE("bytes", checksum(read.data(), read.size() * sizeof(char4)));
  const dim3 defaults(5);
  OBSERVE("dim3_defaults",
          std::to_string(defaults.x) + "," + std::to_string(defaults.y) + "," + std::to_string(defaults.z));
}
