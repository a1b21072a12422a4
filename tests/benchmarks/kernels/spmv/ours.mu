#include "harness/musa.h"
#include "kernel.h"
#include "problem.h"

static void launch(const Spmv& p, Spmv::Data<bench::DeviceBuffer>& d, musaStream_t stream) {
  spmv<<<p.blocks(), Spmv::kThreads, 0, stream>>>(p.rows, d.starts.data(), d.columns.data(), d.values.data(),
                                                  d.x.data(), d.out.data());
}

BENCH_MUSA_MAIN(Spmv, launch)
