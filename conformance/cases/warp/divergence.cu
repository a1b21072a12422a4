// Warp operations in branches: only the named lanes take part.
#include "../../framework/buffers.h"

CONFORMANCE_CASE("warp.divergence");

__global__ void halves(int* out) {
  const int lane = static_cast<int>(threadIdx.x);
  int value;
  if (lane < 16) {
    value = __shfl_xor_sync(0x0000ffffu, lane, 1, 32);
    value += __shfl_xor_sync(0x0000ffffu, value, 2, 32);
  } else {
    value = 1000 + __shfl_sync(0xffff0000u, lane, 20, 32);
  }
  __syncwarp();
  out[lane] = value;
}

__global__ void evenOdd(unsigned* out) {
  const unsigned lane = threadIdx.x;
  unsigned seen;
  if (lane % 2 == 0) {
    seen = __ballot_sync(0x55555555u, lane % 4 == 0);
  } else {
    seen = __ballot_sync(0xaaaaaaaau, lane > 15);
  }
  out[lane] = seen;
}

__global__ void someReturn(int* out) {
  const int lane = static_cast<int>(threadIdx.x);
  if (lane >= 20) return;
  int value = lane;
  for (int offset = 16; offset > 0; offset /= 2) {
    const int other = __shfl_down_sync(0x000fffffu, value, offset, 32);
    if (lane + offset < 20) value += other;
  }
  if (lane == 0) out[0] = value;
}

__global__ void exchange(int* out) {
  __shared__ int values[32];
  const int lane = static_cast<int>(threadIdx.x);
  values[lane] = lane * lane;
  __syncwarp();
  int next = values[(lane + 1) % 32];
  __syncwarp();
  values[lane] = next;
  __syncwarp();
  out[lane] = values[(lane + 1) % 32];
}

int main() {
  DeviceArray<int> out(32);
  halves<<<1, 32>>>(out.data());
  OBSERVE("halves", joined(out.read()));
  DeviceArray<unsigned> masks(32);
  evenOdd<<<1, 32>>>(masks.data());
  OBSERVE("even_odd", joined(masks.read()));
  someReturn<<<1, 32>>>(out.data());
  OBSERVE("some_return", out.read()[0]);
  exchange<<<1, 32>>>(out.data());
  OBSERVE("exchange", joined(out.read()));
}
