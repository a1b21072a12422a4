// A variable that one thread sets and all hand over: for a shuffle, a vote, a group, or a function.
#include <cooperative_groups.h>

#include "../../framework/buffers.h"

CONFORMANCE_CASE("warp.leader_values");

#pragma diag_suppress 549  // used before its value is set: that is the case

namespace cg = cooperative_groups;

constexpr unsigned kAll = 0xffffffffu;
constexpr int kThreads = 96;

template <class T>
__global__ void shuffled(T* count, T* got) {
  T place;
  if (threadIdx.x % 32 == 0) place = atomicAdd(count, T(32));
  place = __shfl_sync(kAll, place, 0);
  got[threadIdx.x] = place % 32 + threadIdx.x % 32;
}

__global__ void shuffledDouble(double* count, double* got) {
  double place;
  if (threadIdx.x % 32 == 3) place = atomicAdd(count, 32.0);
  got[threadIdx.x] = __shfl_sync(kAll, place, 3) >= 0 ? 1 : -1;
}

__global__ void voted(int* count, unsigned* got) {
  int isFirst;
  if (threadIdx.x % 32 == 5) isFirst = atomicAdd(count, 1) >= 0;
  got[threadIdx.x] = __ballot_sync(kAll, isFirst) >> 5 & 1;
}

__global__ void tiles(int* count, int* got) {
  const auto tile = cg::tiled_partition<8>(cg::this_thread_block());
  int place;
  if (tile.thread_rank() == 0) place = atomicAdd(count, 8);
  place = tile.shfl(place, 0);
  got[threadIdx.x] = place % 8 + static_cast<int>(tile.thread_rank());
}

// One update for all that found something.
__device__ int aggregated(int* count) {
  const cg::coalesced_group found = cg::coalesced_threads();
  int place;
  if (found.thread_rank() == 0) place = atomicAdd(count, static_cast<int>(found.size()));
  return found.shfl(place, 0) + static_cast<int>(found.thread_rank());
}

__global__ void filtered(int* count, int* marks) {
  if (threadIdx.x % 3 != 0 && threadIdx.x % 5 != 0) atomicAdd(&marks[aggregated(count)], 1);
}

__device__ __noinline__ int chosen(int value, bool isSet) { return isSet ? value >= 0 : 3; }

__global__ void passedOn(int* count, int* got) {
  int value;
  const bool isSet = threadIdx.x % 4 == 1;
  if (isSet) value = atomicAdd(count, 1);
  got[threadIdx.x] = chosen(value, isSet);
}

struct Found {
  int place, rank;
};

__global__ void inStructures(int* count, int* got) {
  Found found;
  if (threadIdx.x % 32 == 31) found = {atomicAdd(count, 1), 7};
  const auto place = [](int mine) { return __shfl_sync(kAll, mine, 31); };
  got[threadIdx.x] = (place(found.place) >= 0) + 10 * place(found.rank);
}

template <class Kernel, class T, class U>
static void observe(const char* name, Kernel kernel, const DeviceArray<T>& count, const DeviceArray<U>& got) {
  kernel<<<1, kThreads>>>(count.data(), got.data());
  OBSERVE(std::string(name) + "_count", joined(count.read()));
  OBSERVE(std::string(name) + "_got", joined(got.read()));
}

int main() {
  observe("int", shuffled<int>, DeviceArray<int>(1), DeviceArray<int>(kThreads));
  observe("unsigned_long", shuffled<unsigned long long>, DeviceArray<unsigned long long>(1),
          DeviceArray<unsigned long long>(kThreads));
  observe("double", shuffledDouble, DeviceArray<double>(1), DeviceArray<double>(kThreads));
  observe("vote", voted, DeviceArray<int>(1), DeviceArray<unsigned>(kThreads));
  observe("tile", tiles, DeviceArray<int>(1), DeviceArray<int>(kThreads));
  observe("coalesced", filtered, DeviceArray<int>(1), DeviceArray<int>(kThreads));
  observe("function", passedOn, DeviceArray<int>(1), DeviceArray<int>(kThreads));
  observe("structure", inStructures, DeviceArray<int>(1), DeviceArray<int>(kThreads));
}
