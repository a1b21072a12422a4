#include "harness/musa.h"
#include "kernel.h"
#include "problem.h"

struct Ours {
  explicit Ours(const Saxpy& problem) : p(problem), x(p.n), y(p.n) { x.fill(Saxpy::x); }
  void reset() { y.fill(Saxpy::y); }
  void run(int times) {
    for (int i = 0; i < times; ++i) {
      saxpy<<<p.blocks(), Saxpy::kThreads, 0, stream>>>(p.n, Saxpy::kA, x.data(), y.data());
    }
    stream.wait();
  }
  void result(float* out) { y.read(out); }

  const Saxpy& p;
  bench::Stream stream;
  bench::DeviceBuffer<float> x, y;
};

BENCH_MAIN(Saxpy, Ours)
