// The instruction that checkers of collectives count with.
#include "../../framework/buffers.h"

CONFORMANCE_CASE("language.inline_assembly");

__global__ void count(unsigned long long* total) {
  const unsigned long long one = threadIdx.x + 1;
  asm volatile("red.global.add.u64 [%0],%1;" ::"l"(total), "l"(one) : "memory");
}

int main() {
  DeviceArray<unsigned long long> total(1);
  count<<<4, 100>>>(total.data());
  OBSERVE("total", total.read()[0]);
}
