#include "harness/musa.h"
#include "kernel.h"
#include "problem.h"

static void launch(const Rotary& p, Rotary::Data<bench::DeviceBuffer>& d, musaStream_t stream) {
  rotary<<<p.tokens * Rotary::kHeads, Rotary::kPairs, 0, stream>>>(
      Rotary::kHeads, d.in.data(), d.cosine.data(), d.sine.data(), d.out.data());
}

BENCH_MUSA_MAIN(Rotary, launch)
