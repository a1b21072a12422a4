#include "harness/musa.h"
#include "kernel.h"
#include "problem.h"

static void launch(const Hashing& p, Hashing::Data<bench::DeviceBuffer>& d, musaStream_t stream) {
  hashing<<<p.blocks(), Hashing::kThreads, 0, stream>>>(p.n, d.keys.data(), d.out.data());
}

BENCH_MUSA_MAIN(Hashing, launch)
