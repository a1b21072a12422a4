#include "harness/opencl.h"
#include "problem.h"

struct Launch {
  void operator()(const Mandelbrot& p, Mandelbrot::Data<bench::ClBuffer>& d) {
    const size_t blocks = p.n / Mandelbrot::kSide;
    mandelbrot({blocks, blocks}, {Mandelbrot::kSide, Mandelbrot::kSide}, p.n, Mandelbrot::kLeft,
               Mandelbrot::kTop, p.step, d.out.data());
  }
  bench::ClKernel mandelbrot{"mandelbrot"};
};

BENCH_CL_MAIN(Mandelbrot, Launch, "")
