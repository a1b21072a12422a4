// The matrices of the variants that run on the host; `multiply` is each variant's own.
#pragma once

#include "problem.h"

template <void (*multiply)(int n, const float* a, const float* b, float* c)>
struct HostMatmul {
  explicit HostMatmul(const Matmul& problem)
      : p(problem), a(p.outputCount()), b(p.outputCount()), c(p.outputCount()) {
    bench::fill(a, Matmul::a);
    bench::fill(b, Matmul::b);
  }
  void reset() { std::fill(c.begin(), c.end(), 0.0f); }
  void run(int times) {
    for (int i = 0; i < times; ++i) multiply(p.n, a.data(), b.data(), c.data());
  }
  void result(float* out) { std::copy(c.begin(), c.end(), out); }

  const Matmul& p;
  bench::Buffer<float> a, b, c;
};
