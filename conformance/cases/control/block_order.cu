// Blocks that build on each other: decoupled look-back, tickets, the block that finishes last.
#include "../../framework/buffers.h"

CONFORMANCE_CASE("control.block_order");

constexpr int kThreads = 128, kBlocks = 200;
enum : unsigned { kAggregate = 1, kPrefix = 2 };

// State and value in one word: 2 bits and 62.
__device__ unsigned long long states[kBlocks];
__device__ unsigned tickets;

__device__ unsigned long long exclusivePrefix(int part, unsigned long long aggregate) {
  atomicExch(&states[part], aggregate << 2 | (part == 0 ? kPrefix : kAggregate));
  unsigned long long sum = 0;
  for (int before = part - 1; before >= 0;) {
    const unsigned long long state = atomicAdd(&states[before], 0ull);
    if ((state & 3) == 0) continue;  // that block has still to come
    sum += state >> 2;
    if ((state & 3) == kPrefix) break;
    --before;
  }
  if (part > 0) atomicExch(&states[part], (sum + aggregate) << 2 | kPrefix);
  return sum;
}

__global__ void scan(const int* in, unsigned long long* out) {
  __shared__ unsigned long long values[kThreads], before;
  __shared__ int part;
  const int me = static_cast<int>(threadIdx.x);
  if (me == 0) part = static_cast<int>(atomicAdd(&tickets, 1u));
  __syncthreads();
  values[me] = static_cast<unsigned long long>(in[part * kThreads + me]);
  __syncthreads();
  for (int step = 1; step < kThreads; step *= 2) {
    const unsigned long long add = me >= step ? values[me - step] : 0;
    __syncthreads();
    values[me] += add;
    __syncthreads();
  }
  if (me == 0) before = exclusivePrefix(part, values[kThreads - 1]);
  __syncthreads();
  out[part * kThreads + me] = before + values[me];
}

__device__ unsigned arrived;

// The last block adds up what the others left, all its threads together.
__global__ void reduceAll(const int* in, int* partial, int* out) {
  __shared__ int values[kThreads];
  __shared__ bool last;
  const int me = static_cast<int>(threadIdx.x);
  values[me] = in[blockIdx.x * kThreads + threadIdx.x];
  for (int step = kThreads / 2; step > 0; step /= 2) {
    __syncthreads();
    if (me < step) values[me] += values[me + step];
  }
  if (me == 0) {
    partial[blockIdx.x] = values[0];
    __threadfence();
    last = atomicAdd(&arrived, 1u) == gridDim.x - 1;
  }
  __syncthreads();
  if (!last) return;
  int sum = 0;
  for (unsigned i = threadIdx.x; i < gridDim.x; i += kThreads) sum += static_cast<volatile int*>(partial)[i];
  values[me] = sum;
  for (int step = kThreads / 2; step > 0; step /= 2) {
    __syncthreads();
    if (me < step) values[me] += values[me + step];
  }
  if (me == 0) *out = values[0];
}

// Block n waits for block n - 1.
__device__ unsigned turn;
__global__ void inTurn(unsigned* out) {
  __shared__ unsigned ticket;
  if (threadIdx.x == 0) {
    ticket = atomicAdd(&tickets, 1u);
    while (atomicAdd(&turn, 0u) != ticket) {
    }
    atomicExch(&out[0], atomicAdd(&out[0], 0u) * 31 + ticket);
    __threadfence();
    atomicAdd(&turn, 1u);
  }
  __syncthreads();
  if (threadIdx.x == 1) atomicAdd(&out[1], ticket);
}

int main() {
  std::vector<int> in(kBlocks * kThreads);
  for (size_t i = 0; i < in.size(); ++i) in[i] = static_cast<int>(i * 7919 % 1009);
  DeviceArray<int> deviceIn(in);
  DeviceArray<unsigned long long> prefixes(in.size());
  scan<<<kBlocks, kThreads>>>(deviceIn.data(), prefixes.data());
  const std::vector<unsigned long long> scanned = prefixes.read();
  OBSERVE("look_back", joined(scanned));
  OBSERVE("look_back_total", scanned.back());

  DeviceArray<int> partial(kBlocks);
  DeviceArray<int> sum(1);
  reduceAll<<<kBlocks, kThreads>>>(deviceIn.data(), partial.data(), sum.data());
  OBSERVE("last_block", sum.read()[0]);

  const unsigned zero = 0;
  SETUP(cudaMemcpyToSymbol(tickets, &zero, sizeof zero));
  DeviceArray<unsigned> order(2);
  inTurn<<<kBlocks, 32>>>(order.data());
  OBSERVE("in_turn", joined(order.read()));
}
