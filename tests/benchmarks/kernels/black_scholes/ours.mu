#include "harness/musa.h"
#include "kernel.h"
#include "problem.h"

static void launch(const BlackScholes& p, BlackScholes::Data<bench::DeviceBuffer>& d, musaStream_t stream) {
  blackScholes<<<p.blocks(), BlackScholes::kThreads, 0, stream>>>(
      p.n, BlackScholes::kRate, BlackScholes::kVolatility, d.price.data(), d.strike.data(), d.years.data(),
      d.out.data());
}

BENCH_MUSA_MAIN(BlackScholes, launch)
