#include "problem.h"

constexpr int kSide = Mandelbrot::kSide;

static void mandelbrotBlock(int bx, int by, const Mandelbrot& p, unsigned* out) {
  for (int ty = 0; ty < kSide; ++ty) {
    for (int tx = 0; tx < kSide; ++tx) {
      const int px = bx * kSide + tx, py = by * kSide + ty;
      out[py * p.n + px] =
          Mandelbrot::escape(Mandelbrot::kLeft + px * p.step, Mandelbrot::kTop + py * p.step);
    }
  }
}

static void mandelbrot(const Mandelbrot& p, Mandelbrot::Data<bench::Buffer>& d) {
#pragma omp parallel for collapse(2) schedule(dynamic, 16)
  for (int by = 0; by < p.n / kSide; ++by) {
    for (int bx = 0; bx < p.n / kSide; ++bx) mandelbrotBlock(bx, by, p, d.out.data());
  }
}

BENCH_HOST(Mandelbrot, mandelbrot)
