#include "harness/musa.h"
#include "kernel.h"
#include "problem.h"

static void launch(const Mandelbrot& p, Mandelbrot::Data<bench::DeviceBuffer>& d, musaStream_t stream) {
  const dim3 grid(p.n / Mandelbrot::kSide, p.n / Mandelbrot::kSide),
      block(Mandelbrot::kSide, Mandelbrot::kSide);
  mandelbrot<<<grid, block, 0, stream>>>(p.n, Mandelbrot::kLeft, Mandelbrot::kTop, p.step, d.out.data());
}

BENCH_MUSA_MAIN(Mandelbrot, launch)
