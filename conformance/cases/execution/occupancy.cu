// Occupancy questions.
#include "../../framework/observe.h"

CONFORMANCE_CASE("execution.occupancy");

__global__ void kernel(int* out) { *out = 1; }

int main() {
  int blocks = -1;
  OBSERVE("blocks", cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, kernel, 256, 0));
  OBSERVE("some_fit", blocks > 0);
  OBSERVE("zero_threads", cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, kernel, 0, 0));
  OBSERVE("too_many_threads", cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, kernel, 2048, 0));
  OBSERVE("too_many_threads_blocks", blocks);
  OBSERVE("null_result", cudaOccupancyMaxActiveBlocksPerMultiprocessor(nullptr, kernel, 256, 0));
  int grid = 0;
  int block = 0;
  OBSERVE("suggest", cudaOccupancyMaxPotentialBlockSize(&grid, &block, kernel, 0, 0));
  OBSERVE("suggested_grid_positive", grid > 0);
  OBSERVE("suggested_block_positive", block > 0);
  OBSERVE("suggest_with_limit", cudaOccupancyMaxPotentialBlockSize(&grid, &block, kernel, 0, 64));
  OBSERVE("limit_kept", block <= 64);
}
