#include <cuda_runtime.h>
#include <cusolverSp.h>
#include <cusparse.h>

#include <cmath>
#include <cstdio>

// A tridiagonal system by Cholesky's method on the host: its solution is known.
int main() {
  const int n = 5, entries = 13;
  double values[entries], b[n], x[n];
  int rows[n + 1] = {0}, columns[entries], at = 0;
  for (int row = 0; row < n; ++row) {
    b[row] = 0;
    for (int column = row - 1; column <= row + 1; ++column) {
      if (column < 0 || column == n) continue;
      values[at] = column == row ? 4 : -1;
      b[row] += values[at] * (column + 1);
      columns[at++] = column;
    }
    rows[row + 1] = at;
  }
  cusolverSpHandle_t handle;
  cusparseMatDescr_t matrix;
  int wrong = cusolverSpCreate(&handle) != CUSOLVER_STATUS_SUCCESS;
  wrong += cusparseCreateMatDescr(&matrix) != CUSPARSE_STATUS_SUCCESS;
  wrong += cusparseGetMatIndexBase(matrix) != CUSPARSE_INDEX_BASE_ZERO;
  int singularity = 0;
  wrong += cusolverSpDcsrlsvcholHost(handle, n, entries, matrix, values, rows, columns, b, 1e-12, 0, x, &singularity) !=
           CUSOLVER_STATUS_SUCCESS;
  wrong += singularity != -1;
  for (int row = 0; row < n; ++row) wrong += std::fabs(x[row] - (row + 1)) > 1e-12;
  cusparseDestroyMatDescr(matrix);
  cusolverSpDestroy(handle);
  std::printf("%d wrong\n", wrong);
}
