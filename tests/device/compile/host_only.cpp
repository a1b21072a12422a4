// A host program without mcc uses the types and the functions for both sides.
#include <cmath>
#include <type_traits>

#include "device_launch_parameters.h"
#include "host_defines.h"
#include "math_constants.h"
#include "math_functions.h"
#include "murand.h"
#include "murand_kernel.h"
#include "musa_bf16.h"
#include "musa_fp16.h"
#include "musa_fp8.h"
#include "vector_functions.h"

__host__ __device__ __forceinline__ float scaled(float x) { return x * MUSART_PI_F; }

int main() {
  static_assert(std::is_trivially_copyable<half>::value && std::is_trivially_copyable<half2>::value,
                "a kernel's arguments");
  static_assert(std::is_trivially_default_constructible<half>::value, "a union's members");
  static_assert(std::is_trivially_default_constructible<mt_bfloat16>::value, "a union's members");
  static_assert(std::is_trivially_default_constructible<__mt_fp8_e4m3>::value, "a union's members");
  half h = 1.5f;
  h += half(2);
  mt_bfloat16 b = 3;
  b = b * b;
  const __mt_fp8_e5m2 f(2.0f);
  return int(h) + int(b) + int(f) + int(scaled(rsqrtf(4.0f)) + MUSART_INF) + (MUSART_NAN_F < 0);
}
