// Lanes of a warp that exchange data through shared memory with no barrier in between, or with fences alone, as
// programs of all ages do: on hardware they move together.
#include "../../framework/buffers.h"

CONFORMANCE_CASE("warp.lockstep");

constexpr int kThreads = 128;

using Kernel = void (*)(int* out, const int* in);

struct Pair {
  int first;
  double second;
};

// --- Straight exchanges ---------------------------------------------------------------------------

__global__ void reversed(int* out, const int* in) {
  __shared__ int s[kThreads];
  const int t = threadIdx.x, lane = t & 31, base = t & ~31;
  s[base + lane] = in[t];
  out[t] = s[base + 31 - lane];
}

__global__ void transposed(int* out, const int* in) {
  __shared__ int tile[16 * 72];
  const int lane = threadIdx.x & 7, group = threadIdx.x >> 3;
  int* mine = &tile[group * 72];
  for (int i = 0; i < 8; i++) mine[lane * 9 + i] = in[threadIdx.x] * (i + 1);
  int sum = 0;
  for (int i = 0; i < 8; i++) sum = sum * 3 + mine[i * 9 + lane];
  for (int i = 0; i < 8; i++) mine[i * 9 + lane] = sum + i;
  for (int i = 0; i < 8; i++) sum ^= mine[lane * 9 + i];
  out[threadIdx.x] = sum;
}

__global__ void structures(int* out, const int* in) {
  __shared__ Pair s[kThreads];
  const int t = threadIdx.x, lane = t & 31, base = t & ~31;
  s[t].first = in[t];
  s[t].second = in[t] * 0.5;
  const Pair other = s[base + (lane ^ 5)];
  out[t] = other.first + static_cast<int>(other.second * 4);
}

__global__ void wide(int* out, const int* in) {
  __shared__ unsigned long long s[kThreads];
  const int t = threadIdx.x, lane = t & 31, base = t & ~31;
  s[t] = static_cast<unsigned long long>(in[t]) * 0x100000001ull;
  const unsigned long long other = s[base + ((lane + 7) & 31)];
  out[t] = static_cast<int>(other >> 32) - static_cast<int>(other) / 2;
}

__global__ void bytes(int* out, const int* in) {
  __shared__ unsigned char s[kThreads];
  const int t = threadIdx.x, lane = t & 31, base = t & ~31;
  s[t] = static_cast<unsigned char>(in[t]);
  out[t] = s[base + (31 - lane)] * 256 + s[base + (lane ^ 1)];
}

__global__ void ofTwoDimensions(int* out, const int* in) {
  __shared__ int s[16][9];
  const int t = threadIdx.x, x = t & 7, y = t >> 3;
  s[y][x] = in[t];
  const int first = y & ~3;  // four rows of eight are a warp
  out[t] = s[first + (x & 3)][(y & 3) * 2 + (x >> 2)];
}

__global__ void ofDynamicMemory(int* out, const int* in) {
  extern __shared__ int s[];
  const int t = threadIdx.x, lane = t & 31, base = t & ~31;
  s[base + lane] = in[t];
  out[t] = s[base + ((lane * 5 + 3) & 31)];
}

__device__ int exchanged(int* s, int lane, int value) {
  s[lane] = value;
  return s[lane ^ 16];
}

__global__ void inFunctions(int* out, const int* in) {
  __shared__ int s[kThreads];
  const int t = threadIdx.x, lane = t & 31, base = t & ~31;
  out[t] = exchanged(s + base, lane, in[t]) * 3 + exchanged(s + base, lane, in[t] + t);
}

// --- Loops --------------------------------------------------------------------------------------------

__global__ void lastWarp(int* out, const int* in) {
  __shared__ int s[kThreads];
  const int t = threadIdx.x;
  s[t] = in[t];
  __syncthreads();
  if (t < 64) s[t] += s[t + 64];
  __syncthreads();
  if (t < 32) {
    volatile int* v = s;
    v[t] += v[t + 32];
    v[t] += v[t + 16];
    v[t] += v[t + 8];
    v[t] += v[t + 4];
    v[t] += v[t + 2];
    v[t] += v[t + 1];
  }
  __syncthreads();
  out[t] = s[0];
}

__global__ void fencedScan(int* out, const int* in) {
  __shared__ int sums[4 * 48];
  const int t = threadIdx.x, lane = t & 31, at = t / 32 * 48 + lane + 16;
  sums[at - 16] = 0;
  sums[at] = in[t];
  __threadfence_block();
  sums[at] += sums[at - 1];
  __threadfence_block();
  sums[at] += sums[at - 2];
  __threadfence_block();
  sums[at] += sums[at - 4];
  __threadfence_block();
  sums[at] += sums[at - 8];
  __threadfence_block();
  sums[at] += sums[at - 16];
  __threadfence_block();
  out[t] = sums[at];
}

__global__ void conditionalScan(int* out, const int* in) {
  __shared__ volatile int s[kThreads];
  const int t = threadIdx.x, lane = t & 31;
  s[t] = in[t];
#pragma unroll
  for (int d = 1; d < 32; d *= 2) {
    if (lane >= d) s[t] = s[t] + s[t - d];
  }
  out[t] = s[t];
}

__global__ void rotations(int* out, const int* in) {
  __shared__ volatile int s[kThreads];
  const int t = threadIdx.x, lane = t & 31, base = t & ~31;
  int value = in[t];
#pragma unroll 1
  for (int i = 0; i < 10; i++) {
    s[t] = value;
    value = s[base + ((lane + 1) & 31)] + i;
  }
  out[t] = value;
}

__global__ void sorted(int* out, const int* in) {
  __shared__ volatile int s[kThreads];
  const int t = threadIdx.x, lane = t & 31, base = t & ~31;
  s[t] = in[t];
  for (int size = 2; size <= 32; size *= 2) {
    for (int step = size / 2; step > 0; step /= 2) {
      const int mine = s[t], other = s[base + (lane ^ step)];
      const bool up = (lane & size) == 0, low = (lane & step) == 0;
      s[t] = (up == low) == (mine < other) ? mine : other;
    }
  }
  out[t] = s[t];
}

// --- Lanes that go other ways ------------------------------------------------------------------------

__global__ void halves(int* out, const int* in) {
  __shared__ int s[kThreads];
  const int t = threadIdx.x, lane = t & 31, base = t & ~31;
  if (lane < 16)
    s[t] = in[t] * 2;
  else
    s[t] = in[t] * 3;
  out[t] = s[base + 31 - lane];
}

__global__ void earlyExits(int* out, const int* in) {
  __shared__ volatile int s[kThreads];
  const int t = threadIdx.x, lane = t & 31, base = t & ~31;
  out[t] = -1;
  if (lane >= 20) return;
  s[t] = in[t];
  out[t] = s[base + 19 - lane];
}

static void observe(const char* name, Kernel kernel) {
  std::vector<int> values(kThreads);
  for (int i = 0; i < kThreads; ++i) values[i] = i * 37 % 101 + i % 3;
  DeviceArray<int> in(values), out(kThreads);
  kernel<<<1, kThreads, kThreads * sizeof(int)>>>(out.data(), in.data());
  OBSERVE(name, joined(out.read()));
}

int main() {
  observe("reversed", reversed);
  observe("transposed", transposed);
  observe("structures", structures);
  observe("wide", wide);
  observe("bytes", bytes);
  observe("of_two_dimensions", ofTwoDimensions);
  observe("of_dynamic_memory", ofDynamicMemory);
  observe("in_functions", inFunctions);
  observe("last_warp", lastWarp);
  observe("fenced_scan", fencedScan);
  observe("conditional_scan", conditionalScan);
  observe("rotations", rotations);
  observe("sorted", sorted);
  observe("halves", halves);
  observe("early_exits", earlyExits);
}
