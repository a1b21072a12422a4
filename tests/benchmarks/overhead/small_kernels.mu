// Small kernels, launched one after another and waited for at the end. Prints wall and processor time of a
// launch in nanoseconds: the least of several rounds. small_kernels BLOCKS THREADS LAUNCHES ROUNDS
#include <time.h>

#include <algorithm>
#include <cstdlib>

#include "harness/musa.h"

__global__ void add(const float* a, const float* b, float* sum) {
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  sum[i] = a[i] + b[i];
}

namespace {

double now(clockid_t clock) {
  timespec time;
  clock_gettime(clock, &time);
  return double(time.tv_sec) * 1e9 + double(time.tv_nsec);
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 5) return 2;
  const unsigned blocks = std::atoi(argv[1]), threads = std::atoi(argv[2]);
  const int launches = std::atoi(argv[3]), rounds = std::atoi(argv[4]);
  bench::DeviceBuffer<float> a(blocks * threads), b(blocks * threads), sum(blocks * threads);
  a.clear();
  b.clear();
  bench::Stream stream;
  double wall = 1e300, processor = 1e300;
  for (int round = 0; round < rounds; ++round) {
    const double start = now(CLOCK_MONOTONIC), used = now(CLOCK_PROCESS_CPUTIME_ID);
    for (int i = 0; i < launches; ++i) add<<<blocks, threads, 0, stream>>>(a.data(), b.data(), sum.data());
    stream.wait();
    wall = std::min(wall, now(CLOCK_MONOTONIC) - start);
    processor = std::min(processor, now(CLOCK_PROCESS_CPUTIME_ID) - used);
  }
  std::printf("%.1f %.1f\n", wall / launches, processor / launches);
}
