#include "harness/musa.h"
#include "kernel.h"
#include "problem.h"

static void launch(const Histogram& p, Histogram::Data<bench::DeviceBuffer>& d, musaStream_t stream) {
  histogram<<<p.blocks(), Histogram::kThreads, 0, stream>>>(p.n, d.in.data(), d.counts.data());
}

BENCH_MUSA_MAIN(Histogram, launch)
