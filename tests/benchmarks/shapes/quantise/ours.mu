#include "harness/musa.h"
#include "kernel.h"
#include "problem.h"

static void launch(const Quantise& p, Quantise::Data<bench::DeviceBuffer>& d, musaStream_t stream) {
  quantise<<<p.blocks(), Quantise::kThreads, 0, stream>>>(p.n, Quantise::kScale, Quantise::kOffset,
                                                          d.in.data(), d.shorts.data(), d.bytes.data());
}

BENCH_MUSA_MAIN(Quantise, launch)
