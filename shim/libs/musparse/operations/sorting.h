// Elements into the order of their rows or columns.
#pragma once

#include "libs/musparse/operations/work.h"

namespace musashim::musparse {

// The order in which `count` elements stand by `less`, equal ones as they stood.
template <class Less>
std::vector<int> orderBy(int64_t count, Less&& less) {
  std::vector<int> order(at(count));
  std::iota(order.begin(), order.end(), 0);
  std::sort(order.begin(), order.end(), [&](int a, int b) { return less(a, b) || (!less(b, a) && a < b); });
  return order;
}
// The same for the elements of each row of CSR alone; `first` is where a part begins.
template <class Array>
void rearrange(Array* data, const std::vector<int>& order) {
  if (!data) return;
  const std::vector<Array> old(data, data + order.size());
  for (size_t i = 0; i < order.size(); ++i) data[i] = old[at(order[i])];
}
// For rows whose offsets are given: where each element of the sorted matrix stands now.
inline std::vector<int> orderOfRows(int64_t rows, int64_t nnz, const int* offsets, const int* columns,
                                    int base) {
  std::vector<int> row(at(nnz));
  for (int64_t i = 0; i < rows; ++i)
    for (int64_t k = offsets[i] - base; k < offsets[i + 1] - base; ++k) row[at(k)] = static_cast<int>(i);
  return orderBy(nnz, [&](int a, int b) {
    return row[at(a)] != row[at(b)] ? row[at(a)] < row[at(b)] : columns[a] < columns[b];
  });
}

inline musparseStatus_t createIdentityPermutation(Settings& self, int n, int* p) {
  MUSPARSE_REQUIRE(n >= 0 && (n == 0 || p));
  return enqueue(self, [=] { std::iota(p, p + n, 0); });
}

inline musparseStatus_t checkSort(int m, int n, int nnz, const void* lines, const void* within) {
  MUSPARSE_REQUIRE(m >= 0 && n >= 0 && nnz >= 0 && (nnz == 0 || (lines && within)));
  return MUSPARSE_STATUS_SUCCESS;
}

inline musparseStatus_t coosortBufferSizeExt(Settings&, int m, int n, int nnz, const int* rows,
                                             const int* cols, size_t* size) {
  MUSPARSE_TRY(checkSort(m, n, nnz, rows, cols));
  return answerSize(size);
}
inline musparseStatus_t sortPairs(Settings& self, int nnz, int* first, int* second, int* P) {
  return enqueue(self, [=] {
    const std::vector<int> order = orderBy(nnz, [&](int a, int b) {
      return first[a] != first[b] ? first[a] < first[b] : second[a] < second[b];
    });
    rearrange(first, order);
    rearrange(second, order);
    rearrange(P, order);
  });
}
inline musparseStatus_t coosortByRow(Settings& self, int m, int n, int nnz, int* rows, int* cols, int* P,
                                     void*) {
  MUSPARSE_TRY(checkSort(m, n, nnz, rows, cols));
  return sortPairs(self, nnz, rows, cols, P);
}
inline musparseStatus_t coosortByColumn(Settings& self, int m, int n, int nnz, int* rows, int* cols, int* P,
                                        void*) {
  MUSPARSE_TRY(checkSort(m, n, nnz, rows, cols));
  return sortPairs(self, nnz, cols, rows, P);
}

inline musparseStatus_t csrsortBufferSizeExt(Settings&, int m, int n, int nnz, const int* offsets,
                                             const int* columns, size_t* size) {
  MUSPARSE_TRY(checkSort(m, n, nnz, offsets, columns));
  return answerSize(size);
}
inline musparseStatus_t csrsort(Settings& self, int m, int n, int nnz, const musparseMatDescr* descr,
                                const int* offsets, int* columns, int* P, void*) {
  MUSPARSE_TRY(checkSort(m, n, nnz, offsets, columns));
  MUSPARSE_REQUIRE(descr);
  return enqueue(self, [=, base = static_cast<int>(descr->base)] {
    const std::vector<int> order = orderOfRows(m, nnz, offsets, columns, base);
    rearrange(columns, order);
    rearrange(P, order);
  });
}
inline musparseStatus_t cscsortBufferSizeExt(Settings& self, int m, int n, int nnz, const int* offsets,
                                             const int* rows, size_t* size) {
  return csrsortBufferSizeExt(self, n, m, nnz, offsets, rows, size);
}
inline musparseStatus_t cscsort(Settings& self, int m, int n, int nnz, const musparseMatDescr* descr,
                                const int* offsets, int* rows, int* P, void* buffer) {
  return csrsort(self, n, m, nnz, descr, offsets, rows, P, buffer);
}

// -- With the values, and back --

template <class T>
musparseStatus_t csru2csrBufferSizeExt(Settings&, int m, int n, int nnz, T* values, const int* offsets,
                                       int* columns, csru2csrInfo* info, size_t* size) {
  MUSPARSE_TRY(checkSort(m, n, nnz, offsets, columns));
  MUSPARSE_REQUIRE(info && (nnz == 0 || values));
  return answerSize(size);
}
template <class T>
musparseStatus_t csru2csr(Settings& self, int m, int n, int nnz, const musparseMatDescr* descr, T* values,
                          const int* offsets, int* columns, csru2csrInfo* info, void*) {
  MUSPARSE_TRY(checkSort(m, n, nnz, offsets, columns));
  MUSPARSE_REQUIRE(info && descr && (nnz == 0 || values));
  return enqueue(self, [=, base = static_cast<int>(descr->base), kept = info->order] {
    // Once sorted, the order stays known for the way back.
    if (static_cast<int>(kept->size()) != nnz) *kept = orderOfRows(m, nnz, offsets, columns, base);
    rearrange(columns, *kept);
    rearrange(values, *kept);
  });
}
template <class T>
musparseStatus_t csr2csru(Settings& self, int m, int n, int nnz, const musparseMatDescr* descr, T* values,
                          const int* offsets, int* columns, csru2csrInfo* info, void*) {
  MUSPARSE_TRY(checkSort(m, n, nnz, offsets, columns));
  MUSPARSE_REQUIRE(info && descr && (nnz == 0 || values));
  return enqueue(self, [=, kept = info->order] {
    if (static_cast<int>(kept->size()) != nnz) return;
    std::vector<int> back(kept->size());
    for (size_t i = 0; i < kept->size(); ++i) back[at((*kept)[i])] = static_cast<int>(i);
    rearrange(columns, back);
    rearrange(values, back);
  });
}

}  // namespace musashim::musparse
