// What a call costs, beside the same on an H200 (CUDA 12, measured with the same loops).
#include <algorithm>
#include <chrono>
#include <cstdio>
#include <functional>

#include "support.h"

namespace {

using namespace musashim::test;

void check(musaError_t error) {
  if (error == musaSuccess) return;
  std::fprintf(stderr, "%s\n", musaGetErrorName(error));
  std::exit(1);
}

// The best of several rounds, in nanoseconds per call.
double measure(int calls, const std::function<void()>& round) {
  double best = 1e30;
  for (int i = 0; i < 15; ++i) {
    auto start = std::chrono::steady_clock::now();
    round();
    std::chrono::duration<double, std::nano> spent = std::chrono::steady_clock::now() - start;
    best = std::min(best, spent.count() / calls);
  }
  return best;
}

void report(const char* what, double ns, double h200) {
  std::printf("%-38s %10.0f ns %10.0f ns on an H200\n", what, ns, h200);
}

}  // namespace

int main() {
  constexpr int kCalls = 1000;
  check(musaSetDevice(0));
  check(launch(kernels.empty, 1, 1, 0, nullptr));
  check(musaDeviceSynchronize());
  musaStream_t stream = nullptr;
  check(musaStreamCreateWithFlags(&stream, musaStreamNonBlocking));
  auto each = [&](auto&& call) {
    return measure(kCalls, [&] {
      for (int i = 0; i < kCalls; ++i) check(call());
      check(musaStreamSynchronize(stream));
    });
  };

  report("launch, 1000 then synchronise", each([&] { return launch(kernels.empty, 1, 1, 0, stream); }), 2444);
  report("launch + synchronise", each([&] {
           check(launch(kernels.empty, 1, 1, 0, stream));
           return musaStreamSynchronize(stream);
         }),
         7269);
  {
    // A chain of 20 kernels, as programs capture one.
    musaGraph_t graph = nullptr;
    musaGraphExec_t exec = nullptr;
    check(musaStreamBeginCapture(stream, musaStreamCaptureModeThreadLocal));
    for (int i = 0; i < 20; ++i) check(launch(kernels.empty, 1, 1, 0, stream));
    check(musaStreamEndCapture(stream, &graph));
    check(::musaGraphInstantiate(&exec, graph, 0));
    report("20-kernel graph, launch", each([&] { return musaGraphLaunch(exec, stream); }), 0);
    report("20-kernel graph, launch + synchronise", each([&] {
             check(musaGraphLaunch(exec, stream));
             return musaStreamSynchronize(stream);
           }),
           18856);
    check(musaGraphExecDestroy(exec));
    check(musaGraphDestroy(graph));
  }
  musaEvent_t event = nullptr;
  check(musaEventCreateWithFlags(&event, musaEventDefault));
  report("event record", each([&] { return musaEventRecord(event, stream); }), 705);
  int* device = nullptr;
  int host = 0;
  check(::musaMalloc(reinterpret_cast<void**>(&device), sizeof host));
  report("4 bytes host to device",
         each([&] { return musaMemcpy(device, &host, sizeof host, musaMemcpyHostToDevice); }), 6560);
  report("4 bytes device to host",
         each([&] { return musaMemcpy(&host, device, sizeof host, musaMemcpyDeviceToHost); }), 6560);
}
