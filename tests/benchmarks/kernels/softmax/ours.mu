#include "harness/musa.h"
#include "kernel.h"
#include "problem.h"

static void launch(const Softmax& p, Softmax::Data<bench::DeviceBuffer>& d, musaStream_t stream) {
  softmax<<<p.rows, Softmax::kThreads, 0, stream>>>(Softmax::kColumns, d.in.data(), d.out.data());
}

BENCH_MUSA_MAIN(Softmax, launch)
