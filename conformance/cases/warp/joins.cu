// Lanes of a warp that exchange data round after round with fences but no barrier, where some of them leave
// for a branch or a loop: on hardware the others wait where the ways join, so that nobody writes before all
// have read.
#include "../../framework/buffers.h"

CONFORMANCE_CASE("warp.joins");

constexpr int kLanes = 32, kThreads = 2 * kLanes, kRounds = 8, kShapes = 10;

__device__ int put(int round, int lane) { return (round * 7 + lane * 3) % 11; }

// What a lane does with what the others have put there.
template <int kShape, typename Elements>
__device__ void look(Elements& all, int me, int lane, int* mine) {
  const int base = me - lane;
  if (kShape == 0) *mine += all[base + (lane + 1) % 32];
  if (kShape == 1 && (lane & 1)) *mine += all[me - 1];
  if (kShape == 2 && lane < 16) *mine += all[me + 16];
  if (kShape == 3) {
    for (int q = 0; q < (lane & 3); ++q) *mine += all[base + (lane ^ (q + 1))];
  }
  if (kShape == 4) {
    for (int q = 0; q < (lane & 3); ++q) *mine += q;
    *mine += all[base + (lane ^ 1)];
  }
  if (kShape == 5) {
    if (lane & 1)
      *mine += all[me - 1];
    else
      *mine -= all[me + 1];
  }
  if (kShape == 6) {
    switch (lane & 3) {
      case 0:
        *mine += all[me + 3];
        break;
      case 1:
        *mine += all[me + 1];
        break;
      case 2:
        break;
      default:
        *mine -= all[me - 3];
    }
  }
  if (kShape == 7 && lane == 31) {
    int sum = 0;
    for (int q = 0; q < 32; ++q) sum += all[base + q];
    *mine += sum;
  }
  if (kShape == 8) {  // a branch in a branch
    if (lane & 1) {
      if (lane & 2) *mine += all[me - 3];
      *mine += 2 * all[me - 1];
    }
  }
  if (kShape == 9) {  // lanes leave a loop one after the other
    for (int q = 1; q < 32; q *= 2) {
      if (lane < q) break;
      *mine += q * all[me - q];
    }
  }
}

template <int kShape, bool kStrided>
__global__ void fenced(int* out, int rounds) {
  __shared__ int all[kThreads];
  const int lane = threadIdx.x & 31, me = threadIdx.x;
  for (int i = kStrided ? lane : 0; i < (kStrided ? rounds * kLanes : rounds); i += kStrided ? kLanes : 1) {
    all[me] = put(kStrided ? i / kLanes : i, lane);
    __threadfence_block();
    look<kShape>(all, me, lane, out + me);
  }
}

template <int kShape, bool kStrided>
__global__ void stepped(int* out, int rounds) {
  __shared__ volatile int all[kThreads];
  const int lane = threadIdx.x & 31, me = threadIdx.x;
  for (int i = kStrided ? lane : 0; i < (kStrided ? rounds * kLanes : rounds); i += kStrided ? kLanes : 1) {
    all[me] = put(kStrided ? i / kLanes : i, lane);
    look<kShape>(all, me, lane, out + me);
  }
}

static void observe(const std::string& name, void (*kernel)(int*, int)) {
  DeviceArray<int> out(std::vector<int>(kThreads, 0));
  kernel<<<1, kThreads>>>(out.data(), kRounds);
  OBSERVE(name, joined(out.read()));
}

template <int kShape>
static void observeShape() {
  const std::string name = std::to_string(kShape);
  observe("fenced_" + name, fenced<kShape, false>);
  observe("fenced_strided_" + name, fenced<kShape, true>);
  observe("volatile_" + name, stepped<kShape, false>);
  observe("volatile_strided_" + name, stepped<kShape, true>);
  if constexpr (kShape + 1 < kShapes) observeShape<kShape + 1>();
}

int main() { observeShape<0>(); }
