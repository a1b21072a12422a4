// Threads of a block that wait for each other by looking at memory, without a barrier. Checks itself.
#include <musa_runtime.h>
#include <stdio.h>

#include <musa/barrier>
#include <utility>

constexpr int kThreads = 192;

__global__ void waitForFlag(int* out) {
  __shared__ volatile int flag;
  const int me = static_cast<int>(threadIdx.x);
  if (me == 0) flag = 0;
  __syncthreads();
  if (me < 64) {
    while (flag == 0) {
    }
    out[me] = flag + me;
  } else {
    if (me == 100) flag = 41;
    out[me] = 41 + me;
  }
}

// A barrier made of atomics, entered several times.
__global__ void countUp(int* out) {
  __shared__ int count;
  __shared__ int values[kThreads];
  const int me = static_cast<int>(threadIdx.x);
  if (me == 0) count = 0;
  __syncthreads();
  int sum = 0;
  for (int round = 1; round <= 3; ++round) {
    values[me] = me * round;
    __threadfence_block();
    atomicAdd(&count, 1);
    while (atomicAdd(&count, 0) < (2 * round - 1) * kThreads) __threadfence_block();
    sum += static_cast<volatile int*>(values)[kThreads - 1 - me];
    atomicAdd(&count, 1);
    while (atomicAdd(&count, 0) < 2 * round * kThreads) {
    }
  }
  out[me] = sum;
}

// Each warp passes a value on to the next one, through memory of the device, in a function of its own.
__device__ __noinline__ int awaitValue(const volatile int* place) {
  int value;
  do {
    value = *place;
  } while (value == 0);
  return value;
}
__global__ void chain(int* links, int* out) {
  const int warp = static_cast<int>(threadIdx.x) / 32, last = kThreads / 32 - 1;
  // The last warp begins, so that order alone does not help.
  const int value = warp == last ? 1 : awaitValue(links + warp + 1);
  if (threadIdx.x % 32 == 0) static_cast<volatile int*>(links)[warp] = value + 1;
  out[threadIdx.x] = value + warp;
}

// Functions look at memory for the loops that wait, and are not inlined in code that is not optimised.
__device__ int lookAt(const int* place) { return *static_cast<const volatile int*>(place); }
struct Flag {
  int* place;
  __device__ bool isSet() const { return lookAt(place) != 0; }
};
__device__ __noinline__ bool isReached(int* count, int goal) { return atomicAdd(count, 0) == goal; }
__global__ void waitByCall(int* links, int* out) {
  const int me = static_cast<int>(threadIdx.x);
  const Flag flag{links};
  if (me == 0) {
    while (!flag.isSet()) {
    }
  } else if (me == 1) {
    while (lookAt(links) == 0) {
    }
  } else if (me == 2) {
    while (!isReached(links, 1)) {
    }
  } else if (me == 150) {
    links[1] = 41;
    __threadfence();
    atomicExch(links, 1);
  }
  out[me] = (me < 3 ? links[1] : 41) + me;
}

// Each thread in its turn, round after round.
__global__ void takeTurns(int* links, int* out) {
  const int me = static_cast<int>(threadIdx.x), all = static_cast<int>(blockDim.x);
  for (int round = 0; round < 3; ++round) {
    while (atomicAdd(links, 0) != round * all + me) {
    }
    links[1] = links[1] * 3 % 1021 + me;
    __threadfence();
    if (round == 2) out[me] = links[1];
    atomicAdd(links, 1);
  }
}
static int afterTurns(int me) {
  int value = 0;
  for (int turn = 0; turn <= 2 * kThreads + me; ++turn) value = value * 3 % 1021 + turn % kThreads;
  return value;
}

// Asking a barrier instead of waiting at it.
__global__ void askBarrier(int* out) {
  using Barrier = musa::barrier<musa::thread_scope_block>;
  __shared__ Barrier barrier;
  __shared__ int values[kThreads];
  const int me = static_cast<int>(threadIdx.x);
  if (me == 0) init(&barrier, kThreads);
  __syncthreads();
  values[me] = me;
  Barrier::arrival_token token = barrier.arrive();
  while (!barrier.try_wait(std::move(token))) {
  }
  const int other = values[kThreads - 1 - me];
  (void)barrier.arrive();
  while (!barrier.try_wait_parity(true)) {
  }
  out[me] = other + me;
}

// Threads of a warp go step by step where memory is volatile: sums up to each thread of a row, then of the
// row.
__device__ void addUp(volatile int* row, int lane) {
  row[lane] += row[lane - 1];
  row[lane] += row[lane - 2];
  row[lane] += row[lane - 4];
  for (int distance = 8; distance < 32; distance *= 2) row[lane] += row[lane - distance];
}
__global__ void stepByStep(int* out) {
  __shared__ int rows[kThreads / 32][64];
  const int me = static_cast<int>(threadIdx.x), lane = me % 32;
  int* row = rows[me / 32];
  row[lane] = 0;
  row[32 + lane] = me;
  __syncthreads();
  addUp(row + 32, lane);
  volatile int* const sums = row;
  if (lane < 16) {
    sums[lane] = row[32 + lane] + row[48 + lane];
    if (lane < 8) sums[lane] = sums[lane] + sums[lane + 8];
    if (lane < 4) {
      sums[lane] = sums[lane] + sums[lane + 4];
      sums[lane] = sums[lane] + sums[lane + 2];
      sums[lane] = sums[lane] + sums[lane + 1];
    }
  }
  __syncthreads();
  out[me] = row[32 + lane] * 1000 + row[0] % 1000;
}

// What stepByStep() finds.
static int sumsAt(int me) {
  const int first = me - me % 32, lane = me - first;
  const auto upTo = [first](int last) { return (last + 1) * first + last * (last + 1) / 2; };
  int all = 0;
  for (int i = 0; i < 32; ++i) all += upTo(i);
  return upTo(lane) * 1000 + all % 1000;
}

template <class Kernel, class Expected>
static int wrong(const char* name, Kernel launch, Expected expected) {
  int *device, *links, out[kThreads], count = 0;
  if (musaMalloc(&device, sizeof out) != musaSuccess || musaMalloc(&links, sizeof out) != musaSuccess)
    return 1;
  musaMemset(links, 0, sizeof out);
  launch(links, device);
  const musaError_t error = musaMemcpy(out, device, sizeof out, musaMemcpyDeviceToHost);
  for (int i = 0; i < kThreads; ++i) count += out[i] != expected(i);
  if (error != musaSuccess || count > 0) printf("%s: %s, %d wrong\n", name, musaGetErrorString(error), count);
  musaFree(device);
  musaFree(links);
  return count + (error != musaSuccess);
}

int main() {
  int all = wrong(
      "waitForFlag", [](int*, int* out) { waitForFlag<<<1, kThreads>>>(out); }, [](int i) { return 41 + i; });
  all += wrong(
      "countUp", [](int*, int* out) { countUp<<<1, kThreads>>>(out); },
      [](int i) { return (kThreads - 1 - i) * 6; });
  all += wrong(
      "chain", [](int* links, int* out) { chain<<<1, kThreads>>>(links, out); },
      [](int i) { return kThreads / 32; });
  all += wrong(
      "waitByCall", [](int* links, int* out) { waitByCall<<<1, kThreads>>>(links, out); },
      [](int i) { return 41 + i; });
  all += wrong("takeTurns", [](int* links, int* out) { takeTurns<<<1, kThreads>>>(links, out); }, afterTurns);
  all += wrong(
      "askBarrier", [](int*, int* out) { askBarrier<<<1, kThreads>>>(out); },
      [](int) { return kThreads - 1; });
  all += wrong("stepByStep", [](int*, int* out) { stepByStep<<<1, kThreads>>>(out); }, sumsAt);
  return all > 0 ? 1 : 0;
}
