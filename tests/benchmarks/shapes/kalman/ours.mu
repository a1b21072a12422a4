#include "harness/musa.h"
#include "kernel.h"

static void launch(const Kalman& p, Kalman::Data<bench::DeviceBuffer>& d, musaStream_t stream) {
  kalman<<<p.blocks(), Kalman::kThreads, 0, stream>>>(p.n, d.measured.data(), d.out.data());
}

BENCH_MUSA_MAIN(Kalman, launch)
