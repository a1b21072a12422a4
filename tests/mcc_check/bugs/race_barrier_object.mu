// A consumer reads what producers write, between its own arrival and the wait for theirs.
// expect: Race reported between
// expect: Read access at loop(int*) in @READ
// expect: Potential RAW hazard detected
// expect: errors: some
#include <musa/barrier>

#include "../bug.h"

__global__ void loop(int* data) {
  using Barrier = musa::barrier<musa::thread_scope_block>;
  __shared__ Barrier filled, emptied;
  __shared__ int tile[64];
  const int i = threadIdx.x;
  if (i == 0) {
    init(&filled, 128);
    init(&emptied, 128);
  }
  __syncthreads();
  for (int round = 0; round < 3; ++round) {
    if (i < 64) {
      tile[i] = data[i] + round;  // WRITE
      (void)filled.arrive();
      emptied.arrive_and_wait();
    } else {
      auto token = filled.arrive();
#ifdef FIXED
      filled.wait(std::move(token));
      data[i] = tile[127 - i];
#else
      data[i] = tile[127 - i];  // READ
      filled.wait(std::move(token));
#endif
      (void)emptied.arrive();
    }
  }
}

int main() {
  DeviceArray<int> data(128);
  loop<<<1, 128>>>(data);
  finish();
}
