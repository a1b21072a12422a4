// Kernels that lane_kernels_test.cpp runs: compiled by the device pass, called as plain
// functions by one host thread per lane.
#include <cooperative_groups.h>
#include <cooperative_groups/memcpy_async.h>
#include <cooperative_groups/reduce.h>
#include <cooperative_groups/scan.h>
#include <musa_bf16.h>
#include <musa_fp16.h>

namespace cg = cooperative_groups;

extern "C" __global__ void shuffleKernel(int* ints, double* doubles, half2* halves, long long* longs) {
  const unsigned rank = threadIdx.x;
  ints[rank] = __shfl_sync(0xffffffffu, int(rank) * 10, 3, 8);
  doubles[rank] = __shfl_down_sync(0xffffffffu, rank + 0.25, 4);
  halves[rank] = __shfl_xor_sync(0xffffffffu, half2(half(int(rank)), half(-1.0f)), 1);
  longs[rank] = __shfl_up_sync(0xffffffffu, (long long)rank << 40, 2u, 16);
}

extern "C" __global__ void voteKernel(unsigned* ballots, int* all, unsigned* sums, int* lows, unsigned* matches) {
  const unsigned rank = threadIdx.x, odd = 0xaaaaaaaau;
  if (rank % 2 == 1) {
    ballots[rank] = __ballot_sync(odd, rank % 4 == 1);
    all[rank] = __all_sync(odd, rank > 0) * 2 + __any_sync(odd, rank == 0);
    sums[rank] = __reduce_add_sync(odd, rank);
    lows[rank] = __reduce_min_sync(odd, -int(rank));
    matches[rank] = __match_any_sync(odd, (unsigned long long)(rank / 8) << 33);
  }
}

// Block-wide sum through any kind of group.
__device__ int sumThrough(cg::thread_group group, int* scratch, int value) {
  const unsigned rank = unsigned(group.thread_rank());
  for (unsigned half = unsigned(group.size()) / 2; half > 0; half /= 2) {
    scratch[rank] = value;
    group.sync();
    if (rank < half) value += scratch[rank + half];
    group.sync();
  }
  return value;
}

struct Triple {
  double a;
  int b, c;
};

extern "C" __global__ void groupKernel(int* scratch, int* results, Triple* triples) {
  const cg::thread_block block = cg::this_thread_block();
  const unsigned rank = block.thread_rank();
  int* const row = results + rank * 16;
  row[0] = sumThrough(block, scratch, int(rank));

  const cg::thread_block_tile<8> tile = cg::tiled_partition<8>(block);
  row[1] = cg::reduce(tile, int(rank), cg::plus<int>());
  row[2] = int(tile.meta_group_rank() * 100 + tile.meta_group_size());
  row[3] = tile.shfl(int(rank), 5);
  row[4] = int(tile.ballot(rank % 3 == 0));
  row[5] = cg::exclusive_scan(tile, int(rank % 8) + 1);
  const auto quarter = cg::tiled_partition<2>(tile);
  row[6] = int(quarter.meta_group_rank() * 100 + quarter.meta_group_size());
  const cg::thread_group four = cg::tiled_partition(block, 4);
  row[7] = sumThrough(four, scratch + rank / 4 * 4, 1);

  const auto parity = cg::binary_partition(tile, rank % 2 == 1);
  row[8] = cg::reduce(parity, int(rank), cg::greater<int>());
  row[9] = int(parity.thread_rank() * 100 + parity.size());
  row[10] = parity.shfl_down(int(rank), 1);
  const auto labels = cg::labeled_partition(tile, int(rank % 8 / 3));
  row[11] = int(labels.meta_group_rank() * 100 + labels.size());
  row[12] = cg::inclusive_scan(labels, 1);

  triples[rank] = tile.shfl_xor(Triple{rank + 0.5, int(rank), -int(rank)}, 7);
  block.sync();  // others may read `scratch` still, and write their results
  cg::memcpy_async(block, scratch, results, sizeof(int) * 37);
  cg::wait(block);
  row[13] = scratch[36];
}

extern "C" __global__ void atomicKernel(int* sum, unsigned* wrapped, unsigned* down, float* real, half* small,
                                        __mt_bfloat162* pair, unsigned long long* largest, int* claims) {
  for (int i = 0; i < 200; ++i) {
    atomicAdd(sum, int(threadIdx.x));
    atomicInc(wrapped, 6u);
    atomicDec(down, 9u);
    atomicAdd(real, 0.5f);
    atomicMax(largest, (unsigned long long)threadIdx.x << 32);
  }
  atomicAdd(small, half(0.25f));
  atomicAdd_block(pair, __mt_bfloat162(1, 2));
  if (atomicCAS(claims, 0, 1 + int(threadIdx.x)) == 0) atomicExch_system(claims + 1, 7);
}

struct Shape {
  __device__ virtual int area() const { return 0; }
  __device__ virtual ~Shape() {}
};
struct Square : Shape {
  int side;
  explicit __device__ Square(int s) : side(s) {}
  __device__ int area() const override { return side * side; }
};

extern "C" __global__ void heapKernel(int* results) {
  int* const numbers = static_cast<int*>(malloc(4 * sizeof(int)));
  numbers[3] = int(threadIdx.x);
  Shape* const shape = new Square(numbers[3]);
  results[threadIdx.x] = shape->area();
  delete shape;
  free(numbers);
  if (threadIdx.x == 3) printf("thread %u of %u, %s %.2f\n", threadIdx.x, blockDim.x, "says", 1.5);
  if (threadIdx.x == 5) assert(results == nullptr);
}

extern "C" __global__ void indexKernel(unsigned* results) {
  const dim3 copy = blockDim, start(threadIdx);
  const uint3 block = blockIdx;
  results[0] = start.x + 10 * start.y + 100 * start.z;
  results[1] = copy.x + 10 * copy.y + 100 * copy.z;
  results[2] = block.x + 10 * block.y + 100 * block.z;
  results[3] = gridDim.x + 10 * gridDim.y + 100 * gridDim.z;
  results[4] = unsigned(warpSize);
  results[5] = unsigned(cg::this_grid().thread_rank());
}
