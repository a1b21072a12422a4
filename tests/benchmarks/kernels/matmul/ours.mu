#include "harness/musa.h"
#include "kernel.h"
#include "problem.h"

struct Ours {
  explicit Ours(const Matmul& problem)
      : p(problem), a(p.outputCount()), b(p.outputCount()), c(p.outputCount()) {
    a.fill(Matmul::a);
    b.fill(Matmul::b);
  }
  void reset() { c.clear(); }
  void run(int times) {
    const dim3 grid(p.tiles(), p.tiles()), block(Matmul::kTile, Matmul::kTile);
    for (int i = 0; i < times; ++i) {
      matmul<Matmul::kTile><<<grid, block, 0, stream>>>(p.n, a.data(), b.data(), c.data());
    }
    stream.wait();
  }
  void result(float* out) { c.read(out); }

  const Matmul& p;
  bench::Stream stream;
  bench::DeviceBuffer<float> a, b, c;
};

BENCH_MAIN(Matmul, Ours)
