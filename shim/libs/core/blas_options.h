// cuBLAS's options as muBLAS and muSOLVER take them: which values there are, and BLAS's letters for them.
#pragma once

#include <mublas.h>

namespace musashim::libs {

inline bool isOperation(mublasOperation_t op) { return op >= MUBLAS_OP_N && op <= MUBLAS_OP_C; }
inline bool isFill(mublasFillMode_t fill) {
  return fill == MUBLAS_FILL_MODE_LOWER || fill == MUBLAS_FILL_MODE_UPPER;
}
inline bool isSide(mublasSideMode_t side) { return side == MUBLAS_SIDE_LEFT || side == MUBLAS_SIDE_RIGHT; }
inline bool isDiagonal(mublasDiagType_t diag) {
  return diag == MUBLAS_DIAG_NON_UNIT || diag == MUBLAS_DIAG_UNIT;
}

inline char letter(mublasOperation_t op) { return "NTC"[op]; }
inline char letter(mublasFillMode_t fill) { return "LU"[fill]; }
inline char letter(mublasSideMode_t side) { return "LR"[side]; }
inline char letter(mublasDiagType_t diag) { return "NU"[diag]; }

// Whether `ld` may be the leading dimension of a matrix of so many rows.
inline bool leads(int ld, int rows) { return ld >= (rows > 1 ? rows : 1); }

}  // namespace musashim::libs
