// The data of the variants that run on the host; `reduce` is each variant's own.
#pragma once

#include "problem.h"

template <void (*reduce)(int blocks, const float* in, float* out)>
struct HostReduce {
  explicit HostReduce(const Reduce& problem) : p(problem), in(p.n), out(p.blocks()) {
    bench::fill(in, Reduce::in);
  }
  void reset() { std::fill(out.begin(), out.end(), 0.0f); }
  void run(int times) {
    for (int i = 0; i < times; ++i) reduce(p.blocks(), in.data(), out.data());
  }
  void result(float* to) { std::copy(out.begin(), out.end(), to); }

  const Reduce& p;
  bench::Buffer<float> in, out;
};
