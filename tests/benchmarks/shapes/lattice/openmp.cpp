#include "problem.h"

static void latticeStep(const Lattice& p, Lattice::Data<bench::Buffer>& d) {
  const float* __restrict in = d.in.data();
  float* __restrict out = d.out.data();
  const int n = p.n;
  constexpr int kSpeeds = Lattice::kSpeeds;
#pragma omp parallel for schedule(static)
  for (int y = 0; y < n; ++y) {
#pragma omp simd
    for (int x = 0; x < n; ++x) {
      float f[kSpeeds], density = 0, ux = 0, uy = 0;
      for (int k = 0; k < kSpeeds; ++k) {
        const int fromX = (x - Lattice::kX[k] + n) % n, fromY = (y - Lattice::kY[k] + n) % n;
        f[k] = in[(k * n + fromY) * n + fromX];
        density += f[k];
        ux += static_cast<float>(Lattice::kX[k]) * f[k];
        uy += static_cast<float>(Lattice::kY[k]) * f[k];
      }
      ux /= density;
      uy /= density;
      for (int k = 0; k < kSpeeds; ++k) {
        const float along =
            3.0f * (static_cast<float>(Lattice::kX[k]) * ux + static_cast<float>(Lattice::kY[k]) * uy);
        const float rest =
            density * Lattice::weight(k) * (1.0f + along + 0.5f * along * along - 1.5f * (ux * ux + uy * uy));
        out[(k * n + y) * n + x] = f[k] + Lattice::kOmega * (rest - f[k]);
      }
    }
  }
}

BENCH_HOST(Lattice, latticeStep)
