#include "problem.h"

static void rotary(const Rotary& p, Rotary::Data<bench::Buffer>& d) {
  const float* __restrict in = d.in.data(), * __restrict cosine = d.cosine.data(), * __restrict sine = d.sine.data();
  float* __restrict out = d.out.data();
#pragma omp parallel for collapse(2) schedule(static)
  for (int token = 0; token < p.tokens; ++token) {
    for (int head = 0; head < Rotary::kHeads; ++head) {
      const size_t row = (size_t(token) * Rotary::kHeads + head) * Rotary::kPairs * 2;
#pragma omp simd
      for (int pair = 0; pair < Rotary::kPairs; ++pair) {
        const float c = cosine[token * Rotary::kPairs + pair], s = sine[token * Rotary::kPairs + pair];
        const float x = in[row + 2 * pair], y = in[row + 2 * pair + 1];
        out[row + 2 * pair] = x * c - y * s;
        out[row + 2 * pair + 1] = x * s + y * c;
      }
    }
  }
}

BENCH_HOST(Rotary, rotary)
