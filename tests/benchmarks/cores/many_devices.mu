// The same kernel on all devices at once. Prints how long it takes as a multiple of the ideal, what one
// device takes by itself for as many blocks as all have:
//   many_devices BLOCKS_OF_EACH MICROSECONDS_OF_A_BLOCK TIMES
#include <cstdlib>

#include "block_work.h"
#include "harness/musa.h"

__global__ void work(float* out, uint32_t steps) { out[blockIdx.x * 16] = cores::blockWork(0, steps); }

int main(int argc, char** argv) {
  if (argc != 4) return 2;
  int devices = 0;
  BENCH_MUSA(musaGetDeviceCount(&devices));
  const unsigned blocks = std::atoi(argv[1]);
  const uint32_t steps = cores::stepsOf(std::atof(argv[2]));
  std::vector<musaStream_t> streams(devices);
  std::vector<float*> outs(devices);
  for (int i = 0; i < devices; ++i) {
    BENCH_MUSA(musaSetDevice(i));
    BENCH_MUSA(musaStreamCreateWithFlags(&streams[i], musaStreamNonBlocking));
    BENCH_MUSA(musaMalloc(&outs[i], size_t(blocks) * devices * 16 * sizeof(float)));
  }
  const auto one = [&] {
    BENCH_MUSA(musaSetDevice(0));
    work<<<blocks * devices, 1, 0, streams[0]>>>(outs[0], steps);
    BENCH_MUSA(musaStreamSynchronize(streams[0]));
  };
  const auto all = [&] {
    for (int i = 0; i < devices; ++i) {
      BENCH_MUSA(musaSetDevice(i));
      work<<<blocks, 1, 0, streams[i]>>>(outs[i], steps);
    }
    for (int i = 0; i < devices; ++i) BENCH_MUSA(musaStreamSynchronize(streams[i]));
  };
  const int times = std::atoi(argv[3]);
  const double alone = cores::medianTime(one, times, 0), together = cores::medianTime(all, times, 0);
  std::printf("%.3f %.1f %.1f\n", together / alone, together, alone);
}
