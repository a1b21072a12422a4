// One-instruction reductions over a group of lanes.
#include "../../framework/buffers.h"

CONFORMANCE_CASE("warp.reductions");

__global__ void reduce(unsigned* out) {
  const unsigned lane = threadIdx.x;
  const int number = static_cast<int>(lane) - 16;
  const unsigned add = __reduce_add_sync(0xffffffffu, lane);
  const int addSigned = __reduce_add_sync(0xffffffffu, number);
  const int least = __reduce_min_sync(0xffffffffu, number);
  const int greatest = __reduce_max_sync(0xffffffffu, number);
  const unsigned unsignedLeast = __reduce_min_sync(0xffffffffu, lane + 3u);
  const unsigned conjunction = __reduce_and_sync(0xffffffffu, lane | 0x80u);
  const unsigned disjunction = __reduce_or_sync(0xffffffffu, 1u << lane);
  const unsigned parity = __reduce_xor_sync(0xffffffffu, lane * 3u);
  if (lane == 1) {
    out[0] = add;
    out[1] = static_cast<unsigned>(addSigned);
    out[2] = static_cast<unsigned>(least);
    out[3] = static_cast<unsigned>(greatest);
    out[4] = unsignedLeast;
    out[5] = conjunction;
    out[6] = disjunction;
    out[7] = parity;
  }
  if (lane < 8) {
    const unsigned part = __reduce_add_sync(0xffu, lane);
    if (lane == 0) out[8] = part;
  }
}

int main() {
  DeviceArray<unsigned> out(9);
  reduce<<<1, 32>>>(out.data());
  OBSERVE("values", joined(out.read()));
}
