// Which checked kernels need a stack for each thread: those that let others have an address of a private
// variable, and none of those whose closures and references are gone once they are inlined.
#include <cooperative_groups/reduce.h>

namespace cg = cooperative_groups;

__global__ void reducesTiles(const double* in, double* out) {
  extern __shared__ double sums[];
  cg::thread_block block = cg::this_thread_block();
  cg::thread_block_tile<32> tile = cg::tiled_partition<32>(block);
  sums[block.thread_rank()] = cg::reduce(tile, in[block.thread_rank()], cg::plus<double>());
  cg::sync(block);
  out[block.thread_rank()] = sums[0];
}

template <typename Body>
__device__ void twice(Body body) {
  body();
  body();
}

__global__ void callsClosures(int* out) {
  int mine = static_cast<int>(threadIdx.x);
  int* const place = &mine;
  twice([&] { *place += __shfl_xor_sync(0xffffffff, mine, 1); });
  out[threadIdx.x] = mine;
}

__global__ void givesAway(int* out) {
  __shared__ int* pointer;
  int mine[2] = {static_cast<int>(threadIdx.x), 1};
  if (threadIdx.x == 0) pointer = mine;
  __syncthreads();
  out[threadIdx.x] = *pointer;
  __syncthreads();
}

int main() {}
