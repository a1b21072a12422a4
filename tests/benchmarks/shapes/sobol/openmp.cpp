#include "problem.h"

static void sobol(const Sobol& p, Sobol::Data<bench::Buffer>& d) {
#pragma omp parallel for schedule(static)
  for (int dimension = 0; dimension < p.dimensions; ++dimension) {
    const uint32_t* __restrict v = d.directions.data() + size_t(dimension) * Sobol::kBits;
    float* __restrict out = d.out.data() + size_t(dimension) * p.n;
#pragma omp simd
    for (int i = 0; i < p.n; ++i) {
      const auto gray = static_cast<uint32_t>(i ^ (i >> 1));
      uint32_t bits = 0;
      for (int bit = 0; bit < Sobol::kBits; ++bit) bits ^= gray >> bit & 1 ? v[bit] : 0;
      out[i] = static_cast<float>(bits) * 0x1p-32f;
    }
  }
}

BENCH_HOST(Sobol, sobol)
