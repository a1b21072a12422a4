// References for matrices with a structure: as full ones.
#pragma once

#include "mublas/support.h"

namespace musashim::test {

enum class Kind { kSymmetric, kHermitian, kTriangular };

// n x n, column by column without gaps.
struct Full {
  int n;
  std::vector<Wide> values;
  Wide at(int row, int column) const { return values[static_cast<size_t>(column) * n + row]; }
};

// Reads element (row, column) of the stored triangle by `stored`.
template <class Stored>
Full fill(int n, mublasFillMode_t uplo, Kind kind, bool unit, Stored stored) {
  Full full{n, std::vector<Wide>(static_cast<size_t>(n) * n)};
  for (int column = 0; column < n; ++column) {
    for (int row = 0; row < n; ++row) {
      const bool inside = uplo == MUBLAS_FILL_MODE_LOWER ? row >= column : row <= column;
      Wide value = 0;
      if (kind == Kind::kTriangular) {
        value = !inside ? Wide(0) : row == column && unit ? Wide(1) : stored(row, column);
      } else {
        value = inside ? stored(row, column) : stored(column, row);
        if (kind == Kind::kHermitian && !inside) value = std::conj(value);
        if (kind == Kind::kHermitian && row == column) value = value.real();
      }
      full.values[static_cast<size_t>(column) * n + row] = value;
    }
  }
  return full;
}

inline Wide opAt(const Full& matrix, mublasOperation_t op, int row, int column) {
  if (op == MUBLAS_OP_N) return matrix.at(row, column);
  const Wide value = matrix.at(column, row);
  return op == MUBLAS_OP_C ? std::conj(value) : value;
}

inline constexpr mublasFillMode_t kFills[] = {MUBLAS_FILL_MODE_LOWER, MUBLAS_FILL_MODE_UPPER};
inline constexpr mublasOperation_t kOps[] = {MUBLAS_OP_N, MUBLAS_OP_T, MUBLAS_OP_C};
inline constexpr mublasDiagType_t kDiags[] = {MUBLAS_DIAG_NON_UNIT, MUBLAS_DIAG_UNIT};

// The place of (row, column) in a packed triangle and in a band of k diagonals beside the main one.
inline size_t packed(int n, mublasFillMode_t uplo, int row, int column) {
  return static_cast<size_t>(uplo == MUBLAS_FILL_MODE_LOWER ? column * (2 * n - column - 1) / 2 + row
                                                            : column * (column + 1) / 2 + row);
}
inline size_t banded(int k, int ld, mublasFillMode_t uplo, int row, int column) {
  return static_cast<size_t>(column * ld +
                             (uplo == MUBLAS_FILL_MODE_LOWER ? row - column : k + row - column));
}

}  // namespace musashim::test
