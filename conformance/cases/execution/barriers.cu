// Block barriers: in loops, after early returns, with votes.
#include "../../framework/buffers.h"

CONFORMANCE_CASE("execution.barriers");

__global__ void prefixSum(int* out) {
  __shared__ int values[256];
  const int me = static_cast<int>(threadIdx.x);
  values[me] = me + 1;
  __syncthreads();
  for (int step = 1; step < 256; step *= 2) {
    const int add = me >= step ? values[me - step] : 0;
    __syncthreads();
    values[me] += add;
    __syncthreads();
  }
  out[me] = values[me];
}

__global__ void earlyReturn(int* out) {
  __shared__ int total;
  if (threadIdx.x == 0) total = 0;
  __syncthreads();
  if (threadIdx.x >= 64) return;
  atomicAdd(&total, 1);
  __syncthreads();
  if (threadIdx.x == 0) *out = total;
}

__global__ void votes(int* out) {
  const int me = static_cast<int>(threadIdx.x);
  const int counted = __syncthreads_count(me % 3 == 0);
  const int allTrue = __syncthreads_and(me >= 0);
  const int allFalse = __syncthreads_and(me > 0);
  const int oneTrue = __syncthreads_or(me == 77);
  const int noneTrue = __syncthreads_or(me == 1000);
  if (me == 5) {
    out[0] = counted;
    out[1] = allTrue != 0;
    out[2] = allFalse != 0;
    out[3] = oneTrue != 0;
    out[4] = noneTrue != 0;
  }
}

// Each block's loop has its own number of rounds.
__global__ void loopByBlock(int* out) {
  __shared__ int value;
  if (threadIdx.x == 0) value = 0;
  __syncthreads();
  for (unsigned round = 0; round <= blockIdx.x; ++round) {
    if (threadIdx.x == round % blockDim.x) value += static_cast<int>(round) + 1;
    __syncthreads();
  }
  if (threadIdx.x == 0) out[blockIdx.x] = value;
}

int main() {
  DeviceArray<int> out(256);
  prefixSum<<<1, 256>>>(out.data());
  const std::vector<int> sums = out.read();
  OBSERVE("prefix_last", sums[255]);
  OBSERVE("prefix_all", joined(sums));
  earlyReturn<<<1, 256>>>(out.data());
  OBSERVE("early_return", out.read()[0]);
  votes<<<1, 100>>>(out.data());
  const std::vector<int> voted = out.read();
  OBSERVE("count", voted[0]);
  OBSERVE("and_true", voted[1]);
  OBSERVE("and_false", voted[2]);
  OBSERVE("or_true", voted[3]);
  OBSERVE("or_false", voted[4]);
  loopByBlock<<<16, 48>>>(out.data());
  std::vector<int> loops = out.read();
  loops.resize(16);
  OBSERVE("loop_by_block", joined(loops));
}
