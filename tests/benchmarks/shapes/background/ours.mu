#include "harness/musa.h"
#include "kernel.h"
#include "problem.h"

static void launch(const Background& p, Background::Data<bench::DeviceBuffer>& d, musaStream_t stream) {
  background<<<p.blocks(), Background::kThreads, 0, stream>>>(p.n, Background::kKeep, Background::kFar,
                                                              d.picture.data(), d.out.data(),
                                                              d.out.data() + 3 * size_t(p.n));
}

BENCH_MUSA_MAIN(Background, launch)
