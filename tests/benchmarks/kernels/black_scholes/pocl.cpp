#include "harness/opencl.h"
#include "problem.h"

struct Launch {
  void operator()(const BlackScholes& p, BlackScholes::Data<bench::ClBuffer>& d) {
    blackScholes({size_t(p.blocks())}, {BlackScholes::kThreads}, p.n, BlackScholes::kRate,
                 BlackScholes::kVolatility, d.price.data(), d.strike.data(), d.years.data(), d.out.data());
  }
  bench::ClKernel blackScholes{"blackScholes"};
};

BENCH_CL_MAIN(BlackScholes, Launch, "")
