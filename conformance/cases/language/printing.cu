// printf in kernels: formats, its result, and when text appears.
#include "../../framework/buffers.h"
#include "../../framework/capture.h"

CONFORMANCE_CASE("language.printing");

__global__ void formats(int* results) {
  results[0] = printf("d=%d u=%u x=%x c=%c s=%s\n", -5, 4000000000u, 0xbeef, 'k', "text");
  results[1] = printf("f=%f e=%.3e g=%g ll=%lld\n", 1.5, 12345.678, 0.0001, 1ll << 40);
  results[2] = printf("w=[%5d] z=[%05d] l=[%-5d] p=%%\n", 42, 42, 42);
  results[3] = printf("no arguments\n");
}

__global__ void counted(int launch) {
  if (threadIdx.x == 0) printf("launch %d\n", launch);
}

__global__ void eachThread() { printf("%d;", static_cast<int>(threadIdx.x)); }

int main() {
  DeviceArray<int> results(4);
  CapturedOutput capture;
  formats<<<1, 1>>>(results.data());
  cudaDeviceSynchronize();
  const std::string formatted = capture.soFar();
  for (int i = 0; i < 4; ++i) counted<<<1, 32>>>(i);
  cudaDeviceSynchronize();
  const std::string launches = capture.soFar().substr(formatted.size());
  eachThread<<<1, 64>>>();
  cudaStreamSynchronize(nullptr);
  const std::string threads = capture.finish().substr(formatted.size() + launches.size());

  OBSERVE("formats", formatted);
  OBSERVE("results", joined(results.read()));
  OBSERVE("launches_in_order", launches);
  int lines = 0;
  for (const char c : threads) lines += c == ';' ? 1 : 0;
  OBSERVE("one_each_thread", lines);
}
