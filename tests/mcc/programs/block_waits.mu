// Blocks that wait for other blocks, more of them than there are processors. Checks itself.
#include <musa_runtime.h>
#include <sched.h>

#include <cstdio>
#include <filesystem>
#include <iterator>

constexpr int kRounds = 100, kChain = 300;

__device__ volatile int arrived;

// A barrier between blocks that waits for one value of the counter, which the next round changes: it stands
// only if all blocks look before one goes on.
__global__ void barriers(int* even, int* odd, int rounds) {
  const int count = gridDim.x * blockDim.x, me = blockIdx.x * blockDim.x + threadIdx.x;
  for (int round = 0; round < rounds; ++round) {
    volatile int* from = round % 2 == 0 ? even : odd;
    volatile int* to = round % 2 == 0 ? odd : even;
    to[me] = from[(me + blockDim.x) % count] + 1;
    __syncthreads();
    if (threadIdx.x == 0) {
      __threadfence();
      atomicAdd(const_cast<int*>(&arrived), 1);
      while (arrived != (round + 1) * static_cast<int>(gridDim.x)) {
      }
    }
    __syncthreads();
  }
}

// Each block waits for the one after it: all have to begin before the first ends.
__global__ void backwards(volatile int* links) {
  if (threadIdx.x != 0) return;
  int value = 0;
  if (blockIdx.x + 1 < gridDim.x) {
    do {
      value = links[blockIdx.x + 1];
    } while (value == 0);
  }
  links[blockIdx.x] = value + 1;
}

// The same with all threads of a warp looking together.
__global__ void backwardsByWarp(volatile int* links) {
  const volatile int* next = links + (blockIdx.x + 1 < gridDim.x ? blockIdx.x + 1 : gridDim.x);
  while (__any_sync(0xffffffffu, *next == 0)) {
  }
  if (threadIdx.x == 0) links[blockIdx.x] = *next + 1;
}

// The same by plain reads, which go through a shuffle.
__global__ void backwardsByPlainReads(volatile int* links) {
  const int* next = const_cast<int*>(links) + (blockIdx.x + 1 < gridDim.x ? blockIdx.x + 1 : gridDim.x);
  int value = __ldcg(next);
  while (__shfl_sync(0xffffffffu, value, 3) == 0) {
    __threadfence();
    value = __ldcg(next);
  }
  if (threadIdx.x == 0) links[blockIdx.x] = value + 1;
}

// The first block waits for all others; in those one thread looks, round after round, and tells its block.
__global__ void polling(int* come, volatile int* go) {
  __shared__ int told;
  const int t = threadIdx.x;
  if (blockIdx.x == 0) {
    if (t != 0) return;
    while (*static_cast<volatile int*>(come) < static_cast<int>(gridDim.x) - 1) {
    }
    *go = 1;
    return;
  }
  if (t == 0) atomicAdd(come, 1);
  while (true) {
    if (t == 0) told = *go;
    __syncthreads();
    const int stop = told;
    __syncthreads();
    if (stop) break;
  }
}

// Others wait for a block that fails: none of them will hear of it.
__global__ void failing(volatile int* never, int* nowhere) {
  if (threadIdx.x != 0) return;
  if (blockIdx.x + 1 == gridDim.x) *nowhere = 1;
  while (*never == 0) {
  }
}

static int report(const char* what, bool isRight) {
  if (!isRight) std::printf("%s: wrong (%s)\n", what, musaGetErrorName(musaGetLastError()));
  return isRight ? 0 : 1;
}

static bool run(void (*kernel)(volatile int*), int* links, int last) {
  for (int i = 0; i < kChain; ++i) links[i] = 0;
  links[kChain] = last;
  kernel<<<kChain, 32>>>(links);
  return musaDeviceSynchronize() == musaSuccess && links[0] == kChain + last;
}

static bool runBarriers(int* values, int blocks, int threads) {
  const int count = blocks * threads, none = 0;
  for (int i = 0; i < 2 * count; ++i) values[i] = 0;
  if (musaMemcpyToSymbol(arrived, &none, sizeof none) != musaSuccess) return false;
  barriers<<<blocks, threads>>>(values, values + count, kRounds);
  bool isRight = musaDeviceSynchronize() == musaSuccess;
  for (int i = 0; i < count; ++i) isRight = isRight && values[i] == kRounds;
  return isRight;
}

// Blocks that wait let others run: no threads are added for them.
bool hasFewThreads() {
  cpu_set_t allowed;
  if (sched_getaffinity(0, sizeof allowed, &allowed) != 0) return false;
  const std::filesystem::directory_iterator threads("/proc/self/task");
  return std::distance(begin(threads), end(threads)) <= CPU_COUNT(&allowed) + 2;
}

int main() {
  int* values = nullptr;
  if (musaMallocManaged(&values, 1 << 16) != musaSuccess) return 2;
  int wrong = 0;
  for (const int threads : {1, 33, 128}) wrong += report("barriers", runBarriers(values, 24, threads));
  wrong += report("backwards", run(backwards, values, 0));
  wrong += report("backwards by warps", run(backwardsByWarp, values, 1));
  wrong += report("backwards by plain reads", run(backwardsByPlainReads, values, 1));
  wrong += report("few threads", hasFewThreads());
  for (const int blocks : {2, 5}) {
    for (int round = 0; round < 5; ++round) {
      values[0] = values[1] = 0;
      polling<<<blocks, 64>>>(values, values + 1);
      wrong += report("polling", musaDeviceSynchronize() == musaSuccess && values[0] == blocks - 1);
    }
  }
  failing<<<100, 64>>>(values + 1000, nullptr);
  wrong += report("failing", musaDeviceSynchronize() == musaErrorIllegalAddress);
  std::printf("%d wrong\n", wrong);
  return wrong != 0;
}
