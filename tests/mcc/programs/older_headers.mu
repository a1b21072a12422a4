// Every header that CUDA programs of some age include by name, and the names that they use without one.
#include <builtin_types.h>
#include <channel_descriptor.h>
#include <common_functions.h>
#include <crt/common_functions.h>
#include <crt/device_functions.h>
#include <crt/host_config.h>
#include <crt/host_defines.h>
#include <crt/math_functions.h>
#include <device_atomic_functions.h>
#include <device_double_functions.h>
#include <device_functions.h>
#include <device_launch_parameters.h>
#include <device_types.h>
#include <driver_functions.h>
#include <driver_types.h>
#include <host_config.h>
#include <host_defines.h>
#include <library_types.h>
#include <math_constants.h>
#include <math_functions.h>
#include <mma.h>
#include <muComplex.h>
#include <musa.h>
#include <musaProfiler.h>
#include <musaTypedefs.h>
#include <musa_device_runtime_api.h>
#include <musa_occupancy.h>
#include <musa_profiler_api.h>
#include <musa_runtime.h>
#include <musa_runtime_api.h>
#include <musa_stdint.h>
#include <musa_surface_types.h>
#include <musa_texture_types.h>
#include <sm_11_atomic_functions.h>
#include <sm_12_atomic_functions.h>
#include <sm_13_double_functions.h>
#include <sm_20_atomic_functions.h>
#include <sm_20_intrinsics.h>
#include <sm_30_intrinsics.h>
#include <sm_32_atomic_functions.h>
#include <sm_32_intrinsics.h>
#include <sm_35_atomic_functions.h>
#include <sm_35_intrinsics.h>
#include <sm_60_atomic_functions.h>
#include <sm_61_intrinsics.h>
#include <surface_functions.h>
#include <surface_indirect_functions.h>
#include <surface_types.h>
#include <texture_fetch_functions.h>
#include <texture_indirect_functions.h>
#include <texture_types.h>
#include <vector_functions.h>
#include <vector_types.h>

#include <cstdio>
#include <device_functions.hpp>
#include <math_functions.hpp>
#include <mtfunctional>
#include <musa_bf16.hpp>
#include <musa_fp16.hpp>
#include <musa_fp8.hpp>
#include <vector_functions.hpp>

__global__ void olderNames(int* out, int x, float f) {
  out[0] = mul24(x, 3) + static_cast<int>(umul24(static_cast<unsigned>(x), 2u)) + __mul24(x, 1);
  out[1] = mulhi(1 << 30, 1 << 10) + static_cast<int>(umulhi(1u << 31, 6u));
  out[2] = static_cast<int>(mul64hi(1ll << 62, 16ll) + static_cast<long long>(umul64hi(1ull << 63, 4ull)));
  out[3] = float2int(f) + 10 * float2int(f, musaRoundPosInf) +
           100 * static_cast<int>(float2uint(f, musaRoundNearest));
  out[4] = int_as_float(float_as_int(f)) == f && uint_as_float(float_as_uint(f)) == f;
  out[5] = saturate(f) == 1.0f && saturate(-f) == 0.0f && int2float(16777217) == 16777216.0f &&
           int2float(16777217, musaRoundPosInf) == 16777218.0f && uint2float(7u) == 7.0f;
}

static int failures = 0;
static void expect(bool right, const char* what) {
  if (right) return;
  std::printf("wrong: %s\n", what);
  ++failures;
}

int main() {
  int* out = nullptr;
  expect(musaMallocManaged(&out, 6 * sizeof(int)) == musaSuccess, "musaMallocManaged");
  olderNames<<<1, 1>>>(out, 7, 2.625f);
  expect(musaThreadSynchronize() == musaSuccess, "musaThreadSynchronize");
  const int want[6] = {42, (1 << 8) + 3, 4 + 2, 2 + 30 + 300, 1, 1};
  for (int i = 0; i < 6; ++i) expect(out[i] == want[i], "an older name");

  size_t limit = 0;
  musaFuncCache config = musaFuncCachePreferNone;
  expect(musaThreadSetLimit(musaLimitPrintfFifoSize, 1 << 20) == musaSuccess, "musaThreadSetLimit");
  expect(musaThreadGetLimit(&limit, musaLimitPrintfFifoSize) == musaSuccess && limit == 1 << 20,
         "musaThreadGetLimit");
  expect(musaThreadSetCacheConfig(musaFuncCachePreferL1) == musaSuccess, "musaThreadSetCacheConfig");
  expect(musaThreadGetCacheConfig(&config) == musaSuccess && config == musaFuncCachePreferL1,
         "musaThreadGetCacheConfig");
  expect(musaThreadGetLimit(nullptr, musaLimitStackSize) == musaErrorInvalidValue, "musaThreadGetLimit");
  (void)musaGetLastError();
  expect(MUSA_R_32F == 0 && MUSA_R_16BF == 14, "musaDataType");

  PFN_muDeviceGetCount_v2000 count = nullptr;
  MUdriverProcAddressQueryResult query;
  int devices = 0;
  expect(
      muGetProcAddress("muDeviceGetCount", reinterpret_cast<void**>(&count), 4000, 0, &query) == MUSA_SUCCESS,
      "muGetProcAddress");
  expect(count != nullptr && count(&devices) == MUSA_SUCCESS && devices > 0, "PFN_muDeviceGetCount");
  expect(musaThreadExit() == musaSuccess, "musaThreadExit");
  if (failures == 0) std::puts("passed");
  return failures;
}
