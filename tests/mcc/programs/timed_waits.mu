// Threads that wait for a time wait side by side, as on a GPU: a block takes as long as one of its threads.
#include <musa_runtime.h>

#include <chrono>
#include <cstdio>

__global__ void waitByClock64(long long ticks, unsigned* out) {
  const long long start = clock64();
  long long past = 0;
  while (past < ticks) past = clock64() - start;
  out[threadIdx.x] = past >= ticks;
}

__global__ void waitByClock(clock_t ticks, unsigned* out) {
  const unsigned start = (unsigned)clock();
  clock_t past = 0;
  while (past < ticks) {
    const unsigned now = (unsigned)clock();
    past = (clock_t)(now - start);
  }
  out[threadIdx.x] = past >= ticks;
}

int main() {
  constexpr int kThreads = 512;
  int kilohertz = 0;
  unsigned* out = nullptr;
  if (musaDeviceGetAttribute(&kilohertz, musaDevAttrClockRate, 0) != musaSuccess) return 2;
  if (musaMallocManaged(&out, kThreads * sizeof *out) != musaSuccess) return 2;
  int wrong = 0;
  for (const bool is64 : {true, false}) {
    for (int i = 0; i < kThreads; ++i) out[i] = 0;
    const auto start = std::chrono::steady_clock::now();
    if (is64) {
      waitByClock64<<<1, kThreads>>>(20LL * kilohertz, out);
    } else {
      waitByClock<<<1, kThreads>>>(20 * (clock_t)kilohertz, out);
    }
    if (musaDeviceSynchronize() != musaSuccess) return 2;
    const auto took =
        std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - start).count();
    // One after the other they would take 10 seconds of a processor.
    if (took < 20 || took > 5000) {
      std::printf("%s: %d threads waited 20 ms each, and together %.0f ms\n", is64 ? "clock64" : "clock",
                  kThreads, took);
      ++wrong;
    }
    for (int i = 0; i < kThreads; ++i) wrong += out[i] != 1;
  }
  std::printf("%d wrong\n", wrong);
  return wrong != 0;
}
