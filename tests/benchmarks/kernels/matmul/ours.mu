#include "harness/musa.h"
#include "kernel.h"
#include "problem.h"

static void launch(const Matmul& p, Matmul::Data<bench::DeviceBuffer>& d, musaStream_t stream) {
  const dim3 grid(p.tiles(), p.tiles()), block(Matmul::kTile, Matmul::kTile);
  matmul<Matmul::kTile><<<grid, block, 0, stream>>>(p.n, d.a.data(), d.b.data(), d.c.data());
}

BENCH_MUSA_MAIN(Matmul, launch)
