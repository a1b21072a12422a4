#include "problem.h"

static void advance(float& x, float& y, float& z, float mass, float& vx, float& vy, float& vz, float& age) {
  constexpr float kStep = Structures::kStep;
  vx -= kStep * x / mass;
  vy -= kStep * y / mass;
  vz -= kStep * z / mass;
  x += kStep * vx;
  y += kStep * vy;
  z += kStep * vz;
  age += kStep;
}

static void step(const Structures& p, Structures::Data<bench::Buffer>& d) {
  const int n = p.n;
  if constexpr (Structures::kArrays) {
    float* all = d.out.data();
#pragma omp parallel for simd schedule(static)
    for (int i = 0; i < n; ++i) {
      advance(all[i], all[n + i], all[2 * n + i], all[3 * n + i], all[4 * n + i], all[5 * n + i],
              all[6 * n + i], all[7 * n + i]);
    }
  } else {
    auto* all = reinterpret_cast<Particle*>(d.out.data());
#pragma omp parallel for simd schedule(static)
    for (int i = 0; i < n; ++i) {
      Particle particle = all[i];
      advance(particle.x, particle.y, particle.z, particle.mass, particle.vx, particle.vy, particle.vz,
              particle.age);
      all[i] = particle;
    }
  }
}

BENCH_HOST(Structures, step)
