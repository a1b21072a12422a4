#include "problem.h"

static void kalman(const Kalman& p, Kalman::Data<bench::Buffer>& d) {
  const float* measured = d.measured.data();
  float* out = d.out.data();
  const int n = p.n;
#pragma omp parallel for simd schedule(static)
  for (int i = 0; i < n; ++i) {
    float x[4];
    kalmanFilter<float>([=](int step, int axis) { return measured[(step * 2 + axis) * n + i]; }, x);
    for (int r = 0; r < 4; ++r) out[r * n + i] = x[r];
  }
}

BENCH_HOST(Kalman, kalman)
