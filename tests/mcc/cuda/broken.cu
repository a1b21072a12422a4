#include "lanes.cuh"
__global__ void kernel(unsigned* out) {
  asm volatile("mbarrier.init.shared.b64 [%0], 1;" ::"r"(out[0]));
  out[0] = lane() + undeclared;
}
