#include "harness/musa.h"
#include "kernel.h"
#include "problem.h"

static void launch(const NBody& p, NBody::Data<bench::DeviceBuffer>& d, musaStream_t stream) {
  nbody<<<p.n / NBody::kThreads, NBody::kThreads, 0, stream>>>(
      p.n, NBody::kSoftening, reinterpret_cast<const float4*>(d.bodies.data()),
      reinterpret_cast<float4*>(d.out.data()));
}

BENCH_MUSA_MAIN(NBody, launch)
