#include <vector_types.h>

#include <cstdio>
#include <cstring>

#ifdef NEEDS_OWN_HEADER
static_assert(OWN_VECTOR_TYPES == 1, "the project's header comes before the SDK's");
#endif

__device__ float4 scaled(float4 value, float by) {
  return make_float4(value.x * by, value.y * by, value.z * by, value.w * by);
}

__global__ void scale(float4* values, float by) { values[threadIdx.x] = scaled(values[threadIdx.x], by); }

int main() {
  float4* values;
  if (musaMallocManaged(&values, 64 * sizeof(float4)) != musaSuccess) return 1;
  for (int i = 0; i < 64; ++i) values[i] = make_float4(i, 0, 0, 1);
  scale<<<1, 64>>>(values, 2);
  if (musaDeviceSynchronize() != musaSuccess) return 1;
  std::printf("%g %g\n", values[63].x, values[63].w);
  return std::strcmp("a", "a");
}
