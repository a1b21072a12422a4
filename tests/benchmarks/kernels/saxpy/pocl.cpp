#include "harness/opencl.h"
#include "problem.h"

struct Launch {
  void operator()(const Saxpy& p, Saxpy::Data<bench::ClBuffer>& d) {
    saxpy({size_t(p.blocks())}, {Saxpy::kThreads}, p.n, Saxpy::kA, d.x.data(), d.y.data());
  }
  bench::ClKernel saxpy{"saxpy"};
};

BENCH_CL_MAIN(Saxpy, Launch, "")
