// Level 3 over several devices: results are cut into blocks, each the work of one device by muBLAS's own
// operations. Blocks of a result depend on nothing that another writes, so they need no order.
#pragma once

#include <musa_runtime_api.h>

#include <cmath>

#include "libs/mublas/operations/level3.h"
#include "libs/mublas/xt/handle.h"

namespace musashim::mublas {

// What every operation asks before its own arguments are looked at.
#define MUBLAS_XT_BEGIN(...)                                           \
  MUBLAS_REQUIRE(!self.boards.empty(), MUBLAS_STATUS_NOT_INITIALIZED); \
  MUBLAS_REQUIRE(fitInt(__VA_ARGS__), MUBLAS_STATUS_NOT_SUPPORTED)

inline int narrowed(size_t size) { return static_cast<int>(size); }

// each(first, length) for the blocks of so many rows or columns, until one fails.
template <class Each>
mublasStatus_t forBlocks(const XtSettings& self, int total, Each each) {
  for (int first = 0, length = 0; first < total; first += length) {
    length = std::min(self.blockDim, total - first);
    MUBLAS_TRY(each(static_cast<ptrdiff_t>(first), length));
  }
  return MUBLAS_STATUS_SUCCESS;
}

template <class T>
constexpr mublasXtOpType_t kXtType = std::is_same_v<T, float>       ? MUBLASXT_FLOAT
                                     : std::is_same_v<T, double>    ? MUBLASXT_DOUBLE
                                     : std::is_same_v<T, muComplex> ? MUBLASXT_COMPLEX
                                                                    : MUBLASXT_DOUBLECOMPLEX;

inline bool isDeviceMemory(const void* pointer) {
  musaPointerAttributes attributes{};
  if (musaPointerGetAttributes(&attributes, pointer) != musaSuccess) {
    (void)musaGetLastError();
    return false;
  }
  return attributes.type == musaMemoryTypeDevice;
}

// C = alpha op(A) op(B) + beta C; the last columns are the host's, by the routine that the caller has given.
template <class T>
mublasStatus_t xtGemm(XtSettings& self, mublasOperation_t transa, mublasOperation_t transb, size_t m,
                      size_t n, size_t k, const Known<T>* alpha, const T* A, size_t lda, const T* B,
                      size_t ldb, const Known<T>* beta, T* C, size_t ldc) {
  MUBLAS_XT_BEGIN(m, n, k, lda, ldb, ldc);
  const Shape s{transa,      transb,        narrowed(m),   narrowed(n),
                narrowed(k), narrowed(lda), narrowed(ldb), narrowed(ldc)};
  MUBLAS_REQUIRE(s.isValid() && alpha && beta, MUBLAS_STATUS_INVALID_VALUE);
  if (s.isEmpty()) return MUBLAS_STATUS_SUCCESS;
  const auto columnOfB = [&](ptrdiff_t column) {
    return B + (transb == MUBLAS_OP_N ? column * s.ldb : column);
  };
  const XtRoutine& routine = self.products[kXtType<T>];
  const bool hasHost = routine.function && !isDeviceMemory(A) && !isDeviceMemory(B) && !isDeviceMemory(C);
  const int hosts = hasHost ? static_cast<int>(std::lround(routine.share * static_cast<float>(s.n))) : 0;
  XtRun run(self);
  MUBLAS_TRY(forBlocks(self, s.n - hosts, [&](ptrdiff_t column, int columns) {
    return forBlocks(self, s.m, [&](ptrdiff_t row, int rows) {
      Settings board = run.next();
      const T* const rowOfA = A + (transa == MUBLAS_OP_N ? row : row * s.lda);
      return gemm(board, transa, transb, rows, columns, s.k, alpha, rowOfA, s.lda, columnOfB(column), s.ldb,
                  beta, C + row + column * s.ldc, s.ldc);
    });
  }));
  if (hosts > 0) {
    using Routine = void (*)(const char*, const char*, const int*, const int*, const int*, const T*, const T*,
                             const int*, const T*, const int*, const T*, T*, const int*);
    const char a = letter(transa), b = letter(transb);
    const ptrdiff_t column = s.n - hosts;
    reinterpret_cast<Routine>(routine.function)(&a, &b, &s.m, &hosts, &s.k, alpha, A, &s.lda,
                                                columnOfB(column), &s.ldb, beta, C + column * s.ldc, &s.ldc);
  }
  return run.wait();
}

// A triangle of n x n: onDiagonal(board, first, length) for the blocks on the diagonal, offDiagonal(board,
// row, rows, column, columns) for those of the triangle besides.
template <class OnDiagonal, class OffDiagonal>
mublasStatus_t overTriangle(XtSettings& self, mublasFillMode_t uplo, int n, OnDiagonal onDiagonal,
                            OffDiagonal offDiagonal) {
  XtRun run(self);
  MUBLAS_TRY(forBlocks(self, n, [&](ptrdiff_t column, int columns) {
    return forBlocks(self, n, [&](ptrdiff_t row, int rows) {
      if (row != column && (row > column) != (uplo == MUBLAS_FILL_MODE_LOWER)) return MUBLAS_STATUS_SUCCESS;
      Settings board = run.next();
      return row == column ? onDiagonal(board, row, rows) : offDiagonal(board, row, rows, column, columns);
    });
  }));
  return run.wait();
}

// What updates of a triangle of C by A and B have in common; with H for T `other` is C.
template <class T>
struct XtUpdate {
  mublasFillMode_t uplo;
  mublasOperation_t trans, other;
  int n, k, lda, ldb, ldc;
  const T *A, *B;
  T* C;

  bool isValid() const { return isUpdate(uplo, trans, n, k, lda, ldb, ldc); }
  bool isPlain() const { return trans == MUBLAS_OP_N; }
  // As the operations of one block take it.
  mublasOperation_t op() const { return isPlain() ? trans : other; }
  const T* rowOfA(ptrdiff_t row) const { return A + (isPlain() ? row : row * lda); }
  const T* rowOfB(ptrdiff_t row) const { return B + (isPlain() ? row : row * ldb); }
  T* at(ptrdiff_t row, ptrdiff_t column) const { return C + row + column * ldc; }
  // A block of alpha op(A) op(B)^T + beta C, and of the same with A and B exchanged.
  mublasStatus_t product(Settings& board, ptrdiff_t row, int rows, ptrdiff_t column, int columns,
                         const T& alpha, const T& beta) const {
    return gemm(board, op(), isPlain() ? other : MUBLAS_OP_N, rows, columns, k, &alpha, rowOfA(row), lda,
                rowOfB(column), ldb, &beta, at(row, column), ldc);
  }
  // A block on the diagonal, by one of muBLAS's operations of two matrices.
  template <class Operation, class FB>
  mublasStatus_t diagonal(Settings& board, Operation operation, ptrdiff_t first, int length, const T* alpha,
                          const FB* beta) const {
    return operation(board, uplo, op(), length, k, alpha, rowOfA(first), lda, rowOfB(first), ldb, beta,
                     at(first, first), ldc);
  }
  XtUpdate exchanged() const { return {uplo, trans, other, n, k, ldb, lda, ldc, B, A, C}; }
};

// A factor, real or of the elements' type, as one of the elements' type.
template <class T, class Factor>
T asFactor(const Factor& factor) {
  if constexpr (std::is_same_v<Factor, T>) {
    return factor;
  } else {
    return {factor, 0};
  }
}
template <class T>
T conjugated(T value) {
  if constexpr (Numbers<T>::isComplex) value.y = -value.y;
  return value;
}

#define MUBLAS_XT_UPDATE(otherOp, secondB, ldSecond)                                                      \
  const XtUpdate<T> u{                                                                                    \
      uplo, trans,   otherOp, narrowed(n), narrowed(k), narrowed(lda), narrowed(ldSecond), narrowed(ldc), \
      A,    secondB, C};                                                                                  \
  MUBLAS_REQUIRE(u.isValid() && alpha && beta, MUBLAS_STATUS_INVALID_VALUE);                              \
  if (u.n == 0) return MUBLAS_STATUS_SUCCESS

template <class T>
mublasStatus_t xtSyrk(XtSettings& self, mublasFillMode_t uplo, mublasOperation_t trans, size_t n, size_t k,
                      const Known<T>* alpha, const T* A, size_t lda, const Known<T>* beta, T* C, size_t ldc) {
  MUBLAS_XT_BEGIN(n, k, lda, ldc);
  MUBLAS_XT_UPDATE(MUBLAS_OP_T, A, lda);
  return overTriangle(
      self, uplo, u.n,
      [&](Settings& board, ptrdiff_t at, int length) {
        return syrk(board, uplo, u.op(), length, u.k, alpha, u.rowOfA(at), u.lda, beta, u.at(at, at), u.ldc);
      },
      [&](Settings& board, ptrdiff_t row, int rows, ptrdiff_t column, int columns) {
        return u.product(board, row, rows, column, columns, *alpha, *beta);
      });
}

template <class T>
mublasStatus_t xtHerk(XtSettings& self, mublasFillMode_t uplo, mublasOperation_t trans, size_t n, size_t k,
                      const RealOf<T>* alpha, const T* A, size_t lda, const RealOf<T>* beta, T* C,
                      size_t ldc) {
  MUBLAS_XT_BEGIN(n, k, lda, ldc);
  MUBLAS_XT_UPDATE(MUBLAS_OP_C, A, lda);
  return overTriangle(
      self, uplo, u.n,
      [&](Settings& board, ptrdiff_t at, int length) {
        return herk(board, uplo, u.op(), length, u.k, alpha, u.rowOfA(at), u.lda, beta, u.at(at, at), u.ldc);
      },
      [&](Settings& board, ptrdiff_t row, int rows, ptrdiff_t column, int columns) {
        return u.product(board, row, rows, column, columns, asFactor<T>(*alpha), asFactor<T>(*beta));
      });
}

// The updates of two matrices: blocks on the diagonal by `operation`, one of muBLAS's, the others as
// products; with A and B exchanged added by `exchanged` times, where that is not null. FB is the type of
// beta.
template <class T, class FB, class Operation>
mublasStatus_t xtByTwo(XtSettings& self, const XtUpdate<T>& u, Operation operation, const T* alpha,
                       const T* exchanged, const FB* beta) {
  return overTriangle(
      self, u.uplo, u.n,
      [&](Settings& board, ptrdiff_t at, int length) {
        return u.diagonal(board, operation, at, length, alpha, beta);
      },
      [&](Settings& board, ptrdiff_t row, int rows, ptrdiff_t column, int columns) {
        MUBLAS_TRY(u.product(board, row, rows, column, columns, *alpha, asFactor<T>(*beta)));
        if (exchanged == nullptr) return MUBLAS_STATUS_SUCCESS;
        return u.exchanged().product(board, row, rows, column, columns, *exchanged,
                                     asFactor<T>(RealOf<T>(1)));
      });
}

template <class T>
mublasStatus_t xtSyrkx(XtSettings& self, mublasFillMode_t uplo, mublasOperation_t trans, size_t n, size_t k,
                       const Known<T>* alpha, const T* A, size_t lda, const T* B, size_t ldb,
                       const Known<T>* beta, T* C, size_t ldc) {
  MUBLAS_XT_BEGIN(n, k, lda, ldb, ldc);
  MUBLAS_REQUIRE(takes<T>(trans, MUBLAS_OP_T), kBadOption);
  MUBLAS_XT_UPDATE(MUBLAS_OP_T, B, ldb);
  return xtByTwo<T>(self, u, syrkx<T>, alpha, nullptr, beta);
}

template <class T>
mublasStatus_t xtHerkx(XtSettings& self, mublasFillMode_t uplo, mublasOperation_t trans, size_t n, size_t k,
                       const Known<T>* alpha, const T* A, size_t lda, const T* B, size_t ldb,
                       const RealOf<T>* beta, T* C, size_t ldc) {
  MUBLAS_XT_BEGIN(n, k, lda, ldb, ldc);
  MUBLAS_REQUIRE(takes<T>(trans, MUBLAS_OP_C), kBadOption);
  MUBLAS_XT_UPDATE(MUBLAS_OP_C, B, ldb);
  return xtByTwo<T>(self, u, herkx<T>, alpha, nullptr, beta);
}

template <class T>
mublasStatus_t xtSyr2k(XtSettings& self, mublasFillMode_t uplo, mublasOperation_t trans, size_t n, size_t k,
                       const Known<T>* alpha, const T* A, size_t lda, const T* B, size_t ldb,
                       const Known<T>* beta, T* C, size_t ldc) {
  MUBLAS_XT_BEGIN(n, k, lda, ldb, ldc);
  MUBLAS_REQUIRE(takes<T>(trans, MUBLAS_OP_T), kBadOption);
  MUBLAS_XT_UPDATE(MUBLAS_OP_T, B, ldb);
  return xtByTwo<T>(self, u, syr2k<T>, alpha, alpha, beta);
}

template <class T>
mublasStatus_t xtHer2k(XtSettings& self, mublasFillMode_t uplo, mublasOperation_t trans, size_t n, size_t k,
                       const Known<T>* alpha, const T* A, size_t lda, const T* B, size_t ldb,
                       const RealOf<T>* beta, T* C, size_t ldc) {
  MUBLAS_XT_BEGIN(n, k, lda, ldb, ldc);
  MUBLAS_REQUIRE(takes<T>(trans, MUBLAS_OP_C), kBadOption);
  MUBLAS_XT_UPDATE(MUBLAS_OP_C, B, ldb);
  const T exchanged = conjugated(*alpha);
  return xtByTwo<T>(self, u, her2k<T>, alpha, &exchanged, beta);
}

// Columns of a result of m x n are each other's affair where a square matrix stands left, its rows where it
// stands right: each(board, from, rows, columns) for such slabs, which from(matrix, ld) finds in a matrix.
template <class Each>
mublasStatus_t overSlabs(XtSettings& self, mublasSideMode_t side, int m, int n, Each each) {
  const bool left = side == MUBLAS_SIDE_LEFT;
  XtRun run(self);
  MUBLAS_TRY(forBlocks(self, left ? n : m, [&](ptrdiff_t first, int length) {
    Settings board = run.next();
    const auto from = [=](auto* matrix, int ld) { return matrix + (left ? first * ld : first); };
    return each(board, from, left ? m : length, left ? length : n);
  }));
  return run.wait();
}

#define MUBLAS_XT_SYMM(Name, name)                                                                          \
  template <class T>                                                                                        \
  mublasStatus_t Name(XtSettings& self, mublasSideMode_t side, mublasFillMode_t uplo, size_t m, size_t n,   \
                      const Known<T>* alpha, const T* A, size_t lda, const T* B, size_t ldb,                \
                      const Known<T>* beta, T* C, size_t ldc) {                                             \
    MUBLAS_XT_BEGIN(m, n, lda, ldb, ldc);                                                                   \
    const int la = narrowed(lda), lb = narrowed(ldb), lc = narrowed(ldc);                                   \
    MUBLAS_REQUIRE(isSide(side) && isFill(uplo) && alpha && beta, MUBLAS_STATUS_INVALID_VALUE);             \
    MUBLAS_REQUIRE(leads(la, narrowed(side == MUBLAS_SIDE_LEFT ? m : n)) && leads(lb, narrowed(m)) &&       \
                       leads(lc, narrowed(m)),                                                              \
                   MUBLAS_STATUS_INVALID_VALUE);                                                            \
    if (m == 0 || n == 0) return MUBLAS_STATUS_SUCCESS;                                                     \
    return overSlabs(                                                                                       \
        self, side, narrowed(m), narrowed(n), [&](Settings& board, auto from, int rows, int cols) {         \
          return name(board, side, uplo, rows, cols, alpha, A, la, from(B, lb), lb, beta, from(C, lc), lc); \
        });                                                                                                 \
  }
MUBLAS_XT_SYMM(xtSymm, symm)
MUBLAS_XT_SYMM(xtHemm, hemm)

// As symm, with a triangle of A packed by columns.
template <class T>
mublasStatus_t xtSpmm(XtSettings& self, mublasSideMode_t side, mublasFillMode_t uplo, size_t m, size_t n,
                      const Known<T>* alpha, const T* AP, const T* B, size_t ldb, const Known<T>* beta, T* C,
                      size_t ldc) {
  MUBLAS_XT_BEGIN(m, n, ldb, ldc);
  MUBLAS_REQUIRE(isSide(side) && isFill(uplo) && AP, MUBLAS_STATUS_INVALID_VALUE);
  const size_t order = side == MUBLAS_SIDE_LEFT ? m : n;
  std::vector<T> full(order * order);
  {
    // By a device, as the triangle may be in its memory.
    XtRun run(self);
    Settings board = run.next();
    MUBLAS_TRY(enqueue(board, [=, to = full.data()] {
      const bool lower = uplo == MUBLAS_FILL_MODE_LOWER;
      const T* from = AP;
      for (size_t column = 0; column < order; ++column) {
        const size_t first = lower ? column : 0, last = lower ? order : column + 1;
        std::copy_n(from, last - first, to + column * order + first);
        from += last - first;
      }
    }));
    MUBLAS_TRY(run.wait());
  }
  return xtSymm(self, side, uplo, m, n, alpha, full.data(), std::max<size_t>(order, 1), B, ldb, beta, C, ldc);
}

template <class T>
mublasStatus_t xtTrsm(XtSettings& self, mublasSideMode_t side, mublasFillMode_t uplo, mublasOperation_t trans,
                      mublasDiagType_t diag, size_t m, size_t n, const Known<T>* alpha, const T* A,
                      size_t lda, T* B, size_t ldb) {
  MUBLAS_XT_BEGIN(m, n, lda, ldb);
  const Triangle t{side, uplo, trans, diag, narrowed(m), narrowed(n)};
  const int la = narrowed(lda), lb = narrowed(ldb);
  MUBLAS_REQUIRE(t.isValid(la, lb) && alpha, MUBLAS_STATUS_INVALID_VALUE);
  if (t.isEmpty()) return MUBLAS_STATUS_SUCCESS;
  return overSlabs(self, side, t.m, t.n, [&](Settings& board, auto from, int rows, int columns) {
    return trsm(board, side, uplo, trans, diag, rows, columns, alpha, A, la, from(B, lb), lb);
  });
}

template <class T>
mublasStatus_t xtTrmm(XtSettings& self, mublasSideMode_t side, mublasFillMode_t uplo, mublasOperation_t trans,
                      mublasDiagType_t diag, size_t m, size_t n, const Known<T>* alpha, const T* A,
                      size_t lda, const T* B, size_t ldb, T* C, size_t ldc) {
  MUBLAS_XT_BEGIN(m, n, lda, ldb, ldc);
  const Triangle t{side, uplo, trans, diag, narrowed(m), narrowed(n)};
  const int la = narrowed(lda), lb = narrowed(ldb), lc = narrowed(ldc);
  MUBLAS_REQUIRE(t.isValid(la, lb) && leads(lc, t.m) && alpha && (B != C || lb == lc),
                 MUBLAS_STATUS_INVALID_VALUE);
  if (t.isEmpty()) return MUBLAS_STATUS_SUCCESS;
  return overSlabs(self, side, t.m, t.n, [&](Settings& board, auto from, int rows, int columns) {
    return trmm(board, side, uplo, trans, diag, rows, columns, alpha, A, la, from(B, lb), lb, from(C, lc),
                lc);
  });
}

}  // namespace musashim::mublas
