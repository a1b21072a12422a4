// A row's products as vectors, with gathers.
#include "problem.h"

static void spmv(const Spmv& p, Spmv::Data<bench::Buffer>& d) {
  const int *starts = d.starts.data(), *columns = d.columns.data();
  const float *values = d.values.data(), *x = d.x.data();
#pragma omp parallel for schedule(static)
  for (int row = 0; row < p.rows; ++row) {
    float sum = 0;
#pragma omp simd reduction(+ : sum)
    for (int i = starts[row]; i < starts[row + 1]; ++i) sum += values[i] * x[columns[i]];
    d.out.data()[row] = sum;
  }
}

BENCH_HOST(Spmv, spmv)
