#include "problem.h"

static void transformOne(const uint32_t* __restrict in, const uint32_t* __restrict roots,
                         uint32_t* __restrict a) {
  constexpr int kSize = NumberTransform::kSize;
  constexpr uint32_t kPrime = NumberTransform::kPrime;
  for (int i = 0; i < kSize; ++i) a[i] = in[i];
  for (int half = 1; half < kSize; half *= 2) {
    for (int first = 0; first < kSize; first += 2 * half) {
#pragma omp simd
      for (int low = 0; low < half; ++low) {
        const uint32_t x = a[first + low];
        const auto y =
            static_cast<uint32_t>(uint64_t{a[first + low + half]} * roots[low * (kSize / 2 / half)] % kPrime);
        a[first + low] = x + y >= kPrime ? x + y - kPrime : x + y;
        a[first + low + half] = x >= y ? x - y : x + kPrime - y;
      }
    }
  }
}

static void numberTransform(const NumberTransform& p, NumberTransform::Data<bench::Buffer>& d) {
#pragma omp parallel for schedule(static)
  for (int which = 0; which < p.count; ++which) {
    const size_t first = size_t(which) * NumberTransform::kSize;
    transformOne(d.in.data() + first, d.roots.data(), d.out.data() + first);
  }
}

BENCH_HOST(NumberTransform, numberTransform)
