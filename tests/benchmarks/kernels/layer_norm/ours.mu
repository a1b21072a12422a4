#include "harness/musa.h"
#include "kernel.h"
#include "problem.h"

static void launch(const LayerNorm& p, LayerNorm::Data<bench::DeviceBuffer>& d, musaStream_t stream) {
  layerNorm<<<p.rows, LayerNorm::kThreads, 0, stream>>>(LayerNorm::kColumns, LayerNorm::kEpsilon, d.in.data(),
                                                        d.gain.data(), d.bias.data(), d.out.data());
}

BENCH_MUSA_MAIN(LayerNorm, launch)
