#include "problem.h"

static void nbody(const NBody& p, NBody::Data<bench::Buffer>& d) {
  const Body* bodies = reinterpret_cast<const Body*>(d.bodies.data());
  Body* out = reinterpret_cast<Body*>(d.out.data());
  const int n = p.n;
#pragma omp parallel for schedule(static)
  for (int i = 0; i < n; ++i) {
    const Body own = bodies[i];
    float ax = 0, ay = 0, az = 0;
#pragma omp simd reduction(+ : ax, ay, az)
    for (int j = 0; j < n; ++j) {
      const float dx = bodies[j].x - own.x, dy = bodies[j].y - own.y, dz = bodies[j].z - own.z;
      const float inverse = 1.0f / std::sqrt(dx * dx + dy * dy + dz * dz + NBody::kSoftening);
      const float factor = bodies[j].mass * inverse * inverse * inverse;
      ax += dx * factor;
      ay += dy * factor;
      az += dz * factor;
    }
    out[i] = {ax, ay, az, 0.0f};
  }
}

BENCH_HOST(NBody, nbody)
