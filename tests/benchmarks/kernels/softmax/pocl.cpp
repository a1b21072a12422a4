#include "harness/opencl.h"
#include "problem.h"

struct Launch {
  void operator()(const Softmax& p, Softmax::Data<bench::ClBuffer>& d) {
    softmax({size_t(p.rows)}, {Softmax::kThreads}, int{Softmax::kColumns}, d.in.data(), d.out.data());
  }
  bench::ClKernel softmax{"softmax"};
};

BENCH_CL_MAIN(Softmax, Launch, "")
