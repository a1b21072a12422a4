// Matches of whole warps: with few and many different values, of 4 and 8 bytes, with masks that name a part,
// and with ways that depend on what they gave.
#include <musa_runtime.h>

#include <cstdio>
#include <cstring>

constexpr int kThreads = 288, kGroup = 32;
constexpr unsigned kAll = 0xffffffffu;

struct Found {
  unsigned any, all, ofPart, allOfPart;
  int holds, partHolds, ways;
};

// The mask names the caller, and those of its group that are with it: all, halves, or every other lane.
__host__ __device__ unsigned maskOf(int form, unsigned lane) {
  const unsigned masks[] = {kAll, lane < 16 ? 0x0000ffffu : 0xffff0000u,
                            lane % 2 == 0 ? 0x55555555u : 0xaaaaaaaau};
  return masks[form];
}

template <typename T>
__global__ void match(const T* in, int form, Found* out) {
  const unsigned lane = threadIdx.x % kGroup;
  const T value = in[threadIdx.x];
  const unsigned mask = maskOf(form, lane);
  Found found;
  found.any = __match_any_sync(kAll, value);
  found.all = __match_all_sync(kAll, value, &found.holds);
  found.ofPart = __match_any_sync(mask, value);
  found.allOfPart = __match_all_sync(mask, value, &found.partHolds);
  found.ways = 0;
  if (found.holds) found.ways += static_cast<int>(__ballot_sync(kAll, lane != 7));
  if (found.partHolds) found.ways += static_cast<int>(__ballot_sync(mask, lane != 9)) * 3;
  out[threadIdx.x] = found;
}

template <typename T>
Found expected(const T* in, int threads, int form, int thread) {
  const int first = thread / kGroup * kGroup;
  const unsigned mask = maskOf(form, static_cast<unsigned>(thread % kGroup));
  unsigned here = 0, same = 0;
  for (int lane = 0; lane < kGroup && first + lane < threads; ++lane) {
    here |= 1u << lane;
    if (std::memcmp(&in[first + lane], &in[thread], sizeof(T)) == 0) same |= 1u << lane;
  }
  Found found;
  found.any = same;
  found.holds = same == here;
  found.all = found.holds ? same : 0;
  found.ofPart = same & mask;
  found.partHolds = found.ofPart == (mask & here);
  found.allOfPart = found.partHolds ? found.ofPart : 0;
  found.ways = 0;
  if (found.holds) found.ways += static_cast<int>(here & ~(1u << 7));
  if (found.partHolds) found.ways += static_cast<int>(here & mask & ~(1u << 9)) * 3;
  return found;
}

template <typename T>
int wrongOf(const char* name, int values, T (*make)(int)) {
  T* in = nullptr;
  Found* out = nullptr;
  if (musaMallocManaged(&in, kThreads * sizeof(T)) != musaSuccess) return 1;
  if (musaMallocManaged(&out, kThreads * sizeof(Found)) != musaSuccess) return 1;
  unsigned state = 7;
  for (int i = 0; i < kThreads; ++i) {
    state = state * 1664525u + 1013904223u;
    in[i] = make(static_cast<int>((state >> 8) % static_cast<unsigned>(values)));
    if (i / kGroup == 2) in[i] = make(i);            // all different
    if (i / 16 == 7 || i / 16 >= 10) in[i] = in[0];  // a part of a group, and a whole one
  }
  int wrong = 0;
  for (const int threads : {kThreads, kThreads - 9}) {  // the last warp is not full
    for (int form = 0; form < 3; ++form) {
      match<<<1, threads>>>(in, form, out);
      if (musaDeviceSynchronize() != musaSuccess) return 1;
      for (int i = 0; i < threads; ++i) {
        const Found want = expected(in, threads, form, i);
        if (std::memcmp(&want, &out[i], sizeof want) == 0) continue;
        if (wrong++ == 0) std::printf("%s: thread %d of %d, form %d\n", name, i, threads, form);
      }
    }
  }
  musaFree(in);
  musaFree(out);
  return wrong;
}

int main() {
  int wrong = 0;
  for (const int values : {1, 2, 5, 16, 1000}) {
    wrong +=
        wrongOf<unsigned>("unsigned", values, [](int i) { return static_cast<unsigned>(i) * 0x01010101u; });
    wrong += wrongOf<float>("float", values, [](int i) { return i % 2 == 0 ? 0.0f : -0.0f; });  // bits count
    wrong += wrongOf<long long>("long long", values, [](int i) { return static_cast<long long>(i) << 35; });
    wrong += wrongOf<double>("double", values, [](int i) { return i * 0.3; });
  }
  std::printf("%d wrong\n", wrong);
  return wrong != 0;
}
