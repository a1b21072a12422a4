// Threads that end early do not hold up the barriers of those that go on.
#include "../../framework/buffers.h"

CONFORMANCE_CASE("control.early_return");

constexpr int kThreads = 160;

__global__ void beforeBarriers(int* out, int keep) {
  __shared__ int shared[kThreads];
  const int me = static_cast<int>(threadIdx.x);
  shared[me] = -me;
  __syncthreads();
  if (me >= keep) return;
  for (int round = 0; round < 3; ++round) {
    shared[me] += round + 1;
    __syncthreads();
    out[me] += shared[(me * 7 + round) % kThreads];
    __syncthreads();
  }
}

// One thread after another leaves from the middle of a loop with barriers.
__global__ void oneByOne(int* out) {
  __shared__ int turn[kThreads + 1];
  const int me = static_cast<int>(threadIdx.x);
  turn[me] = 0;
  if (me == 0) turn[kThreads] = 0;
  __syncthreads();
  for (int round = 0;; ++round) {
    if (me == round) {
      out[me] = turn[kThreads];
      return;
    }
    __syncthreads();
    if (me == round + 1) turn[kThreads] += me;
    __syncthreads();
  }
}

// Who has ended is not counted.
__global__ void reductions(int* out) {
  const int me = static_cast<int>(threadIdx.x);
  if (me % 5 == 0) return;
  const int count = __syncthreads_count(me % 2);
  if (me >= 100) return;
  const int all = __syncthreads_and(me < 100);
  const int one = __syncthreads_or(me == 100);
  out[me] = count * 4 + (all != 0) * 2 + (one != 0);
}

__device__ __noinline__ bool leaves(int me, int round) { return me % 4 == round; }

__global__ void wholeWarps(int* out) {
  __shared__ int sum;
  const int me = static_cast<int>(threadIdx.x);
  if (me == 128) sum = 0;
  __syncthreads();
  for (int round = 0; round < 4; ++round) {
    if (leaves(me / 32, round)) return;
    atomicAdd(&sum, 1);
    __syncthreads();
    out[round * kThreads + me] = sum;
    __syncthreads();
  }
}

int main() {
  for (const int keep : {1, 31, 64, 100, 160}) {
    DeviceArray<int> out(kThreads);
    beforeBarriers<<<1, kThreads>>>(out.data(), keep);
    OBSERVE("keep_" + std::to_string(keep), joined(out.read()));
  }
  DeviceArray<int> out(kThreads);
  oneByOne<<<1, kThreads>>>(out.data());
  OBSERVE("one_by_one", joined(out.read()));
  reductions<<<1, kThreads>>>(out.data());
  OBSERVE("reductions", joined(out.read()));
  DeviceArray<int> rounds(4 * kThreads);
  wholeWarps<<<1, kThreads>>>(rounds.data());
  OBSERVE("whole_warps", joined(rounds.read()));
}
