#include "harness/opencl.h"
#include "problem.h"

struct Launch {
  void operator()(const Spmv& p, Spmv::Data<bench::ClBuffer>& d) {
    spmv({size_t(p.blocks())}, {Spmv::kThreads}, p.rows, d.starts.data(), d.columns.data(), d.values.data(),
         d.x.data(), d.out.data());
  }
  bench::ClKernel spmv{"spmv"};
};

BENCH_CL_MAIN(Spmv, Launch, "")
