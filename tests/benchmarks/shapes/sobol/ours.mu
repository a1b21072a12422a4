#include "harness/musa.h"
#include "kernel.h"
#include "problem.h"

static void launch(const Sobol& p, Sobol::Data<bench::DeviceBuffer>& d, musaStream_t stream) {
  sobol<<<dim3(Sobol::kBlocksEach, p.dimensions), Sobol::kThreads, 0, stream>>>(p.n, d.directions.data(),
                                                                                d.out.data());
}

BENCH_MUSA_MAIN(Sobol, launch)
