// The variant that mcc compiles, for one of the reduction kernels.
#pragma once

#include "harness/musa.h"
#include "problem.h"

template <void (*kernel)(const float*, float*)>
struct MusaReduce {
  explicit MusaReduce(const Reduce& problem) : p(problem), in(p.n), out(p.blocks()) { in.fill(Reduce::in); }
  void reset() { out.clear(); }
  void run(int times) {
    for (int i = 0; i < times; ++i) {
      kernel<<<p.blocks(), Reduce::kThreads, 0, stream>>>(in.data(), out.data());
    }
    stream.wait();
  }
  void result(float* to) { out.read(to); }

  const Reduce& p;
  bench::Stream stream;
  bench::DeviceBuffer<float> in, out;
};
