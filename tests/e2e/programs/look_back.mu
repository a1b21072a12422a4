// A scan of many blocks whose warps look back by votes, as CUB's does: a warp spins until 32 blocks before
// its own have written. Prints "right" if the last sum is.
#include <musa_runtime.h>

#include <cstdio>

namespace {

constexpr int kBlocks = 40000, kThreads = 128, kWarp = 32, kEach = 4;
constexpr unsigned kAll = 0xffffffff;

using Entry = unsigned long long;  // what is known << 32 | a sum
constexpr Entry kOwn = 1ull << 32, kUpTo = 2ull << 32;

__device__ bool isUnknown(Entry entry) { return entry >> 32 == 0; }

// The sum of all blocks before this one. `entries` has a warp's worth of known ones in front.
__device__ int sumBefore(volatile const Entry* entries, int block) {
  const int lane = static_cast<int>(threadIdx.x);
  int sum = 0;
  for (int from = block - 1; block > 0; from -= kWarp) {
    Entry entry;
    do {
      __threadfence_block();
      entry = entries[kWarp + from - lane];
    } while (__any_sync(kAll, isUnknown(entry)));
    const unsigned complete = __ballot_sync(kAll, entry >> 32 == kUpTo >> 32);
    const int last = complete != 0 ? __ffs(static_cast<int>(complete)) - 1 : kWarp - 1;
    int part = lane <= last ? static_cast<int>(entry) : 0;
    for (int by = kWarp / 2; by > 0; by /= 2) part += __shfl_xor_sync(kAll, part, by);
    sum += part;
    if (complete != 0) break;
  }
  return sum;
}

__global__ void scan(volatile Entry* entries, int* sums) {
  __shared__ int total, before;
  const int block = static_cast<int>(blockIdx.x);
  if (threadIdx.x == 0) total = 0;
  __syncthreads();
  int mine = 0;
  for (int i = 0; i < kEach; ++i) mine += (block + i) % 3;
  atomicAdd(&total, mine);
  __syncthreads();
  if (threadIdx.x < kWarp) {
    if (threadIdx.x == 0) entries[kWarp + block] = (block > 0 ? kOwn : kUpTo) | static_cast<unsigned>(total);
    const int sum = sumBefore(entries, block);
    if (threadIdx.x == 0) {
      entries[kWarp + block] = kUpTo | static_cast<unsigned>(sum + total);
      before = sum;
    }
  }
  __syncthreads();
  if (threadIdx.x == 0) sums[block] = before + total;
}

}  // namespace

int main() {
  Entry* entries = nullptr;
  int *sums = nullptr, last = 0, wanted = 0;
  Entry known[kWarp];
  for (Entry& entry : known) entry = kUpTo;
  musaMalloc(&entries, (kBlocks + kWarp) * sizeof(Entry));
  musaMalloc(&sums, kBlocks * sizeof(int));
  musaMemset(entries, 0, (kBlocks + kWarp) * sizeof(Entry));
  musaMemcpy(entries, known, sizeof known, musaMemcpyHostToDevice);
  scan<<<kBlocks, kThreads>>>(entries, sums);
  musaMemcpy(&last, sums + kBlocks - 1, sizeof last, musaMemcpyDeviceToHost);
  for (int block = 0; block < kBlocks; ++block)
    for (int i = 0; i < kEach; ++i) wanted += kThreads * ((block + i) % 3);
  const musaError_t status = musaGetLastError();
  const bool isRight = status == musaSuccess && last == wanted;
  std::printf("%s %s\n", isRight ? "right" : "WRONG", musaGetErrorName(status));
  return isRight ? 0 : 1;
}
