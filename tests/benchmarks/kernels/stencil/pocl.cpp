#include "harness/opencl.h"
#include "problem.h"

struct Launch {
  void operator()(const Stencil& p, Stencil::Data<bench::ClBuffer>& d) {
    const size_t n = p.n;
    stencil({n / Stencil::kWidth, n / Stencil::kHeight}, {Stencil::kWidth, Stencil::kHeight}, p.n,
            d.in.data(), d.out.data());
  }
  bench::ClKernel stencil{"stencil"};
};

BENCH_CL_MAIN(Stencil, Launch, "")
