#include "harness/opencl.h"
#include "problem.h"

struct Launch {
  void operator()(const Reduce& p, Reduce::Data<bench::ClBuffer>& d) {
    reduce({size_t(p.blocks())}, {Reduce::kThreads}, d.in.data(), d.out.data());
  }
  bench::ClKernel reduce{"reduceShared"};
};

BENCH_CL_MAIN(Reduce, Launch, "")
