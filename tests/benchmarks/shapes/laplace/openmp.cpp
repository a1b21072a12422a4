#include "problem.h"

static void laplace(const Laplace& p, Laplace::Data<bench::Buffer>& d) {
  const float* __restrict in = d.in.data();
  float* __restrict out = d.out.data();
  const size_t side = p.side(), plane = side * side;
#pragma omp parallel for collapse(2) schedule(static)
  for (int z = 1; z <= p.n; ++z) {
    for (int y = 1; y <= p.n; ++y) {
      const size_t row = p.index(z, y, 0);
#pragma omp simd
      for (int x = 1; x <= p.n; ++x) {
        const size_t at = row + x;
        out[at] = in[at - 1] + in[at + 1] + in[at - side] + in[at + side] + in[at - plane] + in[at + plane] -
                  6.0f * in[at];
      }
    }
  }
}

BENCH_HOST(Laplace, laplace)
