// Barriers of a block by their numbers: pipelines of warps that have one role each, groups of warps of which
// some run ahead, a reduction, warps that end early and smaller last ones; what cannot come to an end is an
// error. Checks itself.
#include <musa_runtime.h>

#include <cstdio>
#include <cstdlib>
#include <vector>

constexpr int kSlots = 3;

// Warp 0 loads, warp 1 computes, warps 2 and 3 store: each hands over by a full and an empty barrier of each
// slot.
__global__ void pipeline(const int* in, int* out, int rounds) {
  __shared__ int loaded[kSlots][32], computed[kSlots][32];
  const int warp = static_cast<int>(threadIdx.x) / 32, lane = static_cast<int>(threadIdx.x) % 32;
  for (int round = 0; round < rounds; ++round) {
    const int slot = round % kSlots;
    const bool again = round >= kSlots;
    const auto number = [slot](int of) { return static_cast<unsigned>(1 + of * kSlots + slot); };
    if (warp == 0) {
      if (again) __musa_bar_sync(number(1), 64);
      loaded[slot][lane] = in[round * 32 + lane];
      __musa_bar_arrive(number(0), 64);
    } else if (warp == 1) {
      __musa_bar_sync(number(0), 64);
      if (again) __musa_bar_sync(number(3), 96);
      computed[slot][lane] = loaded[slot][31 - lane] * 2 + round;
      if (round + kSlots < rounds) __musa_bar_arrive(number(1), 64);
      __musa_bar_arrive(number(2), 96);
    } else {
      __musa_bar_sync(number(2), 96);
      out[(round * 2 + warp - 2) * 32 + lane] = computed[slot][lane] + warp;
      if (round + kSlots < rounds) __musa_bar_arrive(number(3), 96);
    }
  }
}

// Groups of two warps go round as often as they like. Only lanes that hold a bit go through the inner branch.
__global__ void groups(int* out) {
  __shared__ int values[256];
  const int group = static_cast<int>(threadIdx.x) / 64, me = static_cast<int>(threadIdx.x) % 64;
  int* const own = values + group * 64;
  int value = me + group;
  for (int round = 0; round <= group * 3; ++round) {
    if (value & 1) value += 3;
    own[me] = value;
    __musa_bar_sync(static_cast<unsigned>(group + 4), 64);
    value = own[(me + 17) % 64] + (me & round);
    __musa_bar_sync(static_cast<unsigned>(group + 4), 64);
  }
  const unsigned odd = __musa_bar_red_popc(static_cast<unsigned>(group + 4), 64, (value & 1) != 0);
  const bool any = __musa_bar_red_or(static_cast<unsigned>(group + 4), 64, me == 5 && group == 2);
  const bool all = __musa_bar_red_and(static_cast<unsigned>(group + 4), 64, group < 3 || me != 63);
  __syncthreads();
  out[threadIdx.x] = value * 1000 + static_cast<int>(odd) * 4 + any * 2 + all;
}

// A block of 80: its last warp has 16 threads, and half of the first one's end before.
__global__ void smaller(int* out) {
  __shared__ int values[80];
  const int me = static_cast<int>(threadIdx.x);
  values[me] = me;
  if (me % 2 == 1 && me < 32) return;
  __musa_bar_sync(9, 96);
  const int other = values[79 - me];
  __musa_bar_sync(10, 0);
  out[me] = other + 1;
}

// Some wait for one that never comes.
__global__ void alone(int* out) {
  if (threadIdx.x < 32) __musa_bar_sync(3, 64);
  out[threadIdx.x] = 1;
}
__global__ void crossed() {
  __musa_bar_sync(threadIdx.x < 32 ? 1 : 2, 64);
  __syncthreads();
}
__global__ void notThere() { __musa_bar_sync(16, 64); }
__global__ void halfOfWarp() { __musa_bar_sync(1, 16); }

static int failures = 0;

static void expect(const char* what, long long have, long long want) {
  if (have == want) return;
  if (++failures < 20) std::printf("%s: %lld, not %lld\n", what, have, want);
}

static int* managed(size_t count) {
  int* result = nullptr;
  if (musaMallocManaged(&result, count * sizeof(int)) != musaSuccess) std::abort();
  return result;
}

static void checkPipeline(int* in, int* out) {
  constexpr int kRounds = 20;
  for (int i = 0; i < kRounds * 32; ++i) in[i] = i * i % 101;
  pipeline<<<1, 128>>>(in, out, kRounds);
  expect("pipeline", musaDeviceSynchronize(), musaSuccess);
  for (int i = 0; i < kRounds * 64; ++i) {
    const int round = i / 64, warp = i / 32 % 2 + 2, lane = i % 32;
    expect("pipeline", out[i], in[round * 32 + 31 - lane] * 2 + round + warp);
  }
}

static void checkGroups(int* out) {
  groups<<<3, 256>>>(out);
  expect("groups", musaDeviceSynchronize(), musaSuccess);
  for (int group = 0; group < 4; ++group) {
    std::vector<int> values(64);
    for (int i = 0; i < 64; ++i) values[static_cast<size_t>(i)] = i + group;
    for (int round = 0; round <= group * 3; ++round) {
      for (int& value : values) value += value & 1 ? 3 : 0;
      std::vector<int> next(64);
      for (int i = 0; i < 64; ++i)
        next[static_cast<size_t>(i)] = values[static_cast<size_t>((i + 17) % 64)] + (i & round);
      values = next;
    }
    int odd = 0;
    for (const int value : values) odd += value & 1;
    for (int i = 0; i < 64; ++i)
      expect("groups", out[group * 64 + i],
             values[static_cast<size_t>(i)] * 1000 + odd * 4 + (group == 2) * 2 + (group < 3));
  }
}

template <typename Kernel, typename... Arguments>
static void expectError(const char* what, musaError_t want, Kernel kernel, Arguments... arguments) {
  kernel<<<1, 64>>>(arguments...);
  expect(what, musaDeviceSynchronize(), want);
  musaDeviceReset();
}

int main() {
  int *in = managed(1024), *out = managed(2048);
  checkPipeline(in, out);
  checkGroups(out);
  smaller<<<1, 80>>>(out);
  expect("smaller", musaDeviceSynchronize(), musaSuccess);
  for (int i = 0; i < 80; ++i) {
    if (i >= 32 || i % 2 == 0) expect("smaller", out[i], 80 - i);
  }
  expectError("alone", musaErrorLaunchTimeout, alone, out);
  expectError("crossed", musaErrorLaunchTimeout, crossed);
  expectError("number", musaErrorLaunchFailure, notThere);
  expectError("count", musaErrorLaunchFailure, halfOfWarp);
  std::printf("%d failures\n", failures);
  return failures == 0 ? 0 : 1;
}
