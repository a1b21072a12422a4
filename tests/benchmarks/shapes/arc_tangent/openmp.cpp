#include "problem.h"

static void arcTangent(const ArcTangent& p, ArcTangent::Data<bench::Buffer>& d) {
  const float* __restrict x = d.x.data(), * __restrict y = d.y.data();
  float* __restrict out = d.out.data();
#pragma omp parallel for simd schedule(static)
  for (int i = 0; i < p.n; ++i) {
    const float ax = std::fabs(x[i]), ay = std::fabs(y[i]);
    const float t = (ax < ay ? ax : ay) / (ax < ay ? ay : ax), s = t * t;
    float angle = -0.01172120f;
    angle = angle * s + 0.05265332f;
    angle = angle * s - 0.11643287f;
    angle = angle * s + 0.19354346f;
    angle = angle * s - 0.33262347f;
    angle = (angle * s + 0.99997726f) * t;
    if (ay > ax) angle = 1.57079637f - angle;
    if (x[i] < 0) angle = 3.14159274f - angle;
    if (y[i] < 0) angle = -angle;
    out[i] = angle;
  }
}

BENCH_HOST(ArcTangent, arcTangent)
