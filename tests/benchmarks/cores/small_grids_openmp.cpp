// The same as small_grids.mu, blocks shared out by OpenMP.
#include <cstdio>
#include <cstdlib>
#include <vector>

#include "block_work.h"

int main(int argc, char** argv) {
  if (argc != 5) return 2;
  const int blocks = std::atoi(argv[1]);
  const uint32_t steps = cores::stepsOf(std::atof(argv[2]));
  std::vector<float> out(size_t(blocks) * 16);
  const auto grid = [&] {
#pragma omp parallel for schedule(dynamic, 1)
    for (int block = 0; block < blocks; ++block) out[size_t(block) * 16] = cores::blockWork(0, steps);
  };
  std::printf("%.2f\n", cores::medianTime(grid, std::atoi(argv[3]), std::atoi(argv[4])));
}
