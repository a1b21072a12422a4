#include "harness/musa.h"
#include "kernel.h"
#include "problem.h"

static void launch(const Saxpy& p, Saxpy::Data<bench::DeviceBuffer>& d, musaStream_t stream) {
  saxpy<<<p.blocks(), Saxpy::kThreads, 0, stream>>>(p.n, Saxpy::kA, d.x.data(), d.y.data());
}

BENCH_MUSA_MAIN(Saxpy, launch)
