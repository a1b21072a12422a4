#include "problem.h"

static void quantise(const Quantise& p, Quantise::Data<bench::Buffer>& d) {
  const float* __restrict in = d.in.data();
  int16_t* __restrict shorts = d.shorts.data();
  int8_t* __restrict bytes = d.bytes.data();
#pragma omp parallel for simd schedule(static)
  for (int i = 0; i < p.n; ++i) {
    const float scaled = in[i] * Quantise::kScale + Quantise::kOffset;
    shorts[i] = static_cast<int16_t>(scaled * 100);
    const int whole = static_cast<int>(__builtin_rintf(scaled));
    bytes[i] = static_cast<int8_t>(whole < -128 ? -128 : whole > 127 ? 127 : whole);
  }
}

BENCH_HOST(Quantise, quantise)
