#include "harness/musa.h"
#include "kernel.h"
#include "problem.h"

static void launch(const Stencil& p, Stencil::Data<bench::DeviceBuffer>& d, musaStream_t stream) {
  const dim3 grid(p.n / Stencil::kWidth, p.n / Stencil::kHeight), block(Stencil::kWidth, Stencil::kHeight);
  stencil<<<grid, block, 0, stream>>>(p.n, d.in.data(), d.out.data());
}

BENCH_MUSA_MAIN(Stencil, launch)
