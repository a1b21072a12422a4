// Lanes of a warp that exchange data round after round, some of them in a branch or a loop: the others wait
// where the ways join. Beside conformance/cases/warp/joins.cu: in functions, with lanes that go to the next
// round or end. Checks itself.
#include <musa_runtime.h>

#include <cstdio>
#include <functional>

constexpr int kThreads = 64, kRounds = 6;

using Kernel = void (*)(int* out, int rounds);

__host__ __device__ int put(int round, int lane) { return (round * 7 + lane * 3) % 11; }

__device__ __noinline__ int fromNeighbour(const volatile int* s, int t) { return s[t ^ 1]; }

// The exchange is in a function that some lanes call.
__global__ void called(int* out, int rounds) {
  __shared__ volatile int s[kThreads];
  const int t = static_cast<int>(threadIdx.x), lane = t & 31;
  for (int r = 0; r < rounds; ++r) {
    s[t] = put(r, lane);
    if (lane % 3 == 0) out[t] += fromNeighbour(s, t);
  }
}

// Lanes that have nothing to do in a round go to the next at once.
__global__ void continued(int* out, int rounds) {
  __shared__ volatile int s[kThreads];
  const int t = static_cast<int>(threadIdx.x), lane = t & 31;
  for (int i = lane; i < rounds * 32; i += 32) {
    const int r = i / 32;
    s[t] = put(r, lane);
    if ((lane + r) % 2 == 0) continue;
    out[t] += s[t ^ 1];
    if ((lane + r) % 4 == 1) continue;
    out[t] += 3 * s[t ^ 2];
  }
}

// Lanes end in different rounds, from within a branch.
__global__ void ended(int* out, int rounds) {
  __shared__ volatile int s[kThreads];
  const int t = static_cast<int>(threadIdx.x), lane = t & 31;
  s[t] = 0;
  for (int r = 0; r < rounds; ++r) {
    s[t] = put(r, lane);
    if (lane & 1) {
      if (lane / 2 < r) return;
      out[t] += s[t ^ 1];
    }
    out[t] += 5 * s[t & ~1];
  }
}

// A loop in a loop, both left by lanes in turn.
__global__ void nested(int* out, int rounds) {
  __shared__ volatile int s[kThreads];
  const int t = static_cast<int>(threadIdx.x), lane = t & 31, base = t & ~31;
  for (int r = 0; r < rounds; ++r) {
    s[t] = put(r, lane);
    for (int q = 0;; ++q) {
      if (q >= (lane + r) % 4) break;
      for (int k = 0; k < lane % 3; ++k) out[t] += s[base + (lane ^ (q * 4 + k))];
      if (s[base + ((lane + q) & 31)] % 5 == 4) break;
    }
  }
}

// Those who are active are all, once they have met.
__global__ void active(int* out, int rounds) {
  __shared__ volatile int s[kThreads];
  const int t = static_cast<int>(threadIdx.x), lane = t & 31;
  for (int r = 0; r < rounds; ++r) {
    s[t] = put(r, lane);
    if (lane & 1) out[t] += s[t - 1];
    out[t] += __popc(__activemask());
  }
}

static int wrong(const char* name, Kernel kernel, const std::function<int(int, int)>& expected, int* out) {
  int count = 0;
  for (int i = 0; i < kThreads; ++i) out[i] = 0;
  kernel<<<1, kThreads>>>(out, kRounds);
  const musaError_t error = musaDeviceSynchronize();
  for (int i = 0; i < kThreads; ++i) {
    int sum = 0;
    for (int r = 0; r < kRounds; ++r) sum += expected(r, i % 32);
    count += out[i] != sum;
  }
  if (error != musaSuccess || count > 0)
    std::printf("%s: %s, %d wrong\n", name, musaGetErrorString(error), count);
  return count + (error != musaSuccess);
}

static int ofContinued(int r, int lane) {
  if ((lane + r) % 2 == 0) return 0;
  return put(r, lane ^ 1) + ((lane + r) % 4 == 1 ? 0 : 3 * put(r, lane ^ 2));
}

static int ofEnded(int r, int lane) {
  if ((lane & 1) == 0) return 5 * put(r, lane);
  return lane / 2 < r ? 0 : put(r, lane ^ 1) + 5 * put(r, lane & ~1);
}

static int ofNested(int r, int lane) {
  int sum = 0;
  for (int q = 0; q < (lane + r) % 4; ++q) {
    for (int k = 0; k < lane % 3; ++k) sum += put(r, lane ^ (q * 4 + k));
    if (put(r, (lane + q) & 31) % 5 == 4) break;
  }
  return sum;
}

int main() {
  int* out = nullptr;
  musaMallocManaged(&out, kThreads * sizeof *out);
  int all =
      wrong("called", called, [](int r, int lane) { return lane % 3 == 0 ? put(r, lane ^ 1) : 0; }, out);
  all += wrong("continued", continued, ofContinued, out);
  all += wrong("ended", ended, ofEnded, out);
  all += wrong("active", active, [](int r, int lane) { return 32 + (lane & 1 ? put(r, lane - 1) : 0); }, out);
  all += wrong("nested", nested, ofNested, out);
  return all > 0 ? 1 : 0;
}
