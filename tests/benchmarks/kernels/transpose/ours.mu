#include "harness/musa.h"
#include "kernel.h"
#include "problem.h"

static void launch(const Transpose& p, Transpose::Data<bench::DeviceBuffer>& d, musaStream_t stream) {
  const dim3 grid(p.tiles(), p.tiles()), block(Transpose::kTile, Transpose::kRows);
  transpose<<<grid, block, 0, stream>>>(p.n, d.in.data(), d.out.data());
}

BENCH_MUSA_MAIN(Transpose, launch)
