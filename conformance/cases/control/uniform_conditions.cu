// Barriers under conditions that all threads of a block share, though no compiler can know.
#include "../../framework/buffers.h"

CONFORMANCE_CASE("control.uniform_conditions");

constexpr int kThreads = 80;

__global__ void fromMemory(const int* rounds, int* out) {
  __shared__ int shared[kThreads];
  const int me = static_cast<int>(threadIdx.x);
  int value = me;
  // Each thread reads its own word; all hold the same.
  const int mine = rounds[blockIdx.x * kThreads + threadIdx.x];
  for (int i = 0; i < mine; ++i) {
    shared[me] = value;
    __syncthreads();
    value += shared[kThreads - 1 - me] * (i + 1);
    __syncthreads();
  }
  out[blockIdx.x * kThreads + threadIdx.x] = value;
}

// Until nothing changes: the condition comes out of shared memory.
__global__ void untilStable(const int* in, int* out, int* rounds) {
  __shared__ int values[kThreads];
  __shared__ bool changed;
  const int me = static_cast<int>(threadIdx.x);
  values[me] = in[me];
  int count = 0;
  do {
    __syncthreads();
    if (me == 0) changed = false;
    const int left = me > 0 ? values[me - 1] : values[me];
    __syncthreads();
    if (left > values[me]) {
      values[me] = left;
      changed = true;
    }
    ++count;
    __syncthreads();
  } while (changed);
  out[me] = values[me];
  if (me == 0) *rounds = count;
}

__global__ void fromReduction(const int* in, int* out) {
  __shared__ int shared[kThreads];
  const int me = static_cast<int>(threadIdx.x);
  int value = in[me], rounds = 0;
  while (__syncthreads_or(value > 10)) {
    if (value > 10) value = value / 2 - 1;
    shared[me] = value;
    __syncthreads();
    value += shared[(me + 1) % kThreads] & 1;
    if (++rounds == 50) break;
  }
  out[me] = value * 100 + rounds;
}

// A value per thread that happens to agree.
__global__ void computed(int* out) {
  __shared__ int shared[kThreads];
  const int me = static_cast<int>(threadIdx.x);
  int value = me;
  if ((me * me + me) % 2 == 0) {
    shared[me] = value;
    __syncthreads();
    value = shared[(me + 3) % kThreads];
  }
  if (me * 2 % 2 == 1) {
    __syncthreads();
    value = -1;
  }
  out[me] = value;
}

int main() {
  std::vector<int> rounds(3 * kThreads);
  for (size_t i = 0; i < rounds.size(); ++i) rounds[i] = static_cast<int>(i / kThreads) * 2;
  DeviceArray<int> deviceRounds(rounds);
  DeviceArray<int> out(3 * kThreads);
  fromMemory<<<3, kThreads>>>(deviceRounds.data(), out.data());
  OBSERVE("from_memory", joined(out.read()));

  std::vector<int> values(kThreads);
  for (size_t i = 0; i < values.size(); ++i) values[i] = static_cast<int>(i * 37 % 101);
  DeviceArray<int> in(values);
  DeviceArray<int> result(kThreads);
  DeviceArray<int> count(1);
  untilStable<<<1, kThreads>>>(in.data(), result.data(), count.data());
  OBSERVE("until_stable", joined(result.read()));
  OBSERVE("until_stable_rounds", count.read()[0]);
  fromReduction<<<1, kThreads>>>(in.data(), result.data());
  OBSERVE("from_reduction", joined(result.read()));
  computed<<<1, kThreads>>>(result.data());
  OBSERVE("computed", joined(result.read()));
}
