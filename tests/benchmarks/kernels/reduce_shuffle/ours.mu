#include "../reduce_shared/problem.h"
#include "harness/musa.h"
#include "kernel.h"

static void launch(const Reduce& p, Reduce::Data<bench::DeviceBuffer>& d, musaStream_t stream) {
  reduceShuffle<<<p.blocks(), Reduce::kThreads, 0, stream>>>(d.in.data(), d.out.data());
}

BENCH_MUSA_MAIN(Reduce, launch)
