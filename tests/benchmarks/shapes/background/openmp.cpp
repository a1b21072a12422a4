#include "problem.h"

static void background(const Background& p, Background::Data<bench::Buffer>& d) {
  const uint8_t* __restrict picture = d.picture.data();
  uint8_t* __restrict model = d.out.data(), * __restrict mask = model + 3 * size_t(p.n);
  const int n = p.n;
  constexpr float kKeep = Background::kKeep;
#pragma omp parallel for simd schedule(static)
  for (int i = 0; i < n; ++i) {
    float distance = 0;
    for (int plane = 0; plane < 3; ++plane)
      distance += std::fabs(float(picture[plane * n + i]) - float(model[plane * n + i]));
    mask[i] = distance > Background::kFar ? 255 : 0;
    if (mask[i] == 0) {
      for (int plane = 0; plane < 3; ++plane) {
        model[plane * n + i] = static_cast<uint8_t>(kKeep * float(model[plane * n + i]) +
                                                    (1.0f - kKeep) * float(picture[plane * n + i]));
      }
    }
  }
}

BENCH_HOST(Background, background)
