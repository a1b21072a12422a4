#include "harness/musa.h"
#include "kernel.h"
#include "problem.h"

static void launch(const Lattice& p, Lattice::Data<bench::DeviceBuffer>& d, musaStream_t stream) {
  latticeStep<<<dim3((p.n + Lattice::kThreads - 1) / Lattice::kThreads, p.n), Lattice::kThreads, 0, stream>>>(
      p.n, Lattice::kOmega, d.in.data(), d.out.data());
}

BENCH_MUSA_MAIN(Lattice, launch)
