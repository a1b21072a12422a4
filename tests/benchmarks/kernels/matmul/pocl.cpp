#include "harness/opencl.h"
#include "problem.h"

struct Launch {
  void operator()(const Matmul& p, Matmul::Data<bench::ClBuffer>& d) {
    const size_t tiles = p.tiles();
    matmul({tiles, tiles}, {Matmul::kTile, Matmul::kTile}, p.n, d.a.data(), d.b.data(), d.c.data());
  }
  bench::ClKernel matmul{"matmul"};
};

BENCH_CL_MAIN(Matmul, Launch, "-DTILE=" + std::to_string(Matmul::kTile))
