// Atomics of 16-bit numbers and their pairs, where the sum is exact in any order, and the 16-bit exchange.
#include <cuda_bf16.h>
#include <cuda_fp16.h>

#include "../../framework/buffers.h"

CONFORMANCE_CASE("atomics.narrow");

__global__ void add(__half* h, __half2* h2, __nv_bfloat16* b, __nv_bfloat162* b2) {
  const float unit = threadIdx.x % 2 ? 0.5f : 0.25f;
  atomicAdd(h, __float2half(unit));
  atomicAdd(h2, __floats2half2_rn(unit, -2.0f * unit));
  if (threadIdx.x % 8 == 0) {
    atomicAdd(b, __float2bfloat16(1.0f));
    atomicAdd(b2, __floats2bfloat162_rn(1.0f, -1.0f));
  }
}

// Each thread takes the cell from one number to the next in its own turn.
__global__ void count(unsigned short* cell) {
  for (;;) {
    const unsigned short old = *static_cast<volatile unsigned short*>(cell);
    if (atomicCAS(cell, old, static_cast<unsigned short>(old + 1)) == old) return;
  }
}

__global__ void read(const __half* h, const __half2* h2, const __nv_bfloat16* b, const __nv_bfloat162* b2,
                     float* out) {
  out[0] = __half2float(*h);
  out[1] = __low2float(*h2);
  out[2] = __high2float(*h2);
  out[3] = __bfloat162float(*b);
  out[4] = __low2float(*b2);
  out[5] = __high2float(*b2);
}

int main() {
  DeviceArray<__half> h(2);
  DeviceArray<__half2> h2(1);
  DeviceArray<__nv_bfloat16> b(2);
  DeviceArray<__nv_bfloat162> b2(1);
  DeviceArray<float> out(6);
  add<<<8, 64>>>(h.data(), h2.data(), b.data(), b2.data());
  read<<<1, 1>>>(h.data(), h2.data(), b.data(), b2.data(), out.data());
  OBSERVE("sums", joined(out.read()));
  DeviceArray<unsigned short> cells(2);
  count<<<4, 64>>>(cells.data() + 1);
  OBSERVE("neighbour", static_cast<unsigned>(cells.read()[0]));
  OBSERVE("count", static_cast<unsigned>(cells.read()[1]));
}
