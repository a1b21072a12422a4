#include "row.h"

static void spmv(const Spmv& p, Spmv::Data<bench::Buffer>& d) {
#pragma omp parallel for schedule(static)
  for (int row = 0; row < p.rows; ++row) {
    d.out.data()[row] = rowInOrder(d.starts.data(), d.columns.data(), d.values.data(), d.x.data(), row);
  }
}

BENCH_HOST(Spmv, spmv)
