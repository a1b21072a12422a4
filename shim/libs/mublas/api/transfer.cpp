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

// `wrong`: what a wrong size gives, which the two forms of an entry tell in different words.
// A vector is a matrix whose columns have one element: the increment is the leading dimension.
mublasStatus_t copyVector(int64_t n, int64_t elemSize, const void* x, int64_t incx, void* y, int64_t incy,
                          musaMemcpyKind kind, const musaStream_t* stream, mublasStatus_t wrong) {
  MUBLAS_REQUIRE(n >= 0 && elemSize > 0 && incx > 0 && incy > 0, wrong);
  if (n == 0) return MUBLAS_STATUS_SUCCESS;
  MUBLAS_REQUIRE(!publicCall.isVendors || (x && y), kBadPointer);
  const size_t size = static_cast<size_t>(elemSize), to = size * static_cast<size_t>(incy),
               from = size * static_cast<size_t>(incx), count = static_cast<size_t>(n);
  if (stream) return copied(musaMemcpy2DAsync(y, to, x, from, size, count, kind, *stream));
  return copied(musaMemcpy2D(y, to, x, from, size, count, kind));
}

mublasStatus_t copyMatrix(int64_t rows, int64_t cols, int64_t elemSize, const void* a, int64_t lda, void* b,
                          int64_t ldb, musaMemcpyKind kind, const musaStream_t* stream,
                          mublasStatus_t wrong) {
  MUBLAS_REQUIRE(rows >= 0 && cols >= 0 && elemSize > 0, wrong);
  MUBLAS_REQUIRE(lda > 0 && lda >= rows && ldb > 0 && ldb >= rows, wrong);
  if (rows == 0 || cols == 0) return MUBLAS_STATUS_SUCCESS;
  MUBLAS_REQUIRE(!publicCall.isVendors || (a && b), kBadPointer);
  const size_t size = static_cast<size_t>(elemSize), to = size * static_cast<size_t>(ldb),
               from = size * static_cast<size_t>(lda), width = size * static_cast<size_t>(rows),
               count = static_cast<size_t>(cols);
  if (stream) return copied(musaMemcpy2DAsync(b, to, a, from, width, count, kind, *stream));
  return copied(musaMemcpy2D(b, to, a, from, width, count, kind));
}

}  // namespace

extern "C" {

#define MUBLAS_TRANSFER(Name, Int, suffix, kind, wrong)                                                      \
  mublasStatus_t mublas##Name##Vector##suffix(Int n, Int elemSize, const void* x, Int incx, void* y,         \
                                              Int incy) {                                                    \
    return tracedCall(                                                                                       \
        "mublas" #Name "Vector" #suffix,                                                                     \
        [&] { return copyVector(n, elemSize, x, incx, y, incy, kind, nullptr, wrong); }, n, elemSize, x,     \
        incx, y, incy);                                                                                      \
  }                                                                                                          \
  mublasStatus_t mublas##Name##VectorAsync##suffix(Int n, Int elemSize, const void* x, Int incx, void* y,    \
                                                   Int incy, musaStream_t stream) {                          \
    return tracedCall(                                                                                       \
        "mublas" #Name "VectorAsync" #suffix,                                                                \
        [&] { return copyVector(n, elemSize, x, incx, y, incy, kind, &stream, wrong); }, n, elemSize, x,     \
        incx, y, incy, stream);                                                                              \
  }                                                                                                          \
  mublasStatus_t mublas##Name##Matrix##suffix(Int rows, Int cols, Int elemSize, const void* A, Int lda,      \
                                              void* B, Int ldb) {                                            \
    return tracedCall(                                                                                       \
        "mublas" #Name "Matrix" #suffix,                                                                     \
        [&] { return copyMatrix(rows, cols, elemSize, A, lda, B, ldb, kind, nullptr, wrong); }, rows, cols,  \
        elemSize, A, lda, B, ldb);                                                                           \
  }                                                                                                          \
  mublasStatus_t mublas##Name##MatrixAsync##suffix(Int rows, Int cols, Int elemSize, const void* A, Int lda, \
                                                   void* B, Int ldb, musaStream_t stream) {                  \
    return tracedCall(                                                                                       \
        "mublas" #Name "MatrixAsync" #suffix,                                                                \
        [&] { return copyMatrix(rows, cols, elemSize, A, lda, B, ldb, kind, &stream, wrong); }, rows, cols,  \
        elemSize, A, lda, B, ldb, stream);                                                                   \
  }
MUBLAS_TRANSFER(Set, int, , musaMemcpyHostToDevice, kBadSize)
MUBLAS_TRANSFER(Get, int, , musaMemcpyDeviceToHost, kBadSize)
MUBLAS_TRANSFER(Set, int64_t, _64, musaMemcpyHostToDevice, kBadTransferSize)
MUBLAS_TRANSFER(Get, int64_t, _64, musaMemcpyDeviceToHost, kBadTransferSize)

}  // extern "C"
