// Grids of few blocks, each launched and waited for. Prints microseconds, the median of TIMES:
//   small_grids BLOCKS MICROSECONDS_OF_A_BLOCK TIMES PAUSE_MICROSECONDS
#include <cstdlib>

#include "block_work.h"
#include "harness/musa.h"

__global__ void work(float* out, uint32_t steps) { out[blockIdx.x * 16] = cores::blockWork(0, steps); }

int main(int argc, char** argv) {
  if (argc != 5) return 2;
  const unsigned blocks = std::atoi(argv[1]);
  const uint32_t steps = cores::stepsOf(std::atof(argv[2]));
  bench::DeviceBuffer<float> out(blocks * 16);
  bench::Stream stream;
  const auto grid = [&] {
    work<<<blocks, 1, 0, stream>>>(out.data(), steps);
    stream.wait();
  };
  std::printf("%.2f\n", cores::medianTime(grid, std::atoi(argv[3]), std::atoi(argv[4])));
}
