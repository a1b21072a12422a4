#include "harness/opencl.h"
#include "problem.h"

struct Launch {
  void operator()(const NBody& p, NBody::Data<bench::ClBuffer>& d) {
    nbody({size_t(p.n / NBody::kThreads)}, {NBody::kThreads}, p.n, NBody::kSoftening, d.bodies.data(),
          d.out.data());
  }
  bench::ClKernel nbody{"nbody"};
};

BENCH_CL_MAIN(NBody, Launch, "")
