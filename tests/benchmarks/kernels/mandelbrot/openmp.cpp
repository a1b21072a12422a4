#include "problem.h"

static void mandelbrot(const Mandelbrot& p, Mandelbrot::Data<bench::Buffer>& d) {
#pragma omp parallel for schedule(dynamic, 4)
  for (int y = 0; y < p.n; ++y) {
    for (int x = 0; x < p.n; ++x) {
      d.out.data()[y * p.n + x] =
          Mandelbrot::escape(Mandelbrot::kLeft + x * p.step, Mandelbrot::kTop + y * p.step);
    }
  }
}

BENCH_HOST(Mandelbrot, mandelbrot)
