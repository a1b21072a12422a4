// Solutions of systems with three or five diagonals, alone and in batches.
#pragma once

#include "libs/musparse/matrix/banded.h"
#include "libs/musparse/operations/work.h"

namespace musashim::musparse {

// The element of a diagonal in row i of a system is at begin + i * step.
template <class V>
struct Diagonal {
  const V* begin;
  int64_t step;
  V operator[](int64_t i) const { return begin[i * step]; }
};

// Diagonals that lie below and above reach one row less at their ends; what stands there does not count.
template <class V, size_t Count>
void solveSystem(int64_t m, const Diagonal<V> (&diagonals)[Count], V* x, int64_t step, int64_t columns,
                 int64_t ld, bool pivots) {
  constexpr int64_t kReach = static_cast<int64_t>(Count) / 2;
  Banded<V> matrix(m, kReach);
  for (int64_t row = 0; row < m; ++row)
    for (int64_t d = -kReach; d <= kReach; ++d)
      if (row + d >= 0 && row + d < m) matrix(row, row + d) = diagonals[d + kReach][row];
  matrix.factor(pivots);
  std::vector<V> one(at(m));
  for (int64_t column = 0; column < columns; ++column) {
    V* const to = x + column * ld;
    for (int64_t row = 0; row < m; ++row) one[at(row)] = to[row * step];
    matrix.solve(one.data());
    for (int64_t row = 0; row < m; ++row) to[row * step] = one[at(row)];
  }
}

template <class T>
musparseStatus_t gtsv2BufferSizeExt(Settings&, int /*m*/, int /*n*/, const T*, const T*, const T*, const T*,
                                    int /*ldb*/, size_t* size) {
  return answerSize(size);
}
template <class T>
musparseStatus_t solveColumns(Settings& self, int m, int n, const T* dl, const T* d, const T* du, T* B,
                              int ldb, bool pivots) {
  MUSPARSE_REQUIRE(m >= 3 && n >= 0 && ldb >= m);
  if (n == 0) return MUSPARSE_STATUS_SUCCESS;
  MUSPARSE_REQUIRE(dl && d && du && B);
  return enqueue(self, [=] {
    const Diagonal<ValueOf<T>> diagonals[] = {{asValues(dl), 1}, {asValues(d), 1}, {asValues(du), 1}};
    solveSystem(m, diagonals, asValues(B), 1, n, ldb, pivots);
  });
}
template <class T>
musparseStatus_t gtsv2(Settings& self, int m, int n, const T* dl, const T* d, const T* du, T* B, int ldb,
                       void*) {
  return solveColumns(self, m, n, dl, d, du, B, ldb, true);
}
template <class T>
musparseStatus_t gtsv2NopivotBufferSizeExt(Settings& self, int m, int n, const T* dl, const T* d, const T* du,
                                           const T* B, int ldb, size_t* size) {
  return gtsv2BufferSizeExt(self, m, n, dl, d, du, B, ldb, size);
}
template <class T>
musparseStatus_t gtsv2Nopivot(Settings& self, int m, int n, const T* dl, const T* d, const T* du, T* B,
                              int ldb, void*) {
  return solveColumns(self, m, n, dl, d, du, B, ldb, false);
}

template <class T>
musparseStatus_t gtsv2StridedBatchBufferSizeExt(Settings&, int m, const T*, const T*, const T*, const T*,
                                                int batchCount, int batchStride, size_t* size) {
  MUSPARSE_REQUIRE(m >= 3 && batchCount >= 0 && batchStride >= m);
  return answerSize(size);
}
template <class T>
musparseStatus_t gtsv2StridedBatch(Settings& self, int m, const T* dl, const T* d, const T* du, T* x,
                                   int batchCount, int batchStride, void*) {
  MUSPARSE_REQUIRE(m >= 3 && batchCount >= 0 && batchStride >= m);
  if (batchCount == 0) return MUSPARSE_STATUS_SUCCESS;
  MUSPARSE_REQUIRE(dl && d && du && x);
  return enqueue(self, [=] {
    for (int64_t i = 0; i < batchCount; ++i) {
      const int64_t from = i * batchStride;
      const Diagonal<ValueOf<T>> diagonals[] = {
          {asValues(dl) + from, 1}, {asValues(d) + from, 1}, {asValues(du) + from, 1}};
      solveSystem(m, diagonals, asValues(x) + from, 1, 1, m, false);
    }
  });
}

template <class T>
musparseStatus_t gtsvInterleavedBatchBufferSizeExt(Settings&, int algo, int /*m*/, const T*, const T*,
                                                   const T*, const T*, int /*batchCount*/, size_t* size) {
  MUSPARSE_REQUIRE(algo >= 0 && algo <= 2);
  return answerSize(size);
}
// By `algo`: Thomas's, without exchanges of rows; LU with them; QR, which LU with exchanges stands in for.
template <class T>
musparseStatus_t gtsvInterleavedBatch(Settings& self, int algo, int m, T* dl, T* d, T* du, T* x,
                                      int batchCount, void*) {
  MUSPARSE_REQUIRE(algo >= 0 && algo <= 2 && m >= 1 && batchCount >= 0);
  if (batchCount == 0) return MUSPARSE_STATUS_SUCCESS;
  MUSPARSE_REQUIRE(dl && d && du && x);
  return enqueue(self, [=] {
    for (int64_t i = 0; i < batchCount; ++i) {
      const Diagonal<ValueOf<T>> diagonals[] = {
          {asValues(dl) + i, batchCount}, {asValues(d) + i, batchCount}, {asValues(du) + i, batchCount}};
      solveSystem(m, diagonals, asValues(x) + i, batchCount, 1, 0, algo != 0);
    }
  });
}

template <class T>
musparseStatus_t gpsvInterleavedBatchBufferSizeExt(Settings&, int /*algo*/, int /*m*/, const T*, const T*,
                                                   const T*, const T*, const T*, const T*, int /*batchCount*/,
                                                   size_t* size) {
  return answerSize(size);
}
template <class T>
musparseStatus_t gpsvInterleavedBatch(Settings& self, int algo, int m, T* ds, T* dl, T* d, T* du, T* dw, T* x,
                                      int batchCount, void*) {
  MUSPARSE_REQUIRE(algo == 0 && m >= 1 && batchCount >= 0);
  if (batchCount == 0) return MUSPARSE_STATUS_SUCCESS;
  MUSPARSE_REQUIRE(ds && dl && d && du && dw && x);
  return enqueue(self, [=] {
    for (int64_t i = 0; i < batchCount; ++i) {
      const Diagonal<ValueOf<T>> diagonals[] = {{asValues(ds) + i, batchCount},
                                                {asValues(dl) + i, batchCount},
                                                {asValues(d) + i, batchCount},
                                                {asValues(du) + i, batchCount},
                                                {asValues(dw) + i, batchCount}};
      solveSystem(m, diagonals, asValues(x) + i, batchCount, 1, 0, true);
    }
  });
}

}  // namespace musashim::musparse
