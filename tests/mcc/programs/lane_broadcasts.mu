// Elements that the lanes of a warp have in common: some lane writes one, the others read it, with no barrier
// in between. On hardware all lanes have come together before they read, and one load serves all before the
// next store. Checks itself.
#include <musa_runtime.h>

#include <cstdio>
#include <functional>

constexpr int kThreads = 128, kRounds = 5;

using Kernel = void (*)(int* out, const int* in, int* data);
// Of a lane of the warp whose first thread is `first`.
using Right = std::function<int(const int* in, int first, int lane)>;

// --- Written, then updated ---------------------------------------------------------------------------

template <int kBy>
__global__ void startedBy(int* out, const int* in, int*) {
  __shared__ int s[4];
  const int t = static_cast<int>(threadIdx.x), warp = t / 32, lane = t % 32;
  if (lane == kBy) s[warp] = 7;
  atomicAdd(&s[warp], in[t]);
  __syncwarp();
  out[t] = s[warp];
}

// --- Written, then read -----------------------------------------------------------------------------

template <int kBy>
__global__ void toldBy(int* out, const int* in, int*) {
  __shared__ int s[4];
  const int t = static_cast<int>(threadIdx.x), warp = t / 32, lane = t % 32;
  if (lane == kBy) s[warp] = in[t];
  out[t] = s[warp];
}

// By a lane that memory says.
__global__ void toldByAny(int* out, const int* in, int* data) {
  __shared__ int s[4];
  const int t = static_cast<int>(threadIdx.x), warp = t / 32, lane = t % 32;
  if (lane == data[0]) s[warp] = in[t];
  out[t] = s[warp];
}

// By the last lane that has something to tell.
__global__ void toldByLast(int* out, const int* in, int*) {
  __shared__ int s[4];
  const int t = static_cast<int>(threadIdx.x), warp = t / 32, lane = t % 32;
  const unsigned have = __ballot_sync(0xffffffffu, in[t] % 3 == 0);
  if (lane == 31 - __clz(static_cast<int>(have))) s[warp] = in[t];
  out[t] = s[warp];
}

__global__ void toldUnderConditions(int* out, const int* in, int* data) {
  __shared__ int s[4];
  const int t = static_cast<int>(threadIdx.x), warp = t / 32, lane = t % 32;
  if (lane == 31 && data[0] > 0) s[warp] = in[t];
  out[t] = s[warp];
}

__global__ void counted(int* out, const int* in, int*) {
  __shared__ int s[4];
  const int t = static_cast<int>(threadIdx.x), warp = t / 32, lane = t % 32;
  if (lane == 0) s[warp] = 0;
  __syncwarp();
  atomicAdd(&s[warp], in[t]);
  out[t] = s[warp];
}

__global__ void toldInVolatile(int* out, const int* in, int* data) {
  const int t = static_cast<int>(threadIdx.x), warp = t / 32, lane = t % 32;
  volatile int* s = data + 8;
  if (lane == 31) s[warp] = in[t];
  out[t] = s[warp];
}

// Code for one width of a warp.
__global__ void toldOn32(int* out, const int* in, int*) {
  __shared__ int s[4];
  const int t = static_cast<int>(threadIdx.x), warp = t / 32, lane = t % 32;
  if (lane == 31) s[warp] = in[t];
  if (warpSize != 32) __syncthreads();
  out[t] = s[warp];
}

__global__ void exchangedOn32(int* out, const int* in, int*) {
  __shared__ int s[kThreads];
  const int t = static_cast<int>(threadIdx.x);
  if (warpSize == 32) {
    s[t] = in[t];
    out[t] = s[t | 31];
  } else {
    out[t] = in[t | 31];
  }
}

// --- Read, then written -----------------------------------------------------------------------------

template <int kBy>
__global__ void replacedBy(int* out, const int* in, int*) {
  __shared__ int s[4];
  const int t = static_cast<int>(threadIdx.x), warp = t / 32, lane = t % 32;
  if (lane == 31) s[warp] = in[t];
  __syncwarp();
  const int first = s[warp];
  if (lane == kBy) s[warp] = first + 100;
  __syncwarp();
  out[t] = first * 1000 + s[warp];
}

__global__ void replacedInGlobal(int* out, const int* in, int* data) {
  const int t = static_cast<int>(threadIdx.x), warp = t / 32, lane = t % 32;
  if (lane == 31) data[warp + 8] = in[t];
  __syncwarp();
  const int first = data[warp + 8];
  if (lane == 5) data[warp + 8] = first + 100;
  __syncwarp();
  out[t] = first * 1000 + data[warp + 8];
}

__global__ void rounds(int* out, const int* in, int*) {
  __shared__ int s[4];
  const int t = static_cast<int>(threadIdx.x), warp = t / 32, lane = t % 32;
  int sum = 0;
  for (int round = 0; round < kRounds; ++round) {
    if (lane == 5) s[warp] = in[t] + round + sum;
    __syncwarp();
    sum = sum * 3 + s[warp];
  }
  out[t] = sum;
}

// The lane that writes is another one each time.
__global__ void inTurns(int* out, const int* in, int*) {
  __shared__ int s[4];
  const int t = static_cast<int>(threadIdx.x), warp = t / 32, lane = t % 32;
  int sum = 0;
  for (int round = 0; round < kRounds; ++round) {
    if (lane == round * 7) s[warp] = in[t] + sum;
    __syncwarp();
    sum = sum * 3 + s[warp];
  }
  out[t] = sum;
}

// A block of one warp.
__global__ void oneWarp(int* out, const int* in, int*) {
  __shared__ int s;
  const int t = static_cast<int>(threadIdx.x);
  int sum = 0;
  for (int round = 0; round < kRounds; ++round) {
    if (t == 5) s = in[t] + round + sum;
    __syncthreads();
    sum = sum * 3 + s;
  }
  out[t] = sum;
}

// The pivot of each column is read by all and replaced by one.
__global__ void pivots(int* out, const int* in, int*) {
  __shared__ int s[32];
  const int t = static_cast<int>(threadIdx.x);
  s[t] = in[t];
  __syncwarp();
  int sum = 0;
  for (int column = 0; column < 32; ++column) {
    const int pivot = s[column];
    if (t == column) s[column] = pivot + 1;
    __syncwarp();
    sum += pivot * 7 + s[column];
  }
  out[t] = sum;
}

static int wrong(const char* name, Kernel kernel, int threads, const Right& right, int* memory) {
  int *out = memory, *in = memory + kThreads, *data = memory + 2 * kThreads, count = 0;
  for (int i = 0; i < kThreads; ++i) out[i] = -1, in[i] = i * 37 % 101;
  for (int i = 0; i < 16; ++i) data[i] = i == 0 ? 30 : 0;
  kernel<<<1, threads>>>(out, in, data);
  const musaError_t error = musaDeviceSynchronize();
  for (int i = 0; i < threads; ++i) count += out[i] != right(in, i & ~31, i & 31);
  if (error != musaSuccess || count > 0)
    std::printf("%s: %s, %d wrong\n", name, musaGetErrorString(error), count);
  return count + (error != musaSuccess);
}

static Right of(int lane) {
  return [lane](const int* in, int first, int) { return in[first + lane]; };
}

static int sumOfRounds(const int* in, int first, int) {
  int sum = 0;
  for (int round = 0; round < kRounds; ++round) sum = sum * 3 + in[first + 5] + round + sum;
  return sum;
}

int main() {
  int* memory = nullptr;
  if (musaMallocManaged(&memory, 3 * kThreads * sizeof *memory) != musaSuccess) return 2;
  const Right replaced = [](const int* in, int first, int) { return in[first + 31] * 1001 + 100; };
  const Right last = [](const int* in, int first, int) {
    int lane = 31;
    while (in[first + lane] % 3 != 0) --lane;
    return in[first + lane];
  };
  const Right total = [](const int* in, int first, int) {
    int sum = 0;
    for (int i = 0; i < 32; ++i) sum += in[first + i];
    return sum;
  };
  const Right turns = [](const int* in, int first, int) {
    int sum = 0;
    for (int round = 0; round < kRounds; ++round) sum = sum * 3 + in[first + round * 7] + sum;
    return sum;
  };
  const Right pivoted = [](const int* in, int, int) {
    int sum = 0;
    for (int i = 0; i < 32; ++i) sum += in[i] * 8 + 1;
    return sum;
  };
  int count = 0;
  count += wrong("toldBy<0>", toldBy<0>, kThreads, of(0), memory);
  count += wrong("toldBy<13>", toldBy<13>, kThreads, of(13), memory);
  count += wrong("toldBy<31>", toldBy<31>, kThreads, of(31), memory);
  count += wrong("toldByAny", toldByAny, kThreads, of(30), memory);
  count += wrong("toldByLast", toldByLast, kThreads, last, memory);
  count += wrong("toldUnderConditions", toldUnderConditions, kThreads, of(31), memory);
  const Right started = [&](const int* in, int first, int lane) { return 7 + total(in, first, lane); };
  count += wrong("startedBy<0>", startedBy<0>, kThreads, started, memory);
  count += wrong("startedBy<20>", startedBy<20>, kThreads, started, memory);
  count += wrong("counted", counted, kThreads, total, memory);
  count += wrong("toldInVolatile", toldInVolatile, kThreads, of(31), memory);
  count += wrong("toldOn32", toldOn32, kThreads, of(31), memory);
  count += wrong("exchangedOn32", exchangedOn32, kThreads, of(31), memory);
  count += wrong("replacedBy<0>", replacedBy<0>, kThreads, replaced, memory);
  count += wrong("replacedBy<5>", replacedBy<5>, kThreads, replaced, memory);
  count += wrong("replacedInGlobal", replacedInGlobal, kThreads, replaced, memory);
  count += wrong("rounds", rounds, kThreads, sumOfRounds, memory);
  count += wrong("inTurns", inTurns, kThreads, turns, memory);
  count += wrong("oneWarp", oneWarp, 32, sumOfRounds, memory);
  count += wrong("pivots", pivots, 32, pivoted, memory);
  return count == 0 ? 0 : 1;
}
