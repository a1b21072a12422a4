#include "harness/musa.h"
#include "kernel.h"
#include "problem.h"

static void launch(const ArcTangent& p, ArcTangent::Data<bench::DeviceBuffer>& d, musaStream_t stream) {
  arcTangent<<<p.blocks(), ArcTangent::kThreads, 0, stream>>>(p.n, d.x.data(), d.y.data(), d.out.data());
}

BENCH_MUSA_MAIN(ArcTangent, launch)
