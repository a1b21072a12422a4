#include "lanes.cuh"
__global__ void kernel(unsigned* out) {
  asm volatile("mbarrier.arrive.expect_tx.shared.b64 _, [%0], 64;" ::"r"(out[0]));
  out[0] = lane() + undeclared;
}
