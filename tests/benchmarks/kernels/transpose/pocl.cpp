#include "harness/opencl.h"
#include "problem.h"

struct Launch {
  void operator()(const Transpose& p, Transpose::Data<bench::ClBuffer>& d) {
    const size_t tiles = p.tiles();
    transpose({tiles, tiles}, {Transpose::kTile, Transpose::kRows}, p.n, d.in.data(), d.out.data());
  }
  bench::ClKernel transpose{"transpose"};
};

BENCH_CL_MAIN(Transpose, Launch, "")
