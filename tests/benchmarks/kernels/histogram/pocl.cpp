#include "harness/opencl.h"
#include "problem.h"

struct Launch {
  void operator()(const Histogram& p, Histogram::Data<bench::ClBuffer>& d) {
    histogram({size_t(p.blocks())}, {Histogram::kThreads}, p.n, d.in.data(), d.counts.data());
  }
  bench::ClKernel histogram{"histogram"};
};

BENCH_CL_MAIN(Histogram, Launch, "")
