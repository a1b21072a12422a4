// What a call costs, beside the same on an H200 (CUDA 12, measured with the same loops).
#include <functional>

#include "bench.h"

namespace musashim::bench {
namespace {

using test::kernels;
using test::launch;

constexpr int kCalls = 1000;
constexpr int kRounds = 31;

// The bar is half of what the call costs on an H200.
void report(const char* what, double ns, double h200) {
  std::printf("%-40s %9.0f ns %9.0f ns %7.2f%s\n", what, ns, h200, ns / h200,
              ns <= h200 / 2 ? "" : "   ABOVE HALF");
}

class Calls {
 public:
  Calls() {
    check(musaStreamCreateWithFlags(&stream_, musaStreamNonBlocking));
    check(musaStreamCreateWithFlags(&other_, musaStreamNonBlocking));
    check(musaEventCreateWithFlags(&event_, musaEventDefault));
    check(::musaMalloc(reinterpret_cast<void**>(&device_), kBytes));
    check(::musaMalloc(reinterpret_cast<void**>(&second_), kBytes));
  }
  ~Calls() {
    check(musaFree(second_));
    check(musaFree(device_));
    check(musaEventDestroy(event_));
    check(musaStreamDestroy(other_));
    check(musaStreamDestroy(stream_));
  }

  void launches() {
    report("launch, 1000 then synchronise", each([&] { return launch(kernels.empty, 1, 1, 0, stream_); }),
           2573);
    report("launch with arguments, 1000 then ...",
           each([&] { return launch(kernels.addOne, 1, 1, 0, stream_, device_, 1, 1); }), 2459);
    report("launch + synchronise", each([&] {
             check(launch(kernels.empty, 1, 1, 0, stream_));
             return musaStreamSynchronize(stream_);
           }),
           7269);
  }

  void events() {
    report("event record", each([&] { return musaEventRecord(event_, stream_); }), 705);
    report("event record + synchronise", each([&] {
             check(musaEventRecord(event_, stream_));
             return musaEventSynchronize(event_);
           }),
           6282);
    report("record, and wait in another stream", each([&] {
             check(musaEventRecord(event_, stream_));
             return musaStreamWaitEvent(other_, event_, 0);
           }),
           3213);
    report("query of an idle stream", each([&] { return musaStreamQuery(stream_); }), 1224);
  }

  void copies() {
    int host = 0;
    report("4 bytes host to device",
           each([&] { return musaMemcpy(device_, &host, sizeof host, musaMemcpyHostToDevice); }), 6560);
    report("4 bytes device to host",
           each([&] { return musaMemcpy(&host, device_, sizeof host, musaMemcpyDeviceToHost); }), 6833);
    report("4 bytes device to device + synchronise", each([&] {
             check(musaMemcpy(second_, device_, sizeof host, musaMemcpyDeviceToDevice));
             return musaDeviceSynchronize();
           }),
           7996);
  }

  void memory() {
    void* pointer = nullptr;
    report("malloc + free of 1 MiB", each([&] {
             check(::musaMalloc(&pointer, kBytes));
             return musaFree(pointer);
           }),
           1975);
    report("malloc + free of 1 MiB in stream order", each([&] {
             check(::musaMallocAsync(&pointer, kBytes, stream_));
             return musaFreeAsync(pointer, stream_);
           }),
           886);
    musaPointerAttributes attributes;
    report("attributes of a pointer", each([&] { return musaPointerGetAttributes(&attributes, device_); }),
           68);
  }

  // A chain of kernels, as programs capture one.
  void graph() {
    musaGraph_t graph = nullptr;
    musaGraphExec_t exec = nullptr;
    check(musaStreamBeginCapture(stream_, musaStreamCaptureModeThreadLocal));
    for (int i = 0; i < 20; ++i) check(launch(kernels.empty, 1, 1, 0, stream_));
    check(musaStreamEndCapture(stream_, &graph));
    check(::musaGraphInstantiate(&exec, graph, 0));
    report("graph of 20 kernels + synchronise", each([&] {
             check(musaGraphLaunch(exec, stream_));
             return musaStreamSynchronize(stream_);
           }),
           18856);
    check(musaGraphExecDestroy(exec));
    check(musaGraphDestroy(graph));
  }

 private:
  static constexpr size_t kBytes = 1 << 20;

  // Nanoseconds a call, the streams' work included.
  double each(const std::function<musaError_t()>& call) {
    auto round = [&] {
      for (int i = 0; i < kCalls; ++i) check(call());
      check(musaStreamSynchronize(stream_));
      check(musaStreamSynchronize(other_));
    };
    round();
    std::vector<double> samples;
    for (int i = 0; i < kRounds; ++i) samples.push_back(nanoseconds(round) / kCalls);
    return median(std::move(samples));
  }

  musaStream_t stream_ = nullptr, other_ = nullptr;
  musaEvent_t event_ = nullptr;
  int *device_ = nullptr, *second_ = nullptr;
};

}  // namespace

void benchCalls() {
  check(musaSetDevice(0));
  std::printf("%-40s %12s %12s %7s   (bar: 0.50)\n", "call", "here", "H200", "ratio");
  Calls calls;
  calls.launches();
  calls.events();
  calls.copies();
  calls.memory();
  calls.graph();
}

}  // namespace musashim::bench
