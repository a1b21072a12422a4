#include "harness/musa.h"
#include "kernel.h"
#include "problem.h"

static void launch(const Cosine& p, Cosine::Data<bench::DeviceBuffer>& d, musaStream_t stream) {
  cosine<<<p.tiles, dim3(Cosine::kSide, Cosine::kSide), 0, stream>>>(d.in.data(), d.matrix.data(),
                                                                     d.out.data());
}

BENCH_MUSA_MAIN(Cosine, launch)
