// Half precision: rounding, arithmetic, comparisons.
#include <cuda_bf16.h>
#include <cuda_fp16.h>

#include "../../framework/buffers.h"

CONFORMANCE_CASE("language.half");

__global__ void convert(const float* in, unsigned* out, int count) {
  const int i = static_cast<int>(threadIdx.x);
  if (i >= count) return;
  const __half value = __float2half(in[i]);
  out[i * 4] = __half_as_ushort(value);
  out[i * 4 + 1] = __half_as_ushort(__float2half_rz(in[i]));
  const __nv_bfloat16 brain = __float2bfloat16(in[i]);
  out[i * 4 + 2] = __bfloat16_as_ushort(brain);
  out[i * 4 + 3] = static_cast<unsigned>(__float_as_int(__half2float(value)));
}

__global__ void compute(float* out, float a, float b) {
  const __half x = __float2half(a);
  const __half y = __float2half(b);
  out[0] = __half2float(__hadd(x, y));
  out[1] = __half2float(__hmul(x, y));
  out[2] = __half2float(__hfma(x, y, x));
  out[3] = __half2float(__hdiv(x, y));
  out[4] = __hlt(x, y) ? 1.0f : 0.0f;
  out[5] = __half2float(x - y);
  const __half2 both = __halves2half2(x, y);
  const __half2 sum = __hadd2(both, both);
  out[6] = __low2float(sum);
  out[7] = __high2float(sum);
  out[8] = __bfloat162float(__hadd(__float2bfloat16(a), __float2bfloat16(b)));
  out[9] = __half2float(hsqrt(x));
  out[10] = static_cast<float>(sizeof(__half) * 100 + sizeof(__half2) * 10 + sizeof(__nv_bfloat16));
}

int main() {
  const std::vector<float> in = {0.1f,  65504.0f, 65520.0f,      65519.0f, 1e-8f,
                                 6e-8f, -2.0f,    1.0009765625f, 2049.0f,  1e38f};
  DeviceArray<float> deviceIn(in);
  DeviceArray<unsigned> bits(in.size() * 4);
  convert<<<1, 32>>>(deviceIn.data(), bits.data(), static_cast<int>(in.size()));
  OBSERVE("bits", joined(bits.read()));
  DeviceArray<float> out(11);
  compute<<<1, 1>>>(out.data(), 1.3f, 2.7f);
  OBSERVE("values", joined(out.read()));
  OBSERVE("host_bits", static_cast<unsigned>(__half_as_ushort(__float2half(0.1f))));
}
