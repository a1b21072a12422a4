// Colours for the rows of a matrix with a symmetric pattern: rows that an element joins have different ones.
#pragma once

#include <cmath>

#include "libs/musparse/operations/work.h"

namespace musashim::musparse {

inline musparseStatus_t setColorAlgs(musparseColorInfo& info, musparseColorAlg_t algorithm) {
  MUSPARSE_REQUIRE(algorithm == MUSPARSE_COLOR_ALG0 || algorithm == MUSPARSE_COLOR_ALG1);
  info.algorithm = algorithm;
  return MUSPARSE_STATUS_SUCCESS;
}
inline musparseStatus_t getColorAlgs(musparseColorInfo& info, musparseColorAlg_t* algorithm) {
  MUSPARSE_REQUIRE(algorithm);
  *algorithm = info.algorithm;
  return MUSPARSE_STATUS_SUCCESS;
}

// Each colour goes to a largest set of rows, in their order, that no element joins, until `enough` rows have
// one. The others get colours of their own. Returns how many colours there are.
inline int colorRows(const musparseSpMatDescr& a, int64_t enough, int* colors) {
  const Indices offsets(a.offsets, a.offsetType, a.base), columns(a.indices, a.indexType, a.base);
  std::vector<int64_t> open(at(a.rows));
  std::iota(open.begin(), open.end(), 0);
  std::fill_n(colors, a.rows, -1);
  int color = 0;
  while (!open.empty() && a.rows - static_cast<int64_t>(open.size()) < enough) {
    std::vector<int64_t> left;
    for (const int64_t row : open) {
      bool joined = false;
      for (int64_t k = offsets[row]; k < offsets[row + 1] && !joined; ++k)
        joined = columns[k] != row && colors[columns[k]] == color;
      if (joined)
        left.push_back(row);
      else
        colors[row] = color;
    }
    open = std::move(left);
    ++color;
  }
  for (const int64_t row : open) colors[row] = color++;
  return color;
}

// Colours, and the rows in their order, count from the matrix's base.
template <class T, class Fraction>
musparseStatus_t csrcolor(Settings& self, int m, int nnz, const musparseMatDescr* descrA, const T*,
                          const int* offsets, const int* columns, const Fraction* fraction, int* count,
                          int* coloring, int* reordering, musparseColorInfo* info) {
  MUSPARSE_REQUIRE(m >= 0 && nnz >= 0 && descrA && fraction && count && info);
  if (descrA->type != MUSPARSE_MATRIX_TYPE_GENERAL) return MUSPARSE_STATUS_MATRIX_TYPE_NOT_SUPPORTED;
  if (m == 0) return MUSPARSE_STATUS_SUCCESS;  // as cuSPARSE, which leaves the count as it was
  MUSPARSE_REQUIRE(offsets && columns && coloring);
  return enqueueResult(self, [=, a = csrMatrix<void>(m, m, nnz, *descrA, nullptr, offsets, columns),
                              share = Scalar<Fraction>(self, fraction)] {
    const double part = std::clamp<double>(share.get(), 0, 1);
    const int base = a.base;
    *count = colorRows(a, static_cast<int64_t>(std::ceil(part * m)), coloring);
    for (int row = 0; row < m; ++row) coloring[row] += base;
    if (!reordering) return;
    std::iota(reordering, reordering + m, base);
    std::sort(reordering, reordering + m, [&](int left, int right) {
      const int first = coloring[left - base], second = coloring[right - base];
      return first != second ? first < second : left < right;
    });
  });
}

}  // namespace musashim::musparse
