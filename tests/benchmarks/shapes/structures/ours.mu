#include "harness/musa.h"
#include "kernel.h"

static void launch(const Structures& p, Structures::Data<bench::DeviceBuffer>& d, musaStream_t stream) {
  if constexpr (Structures::kArrays) {
    stepArrays<<<p.blocks(), Structures::kThreads, 0, stream>>>(p.n, Structures::kStep, d.out.data());
  } else {
    stepStructures<<<p.blocks(), Structures::kThreads, 0, stream>>>(
        p.n, Structures::kStep, reinterpret_cast<Particle*>(d.out.data()));
  }
}

BENCH_MUSA_MAIN(Structures, launch)
