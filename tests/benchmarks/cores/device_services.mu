// What all threads of a device share: its heap, its printf buffer, counters at one address, lines with
// counters of several blocks, fresh memory. Prints nanoseconds of each operation, all threads together: with
// more threads it should not grow.
//   device_services
#include <unistd.h>

#include <cstdio>
#include <cstdlib>

#include "block_work.h"
#include "harness/musa.h"

constexpr unsigned kBlocks = 256, kThreads = 64, kTimes = 16;

__global__ void heap(unsigned* failed) {
  for (unsigned i = 0; i < kTimes; ++i) {
    auto* const memory = static_cast<unsigned*>(malloc(16 + 16 * ((threadIdx.x + i) % 4)));
    if (memory == nullptr) {
      atomicAdd(failed, 1);
      continue;
    }
    *memory = i;
    free(memory);
  }
}
__global__ void print() {
  if (threadIdx.x == 0) printf("block %d of %d\n", blockIdx.x, gridDim.x);
}
__global__ void count(unsigned* counter) {
  for (unsigned i = 0; i < kTimes; ++i) atomicAdd(counter, 1);
}
__global__ void ticket(unsigned* counter, unsigned* out) {
  for (unsigned i = 0; i < kTimes; ++i) out[atomicAdd(counter, 1)] = blockIdx.x;
}
// Sixteen blocks' counters lie in one line.
__global__ void neighbours(unsigned* counters) {
  for (unsigned i = 0; i < kTimes; ++i) {
    if (threadIdx.x == 0) *reinterpret_cast<volatile unsigned*>(counters + blockIdx.x) += i;
    __syncthreads();
  }
}
__global__ void fill(float* out, size_t count) {
  for (size_t i = blockIdx.x * blockDim.x + threadIdx.x; i < count; i += size_t(gridDim.x) * blockDim.x)
    out[i] = 1;
}

int main() {
  bench::Stream stream;
  bench::DeviceBuffer<unsigned> counters(kBlocks), out(kBlocks * kThreads * kTimes);
  const auto measure = [&](const char* name, double operations, auto&& launch) {
    const auto run = [&] {
      launch();
      stream.wait();
    };
    run();
    std::printf("%-12s %9.2f\n", name, cores::medianTime(run, 21, 0) * 1000 / operations);
    std::fflush(stdout);
  };
  constexpr double kAll = double(kBlocks) * kThreads * kTimes;
  const auto zero = [&] {
    BENCH_MUSA(musaMemsetAsync(counters.data(), 0, kBlocks * sizeof(unsigned), stream));
  };
  measure("heap", kAll, [&] { heap<<<kBlocks, kThreads, 0, stream>>>(counters.data()); });
  measure("count", kAll, [&] { count<<<kBlocks, kThreads, 0, stream>>>(counters.data()); });
  measure("ticket", kAll, [&] {
    zero();
    ticket<<<kBlocks, kThreads, 0, stream>>>(counters.data(), out.data());
  });
  measure("neighbours", double(kBlocks) * kTimes,
          [&] { neighbours<<<kBlocks, kThreads, 0, stream>>>(counters.data()); });
  constexpr size_t kMemory = size_t{64} << 20;
  measure("fresh page", kMemory / 4096.0, [&] {
    float* memory = nullptr;
    BENCH_MUSA(musaMalloc(&memory, kMemory));
    fill<<<1024, 256, 0, stream>>>(memory, kMemory / sizeof(float));
    stream.wait();
    BENCH_MUSA(musaFree(memory));
  });
  // What kernels print goes nowhere meanwhile.
  const int console = dup(STDOUT_FILENO);
  if (console < 0 || std::freopen("/dev/null", "w", stdout) == nullptr) return 1;
  const double printed = [&] {
    const auto run = [&] {
      print<<<kBlocks, kThreads, 0, stream>>>();
      stream.wait();
    };
    run();
    return cores::medianTime(run, 21, 0);
  }();
  dprintf(console, "%-12s %9.2f\n", "printf", printed * 1000 / kBlocks);
}
