// Lanes of a warp that store to elements that data says and load their own, or the other way about, with no
// barrier in between: all have stored before any loads, as on hardware. Checks itself.
#include <musa_runtime.h>

#include <cstdio>

constexpr int kWarps = 4, kThreads = 32 * kWarps, kItems = 3;

struct Pair {
  int key, value;
};

using Kernel = void (*)(int* out, const int* in, const int* rank);

// `rank` is a permutation of the lanes of a warp.
__global__ void scattered(int* out, const int* in, const int* rank) {
  __shared__ int s[32];
  const int t = static_cast<int>(threadIdx.x), lane = t & 31;
  if (t >= 32) return;
  s[rank[lane]] = in[t];
  out[t] = s[lane];
}

__global__ void gathered(int* out, const int* in, const int* rank) {
  __shared__ int s[32];
  const int t = static_cast<int>(threadIdx.x), lane = t & 31;
  if (t >= 32) return;
  s[lane] = in[t];
  out[t] = s[rank[lane]];
}

// Each warp in a row of its own, whose number is computed, is an index of the block, or leads to a pointer.
__global__ void inRows(int* out, const int* in, const int* rank) {
  __shared__ int s[kWarps][32];
  const int t = static_cast<int>(threadIdx.x), lane = t % 32;
  s[t / 32][rank[lane]] = in[t];
  out[t] = s[t / 32][lane];
}

__global__ void inMaskedRows(int* out, const int* in, const int* rank) {
  __shared__ int s[kThreads];
  const int t = static_cast<int>(threadIdx.x), lane = t & 31;
  s[(t & ~31) + rank[lane]] = in[t];
  out[t] = s[t];
}

__global__ void inRowsOfBlock(int* out, const int* in, const int* rank) {
  __shared__ int s[kWarps][32];
  const int row = static_cast<int>(threadIdx.y), lane = static_cast<int>(threadIdx.x);
  s[row][rank[lane]] = in[row * 32 + lane];
  out[row * 32 + lane] = s[row][lane];
}

__global__ void gatheredInRows(int* out, const int* in, const int* rank) {
  __shared__ int s[kWarps][32];
  const int row = static_cast<int>(threadIdx.y), lane = static_cast<int>(threadIdx.x);
  int* mine = s[row];
  mine[lane] = in[row * 32 + lane];
  out[row * 32 + lane] = mine[rank[lane]];
}

// Several items of each lane, in loops that are taken apart or stay.
template <int kUnrolled>
__global__ void items(int* out, const int* in, const int* rank) {
  __shared__ Pair s[32 * kItems + 1];
  const int t = static_cast<int>(threadIdx.x), lane = t & 31;
  Pair items[kItems];
  int ranks[kItems], sum = 0;
  for (int i = 0; i < kItems; ++i) {
    ranks[i] = rank[lane] * kItems + i;
    items[i] = {in[t] + i, in[t] - i};
  }
  for (int warp = 0; warp < kWarps; ++warp) {
    __syncthreads();
    if (warp == t / 32) {
#pragma unroll kUnrolled
      for (int i = 0; i < kItems; ++i) s[ranks[i]] = items[i];
#pragma unroll kUnrolled
      for (int i = 0; i < kItems; ++i) items[i] = s[i * 32 + lane];
    }
  }
  for (int i = 0; i < kItems; ++i) sum += items[i].key * (i + 1) + items[i].value;
  out[t] = sum;
}

// Adding is no store, but lanes wait for it all the same.
__global__ void added(int* out, const int* in, const int* rank) {
  __shared__ int s[32];
  const int t = static_cast<int>(threadIdx.x);
  if (t < 32) s[t] = 1;
  __syncthreads();
  if (t >= 32) return;
  atomicAdd(&s[rank[t]], in[t]);
  out[t] = s[t] - 1;
}

__global__ void inDynamic(int* out, const int* in, const int* rank) {
  extern __shared__ int dynamic[];
  const int t = static_cast<int>(threadIdx.x), lane = t & 31;
  if (t >= 32) return;
  dynamic[lane] = 0;
  out[t] = dynamic[31 - lane];
  dynamic[rank[lane]] = in[t];
  out[t] += dynamic[lane];
}

// --- The test ---------------------------------------------------------------------------------------

static int rankOf(int lane) { return (lane * 11 + 5) % 32; }
static int inverse(int rank) {
  int lane = 0;
  while (rankOf(lane) != rank) ++lane;
  return lane;
}
static int valueOf(int t) { return t * 37 % 101; }

static int scatteredTo(int t) { return valueOf((t & ~31) + inverse(t & 31)); }
static int gatheredFrom(int t) { return valueOf((t & ~31) + rankOf(t & 31)); }
static int itemsOf(int t) {
  int sum = 0;
  for (int i = 0; i < kItems; ++i) {
    const int at = i * 32 + (t & 31), value = valueOf((t & ~31) + inverse(at / kItems));
    sum += (value + at % kItems) * (i + 1) + value - at % kItems;
  }
  return sum;
}

static int* data = nullptr;

static int wrong(const char* name, Kernel kernel, int (*expected)(int), dim3 block, int count) {
  int *out = data, *in = data + kThreads, *rank = data + 2 * kThreads;
  for (int t = 0; t < kThreads; ++t) out[t] = -1, in[t] = valueOf(t), rank[t] = rankOf(t & 31);
  kernel<<<1, block, 32 * sizeof(int)>>>(out, in, rank);
  const musaError_t error = musaDeviceSynchronize();
  int bad = 0;
  for (int t = 0; t < count; ++t) bad += out[t] != expected(t);
  if (error != musaSuccess || bad > 0)
    std::printf("%s: %s, %d wrong\n", name, musaGetErrorString(error), bad);
  return bad + (error != musaSuccess);
}

int main() {
  musaMallocManaged(&data, 3 * kThreads * sizeof *data);
  const dim3 rows(32, kWarps);
  int all = wrong("scattered", scattered, scatteredTo, kThreads, 32);
  all += wrong("scattered, one warp", scattered, scatteredTo, 32, 32);
  all += wrong("gathered", gathered, gatheredFrom, kThreads, 32);
  all += wrong("inRows", inRows, scatteredTo, kThreads, kThreads);
  all += wrong("inMaskedRows", inMaskedRows, scatteredTo, kThreads, kThreads);
  all += wrong("inRowsOfBlock", inRowsOfBlock, scatteredTo, rows, kThreads);
  all += wrong("gatheredInRows", gatheredInRows, gatheredFrom, rows, kThreads);
  all += wrong("items", items<1>, itemsOf, kThreads, kThreads);
  all += wrong("items, unrolled", items<kItems>, itemsOf, kThreads, kThreads);
  all += wrong("added", added, scatteredTo, kThreads, 32);
  all += wrong("inDynamic", inDynamic, scatteredTo, kThreads, 32);
  return all > 0 ? 1 : 0;
}
