// Sixteen points at a time; those that have escaped stop counting, and all stop when the last has.
#include "problem.h"

constexpr int kLanes = 16;

static void escapeLanes(float left, float step, float cy, unsigned* out) {
  alignas(64) float cx[kLanes], x[kLanes] = {}, y[kLanes] = {};
  alignas(64) unsigned count[kLanes] = {};
  for (int lane = 0; lane < kLanes; ++lane) cx[lane] = left + static_cast<float>(lane) * step;
  for (unsigned i = 0; i < Mandelbrot::kSteps; ++i) {
    unsigned live = 0;
#pragma omp simd reduction(+ : live)
    for (int lane = 0; lane < kLanes; ++lane) {
      const unsigned inside = x[lane] * x[lane] + y[lane] * y[lane] <= 4.0f ? 1 : 0;
      const float next = x[lane] * x[lane] - y[lane] * y[lane] + cx[lane];
      y[lane] = inside ? 2.0f * x[lane] * y[lane] + cy : y[lane];
      x[lane] = inside ? next : x[lane];
      count[lane] += inside;
      live += inside;
    }
    if (live == 0) break;
  }
  std::copy_n(count, kLanes, out);
}

static void mandelbrot(const Mandelbrot& p, Mandelbrot::Data<bench::Buffer>& d) {
#pragma omp parallel for schedule(dynamic, 4)
  for (int y = 0; y < p.n; ++y) {
    for (int x = 0; x < p.n; x += kLanes) {
      escapeLanes(Mandelbrot::kLeft + x * p.step, p.step, Mandelbrot::kTop + y * p.step,
                  d.out.data() + y * p.n + x);
    }
  }
}

BENCH_HOST(Mandelbrot, mandelbrot)
