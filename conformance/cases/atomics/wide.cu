// Atomics of vectors of floats, and of 16 bytes at once.
#include "../../framework/buffers.h"

CONFORMANCE_CASE("atomics.wide");

__global__ void add(float2* two, float4* four) {
  const float unit = static_cast<float>(threadIdx.x);
  atomicAdd(two, make_float2(unit, -0.5f * unit));
  atomicAdd(four, make_float4(1.0f, unit, 2.0f, -unit));
}

struct alignas(16) Pair {
  unsigned long long low, high;
};

// Both halves change together: `high` is always the square of `low`.
__global__ void step(Pair* cell, unsigned* torn) {
  Pair old = {0, 0};
  for (;;) {
    const Pair next = {old.low + 1, (old.low + 1) * (old.low + 1)};
    const Pair seen = atomicCAS(cell, old, next);
    if (seen.high != seen.low * seen.low) atomicAdd(torn, 1u);
    if (seen.low == old.low && seen.high == old.high) return;
    old = seen;
  }
}

__global__ void exchange(Pair* cells) {
  const Pair value = {7, 49};
  cells[1] = atomicExch(&cells[0], value);
}

int main() {
  DeviceArray<float2> two(1);
  DeviceArray<float4> four(1);
  add<<<8, 128>>>(two.data(), four.data());
  const float2 pair = two.read()[0];
  const float4 quad = four.read()[0];
  OBSERVE("float2", joined(std::vector<float>{pair.x, pair.y}));
  OBSERVE("float4", joined(std::vector<float>{quad.x, quad.y, quad.z, quad.w}));
  DeviceArray<Pair> cells(2);
  DeviceArray<unsigned> torn(1);
  step<<<4, 64>>>(cells.data(), torn.data());
  OBSERVE("steps", cells.read()[0].low);
  OBSERVE("square", cells.read()[0].high);
  OBSERVE("torn", torn.read()[0]);
  exchange<<<1, 1>>>(cells.data());
  OBSERVE("exchanged", cells.read()[0].high);
  OBSERVE("before", cells.read()[1].low);
}
