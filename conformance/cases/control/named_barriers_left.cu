// Barriers by their numbers where some warps have ended: those are not waited for where no count is given.
#include "../../framework/buffers.h"

CONFORMANCE_CASE("control.named_barriers_left");

// Some warps end before the others meet, who do not count them.
__global__ void left(int* out) {
  __shared__ int values[64];
  const int me = static_cast<int>(threadIdx.x);
  if (me >= 64) return;
  values[me] = me * me;
  asm volatile("bar.sync 5, 64;" ::: "memory");
  const int other = values[63 - me];
  // A number without a count means the whole block that is left.
  asm volatile("bar.sync 7;" ::: "memory");
  values[me] = other;
  asm volatile("bar.sync 7;" ::: "memory");
  out[me] = other + values[(me + 1) % 64];
}

int main() {
  const DeviceArray<int> out(64);
  left<<<1, 128>>>(out.data());
  OBSERVE("left", joined(out.read()));
}
