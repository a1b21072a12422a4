#include "row.h"

static void spmv(const Spmv& p, Spmv::Data<bench::Buffer>& d) {
#pragma omp parallel for schedule(static)
  for (int block = 0; block < p.blocks(); ++block) {
    const int first = block * Spmv::kThreads, end = std::min(first + Spmv::kThreads, p.rows);
    for (int row = first; row < end; ++row) {
      d.out.data()[row] = rowInOrder(d.starts.data(), d.columns.data(), d.values.data(), d.x.data(), row);
    }
  }
}

BENCH_HOST(Spmv, spmv)
