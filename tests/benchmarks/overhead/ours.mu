// What launching costs, apart from the work: prints one line "NAME NANOSECONDS BAR UNIT" per figure, each the
// median of several rounds.
#include <algorithm>
#include <functional>
#include <vector>

#include "harness/musa.h"

__global__ void touch(unsigned* last) {
  if (threadIdx.x == 0) last[blockIdx.x & 1023] = blockIdx.x;
}

__global__ void touchWithBarrier(unsigned* last) {
  __shared__ unsigned value;
  if (threadIdx.x == 0) value = blockIdx.x;
  __syncthreads();
  if (threadIdx.x == 31) last[blockIdx.x & 1023] = value;
}

namespace {

double median(int rounds, const std::function<void()>& round) {
  std::vector<double> samples;
  round();
  for (int i = 0; i < rounds; ++i) {
    const auto start = std::chrono::steady_clock::now();
    round();
    samples.push_back(
        std::chrono::duration<double, std::nano>(std::chrono::steady_clock::now() - start).count());
  }
  std::nth_element(samples.begin(), samples.begin() + rounds / 2, samples.end());
  return samples[rounds / 2];
}

// The blocks that ran last must be those of the grid, or the figures mean nothing.
void checkTouched(bench::DeviceBuffer<unsigned>& last, unsigned blocks) {
  std::vector<unsigned> host(1024);
  last.read(host.data());
  for (unsigned block = 0; block < 1024; ++block) {
    const unsigned value = host[block];
    if (block < blocks && (value >= blocks || value % 1024 != block)) {
      std::fprintf(stderr, "block %u did not run\n", block);
      std::exit(1);
    }
  }
}

}  // namespace

int main(int argc, char** argv) {
  const bool quick = argc > 1 && std::strcmp(argv[1], "--quick") == 0;
  const int rounds = 9, launches = quick ? 500 : 5000;
  const unsigned blocks = quick ? 100'000 : 1'000'000;
  bench::Stream stream;
  bench::DeviceBuffer<unsigned> last(1024);

  auto launchMany = [&](auto kernel) {
    last.clear();
    const double spent = median(rounds, [&] {
      for (int i = 0; i < launches; ++i) kernel<<<1, 32, 0, stream>>>(last.data());
      stream.wait();
    });
    checkTouched(last, 1);
    return spent / launches;
  };
  auto launchWide = [&](auto kernel) {
    last.clear();
    const double spent = median(rounds, [&] {
      kernel<<<blocks, 32, 0, stream>>>(last.data());
      stream.wait();
    });
    checkTouched(last, blocks);
    return spent / blocks;
  };
  std::printf("launch_1x32 %.1f 1000 ns per launch of 1 block of 32 threads, many in the stream\n",
              launchMany(touch));
  std::printf("launch_1x32_barrier %.1f 1000 ns the same with a barrier\n", launchMany(touchWithBarrier));
  std::printf("tiny_blocks %.1f 50 ns per block of 32 threads, %u blocks\n", launchWide(touch), blocks);
  std::printf("tiny_blocks_barrier %.1f 50 ns the same with a barrier\n", launchWide(touchWithBarrier));
  const double wait = median(quick ? 101 : 1001, [&] {
    touch<<<1, 32, 0, stream>>>(last.data());
    stream.wait();
  });
  std::printf("launch_and_wait %.1f - ns from launch to the end of the wait for it\n", wait);
  return 0;
}
