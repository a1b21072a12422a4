#include "harness/musa.h"
#include "kernel.h"
#include "problem.h"

static void launch(const NumberTransform& p, NumberTransform::Data<bench::DeviceBuffer>& d,
                   musaStream_t stream) {
  numberTransform<<<p.count, NumberTransform::kThreads, 0, stream>>>(d.in.data(), d.roots.data(),
                                                                     d.out.data());
}

BENCH_MUSA_MAIN(NumberTransform, launch)
