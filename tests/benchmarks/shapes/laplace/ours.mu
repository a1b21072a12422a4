#include "harness/musa.h"
#include "kernel.h"
#include "problem.h"

static void launch(const Laplace& p, Laplace::Data<bench::DeviceBuffer>& d, musaStream_t stream) {
  const dim3 tile(Laplace::kTileX, Laplace::kTileY);
  laplace<<<dim3(p.n / tile.x, p.n / tile.y), tile, 0, stream>>>(p.n, d.in.data(), d.out.data());
}

BENCH_MUSA_MAIN(Laplace, launch)
