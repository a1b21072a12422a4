// What an atomic update of a shared variable gives is each thread's own, also behind a barrier: places in an
// array, who was first, what was there before. Checks itself.
#include <musa_runtime.h>

#include <algorithm>
#include <cstdio>
#include <vector>

constexpr int kThreads = 192;

// Each thread has a place of its own.
template <typename Word>
__global__ void places(unsigned* out) {
  __shared__ Word next;
  if (threadIdx.x == 0) next = 0;
  __syncthreads();
  const Word mine = atomicAdd(&next, Word{1});
  __syncthreads();
  out[threadIdx.x] = static_cast<unsigned>(mine);
}

__global__ void placesDown(unsigned* out) {
  __shared__ unsigned left;
  if (threadIdx.x == 0) left = blockDim.x;
  __syncthreads();
  const unsigned mine = atomicSub(&left, 1u) - 1;
  __syncthreads();
  out[threadIdx.x] = mine;
}

__global__ void placesAround(unsigned* out) {
  __shared__ unsigned next;
  if (threadIdx.x == 0) next = 0;
  __syncthreads();
  const unsigned mine = atomicInc(&next, 0xffffu);
  __syncthreads();
  out[threadIdx.x] = mine;
}

// Only some threads take one, in several rounds, with warp operations in between.
__global__ void compacted(unsigned* out) {
  __shared__ unsigned next;
  if (threadIdx.x == 0) next = 0;
  __syncthreads();
  for (unsigned round = 0; round < 3; ++round) {
    const bool takes = threadIdx.x % 3 == round;
    unsigned mine = 0;
    if (takes) mine = atomicAdd(&next, 1u);
    __syncwarp();
    const unsigned other = __shfl_xor_sync(0xffffffffu, mine, 1);
    __syncthreads();
    if (takes) out[mine] = mine + 0 * other;
  }
}

// A chain: what a thread finds is what another has put there. 0 begins it.
__global__ void chained(unsigned* out) {
  __shared__ unsigned last;
  if (threadIdx.x == 0) last = 0;
  __syncthreads();
  const unsigned before = atomicExch(&last, threadIdx.x + 1);
  __syncthreads();
  out[threadIdx.x] = before;
  if (before == 0) out[blockDim.x] = last;
}

// One of all is first, and does something with its warp and the block.
__global__ void firstOfAll(unsigned* out) {
  __shared__ unsigned taken, who, came;
  if (threadIdx.x == 0) taken = who = came = 0;
  __syncthreads();
  const bool isFirst = atomicCAS(&taken, 0u, threadIdx.x + 1) == 0;
  if (isFirst) {
    who = threadIdx.x + 1;
    __syncwarp(1u << (threadIdx.x % 32));
    atomicAdd(&came, 1u);
  }
  __syncthreads();
  out[threadIdx.x] = who == taken && came == 1 ? threadIdx.x : 0xffffffffu;
}

// One comes to an empty place.
__global__ void greatest(unsigned* out) {
  __shared__ unsigned most;
  if (threadIdx.x == 0) most = 0;
  __syncthreads();
  const unsigned before = atomicMax(&most, (threadIdx.x * 37) % blockDim.x + 1);
  __syncthreads();
  out[threadIdx.x] = before <= blockDim.x && most == blockDim.x ? threadIdx.x : before;
  __syncthreads();
  if (before == 0) atomicAdd(&out[blockDim.x], 1u);
}

static int check(const char* name, void (*kernel)(unsigned*), unsigned* out, bool isChain) {
  std::fill(out, out + kThreads + 1, 0u);
  kernel<<<1, kThreads>>>(out);
  const musaError_t error = musaDeviceSynchronize();
  std::vector<unsigned> seen(out, out + kThreads);
  if (isChain) seen.push_back(out[kThreads]);
  std::sort(seen.begin(), seen.end());
  int wrong = 0;
  for (unsigned i = 0; i < seen.size(); ++i) wrong += seen[i] != i;
  if (error == musaSuccess && wrong == 0) return 0;
  std::printf("%s: %s, %d wrong\n", name, musaGetErrorString(error), wrong);
  return 1;
}

int main() {
  unsigned* out = nullptr;
  musaMallocManaged(&out, (kThreads + 1) * sizeof *out);
  int all = check("places", places<unsigned>, out, false);
  all += check("places of int", places<int>, out, false);
  all += check("places of 64 bits", places<unsigned long long>, out, false);
  all += check("places of float", places<float>, out, false);
  all += check("placesDown", placesDown, out, false);
  all += check("placesAround", placesAround, out, false);
  all += check("compacted", compacted, out, false);
  all += check("chained", chained, out, true);
  all += check("firstOfAll", firstOfAll, out, false);
  all += check("greatest", greatest, out, false);
  if (out[kThreads] != 1) std::printf("greatest: %u came first\n", out[kThreads]), ++all;
  return all;
}
