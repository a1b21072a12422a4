#include "harness/musa.h"
#include "kernel.h"
#include "problem.h"

static void launch(const ScanLookback& p, ScanLookback::Data<bench::DeviceBuffer>& d, musaStream_t stream) {
  BENCH_MUSA(musaMemsetAsync(d.state.data(), 0, d.state.size() * sizeof(unsigned long long), stream));
  scanLookback<ScanLookback::kItems>
      <<<p.tiles(), ScanLookback::kThreads, 0, stream>>>(p.n, d.in.data(), d.out.data(), d.state.data());
}

BENCH_MUSA_MAIN(ScanLookback, launch)
