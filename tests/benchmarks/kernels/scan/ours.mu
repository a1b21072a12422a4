#include "harness/musa.h"
#include "kernel.h"
#include "problem.h"

static void scan(int n, const unsigned* in, unsigned* out, unsigned* sums, unsigned* scanned,
                 musaStream_t stream) {
  const int blocks = Scan::blocks(n);
  scanBlocks<<<blocks, Scan::kThreads, 0, stream>>>(n, in, out, sums);
  if (blocks == 1) return;
  scan(blocks, sums, scanned, sums + blocks, scanned + blocks, stream);
  addSums<<<blocks, Scan::kThreads, 0, stream>>>(n, scanned, out);
}

static void launch(const Scan& p, Scan::Data<bench::DeviceBuffer>& d, musaStream_t stream) {
  scan(p.n, d.in.data(), d.out.data(), d.sums.data(), d.scanned.data(), stream);
}

BENCH_MUSA_MAIN(Scan, launch)
