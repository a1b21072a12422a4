// Vectors and matrices between host and device.
#include <musa_runtime_api.h>

#include "libs/mublas/api/entry.h"

using namespace musashim::mublas;

namespace {

mublasStatus_t copied(musaError_t error) {
  if (error == musaSuccess) return MUBLAS_STATUS_SUCCESS;
  (void)musaGetLastError();
  return MUBLAS_STATUS_MAPPING_ERROR;
}

// A vector is a matrix whose columns have one element: the increment is the leading dimension.
mublasStatus_t copyVector(int n, int elemSize, const void* x, int incx, void* y, int incy,
                          musaMemcpyKind kind, const musaStream_t* stream) {
  MUBLAS_REQUIRE(n >= 0 && elemSize > 0 && incx > 0 && incy > 0, MUBLAS_STATUS_INVALID_VALUE);
  if (n == 0) return MUBLAS_STATUS_SUCCESS;
  const size_t size = static_cast<size_t>(elemSize), to = size * static_cast<size_t>(incy),
               from = size * static_cast<size_t>(incx), count = static_cast<size_t>(n);
  if (stream) return copied(musaMemcpy2DAsync(y, to, x, from, size, count, kind, *stream));
  return copied(musaMemcpy2D(y, to, x, from, size, count, kind));
}

mublasStatus_t copyMatrix(int rows, int cols, int elemSize, const void* a, int lda, void* b, int ldb,
                          musaMemcpyKind kind, const musaStream_t* stream) {
  MUBLAS_REQUIRE(rows >= 0 && cols >= 0 && elemSize > 0, MUBLAS_STATUS_INVALID_VALUE);
  MUBLAS_REQUIRE(lda > 0 && lda >= rows && ldb > 0 && ldb >= rows, MUBLAS_STATUS_INVALID_VALUE);
  if (rows == 0 || cols == 0) return MUBLAS_STATUS_SUCCESS;
  const size_t size = static_cast<size_t>(elemSize), to = size * static_cast<size_t>(ldb),
               from = size * static_cast<size_t>(lda), width = size * static_cast<size_t>(rows),
               count = static_cast<size_t>(cols);
  if (stream) return copied(musaMemcpy2DAsync(b, to, a, from, width, count, kind, *stream));
  return copied(musaMemcpy2D(b, to, a, from, width, count, kind));
}

}  // namespace

extern "C" {

#define MUBLAS_TRANSFER(Name, kind)                                                                        \
  __attribute__((visibility("default")))                                                                   \
  mublasStatus_t mublas##Name##Vector(int n, int elemSize, const void* x, int incx, void* y, int incy) {   \
    return tracedCall(                                                                                     \
        "mublas" #Name "Vector", [&] { return copyVector(n, elemSize, x, incx, y, incy, kind, nullptr); }, \
        n, elemSize, x, incx, y, incy);                                                                    \
  }                                                                                                        \
  __attribute__((visibility("default"))) mublasStatus_t mublas##Name##VectorAsync(                         \
      int n, int elemSize, const void* x, int incx, void* y, int incy, musaStream_t stream) {              \
    return tracedCall(                                                                                     \
        "mublas" #Name "VectorAsync",                                                                      \
        [&] { return copyVector(n, elemSize, x, incx, y, incy, kind, &stream); }, n, elemSize, x, incx, y, \
        incy, stream);                                                                                     \
  }                                                                                                        \
  __attribute__((visibility("default"))) mublasStatus_t mublas##Name##Matrix(                              \
      int rows, int cols, int elemSize, const void* A, int lda, void* B, int ldb) {                        \
    return tracedCall(                                                                                     \
        "mublas" #Name "Matrix",                                                                           \
        [&] { return copyMatrix(rows, cols, elemSize, A, lda, B, ldb, kind, nullptr); }, rows, cols,       \
        elemSize, A, lda, B, ldb);                                                                         \
  }                                                                                                        \
  __attribute__((visibility("default"))) mublasStatus_t mublas##Name##MatrixAsync(                         \
      int rows, int cols, int elemSize, const void* A, int lda, void* B, int ldb, musaStream_t stream) {   \
    return tracedCall(                                                                                     \
        "mublas" #Name "MatrixAsync",                                                                      \
        [&] { return copyMatrix(rows, cols, elemSize, A, lda, B, ldb, kind, &stream); }, rows, cols,       \
        elemSize, A, lda, B, ldb, stream);                                                                 \
  }
MUBLAS_TRANSFER(Set, musaMemcpyHostToDevice)
MUBLAS_TRANSFER(Get, musaMemcpyDeviceToHost)

}  // extern "C"
