#include "harness/musa.h"
#include "kernel.h"
#include "problem.h"

static void launch(const Perplexity& p, Perplexity::Data<bench::DeviceBuffer>& d, musaStream_t stream) {
  perplexity<<<p.rows, Perplexity::kThreads, 0, stream>>>(Perplexity::kColumns, Perplexity::kMostSteps,
                                                          Perplexity::kWanted, Perplexity::kTolerance,
                                                          d.distances.data(), d.out.data());
}

BENCH_MUSA_MAIN(Perplexity, launch)
