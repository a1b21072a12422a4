/* muBLAS: linear algebra on the device, at the level of cuBLAS 12 (the interface with handles).
 *
 * Values and semantics are cuBLAS's, so that ported code keeps its meaning; statuses are the vendor's. A call
 * returns when its work is queued on the handle's stream; only results in host memory
 * (MUBLAS_POINTER_MODE_HOST) make it wait. Functions: shim/api/mublas.yml. */
#ifndef MUBLAS_H_
#define MUBLAS_H_
#define MUBLAS_API_H_ /* as programs ask for it */

#include "internal/mublas_types.h"

#ifdef __cplusplus
extern "C" {
#endif
#include "musa_detail/mublas_functions.h"
#ifdef __cplusplus
} /* extern "C" */

/* As before cuBLAS 11, when the type of the computation was a type of data. An unknown one gives
 * NOT_SUPPORTED. */
static inline mublasComputeType_t mublasComputeTypeOf(mublasMath_t mode, musaDataType type) {
  const bool pedantic = (mode & 3) == MUBLAS_PEDANTIC_MATH;
  switch (type) {
    case MUSA_R_16F:
      return pedantic ? MUBLAS_COMPUTE_16F_PEDANTIC : MUBLAS_COMPUTE_16F;
    case MUSA_R_32F:
    case MUSA_C_32F:
      return pedantic ? MUBLAS_COMPUTE_32F_PEDANTIC : MUBLAS_COMPUTE_32F;
    case MUSA_R_64F:
    case MUSA_C_64F:
      return pedantic ? MUBLAS_COMPUTE_64F_PEDANTIC : MUBLAS_COMPUTE_64F;
    case MUSA_R_32I:
      return pedantic ? MUBLAS_COMPUTE_32I_PEDANTIC : MUBLAS_COMPUTE_32I;
    default:
      return static_cast<mublasComputeType_t>(0);
  }
}

static inline mublasStatus_t mublasGemmEx(mublasHandle_t handle, mublasOperation_t transa,
                                          mublasOperation_t transb, int m, int n, int k, const void* alpha,
                                          const void* A, musaDataType Atype, int lda, const void* B,
                                          musaDataType Btype, int ldb, const void* beta, void* C,
                                          musaDataType Ctype, int ldc, musaDataType computeType,
                                          mublasGemmAlgo_t algo) {
  mublasMath_t mode = MUBLAS_DEFAULT_MATH;
  const mublasStatus_t status = mublasGetMathMode(handle, &mode);
  if (status != MUBLAS_STATUS_SUCCESS) return status;
  return mublasGemmEx(handle, transa, transb, m, n, k, alpha, A, Atype, lda, B, Btype, ldb, beta, C, Ctype,
                      ldc, mublasComputeTypeOf(mode, computeType), algo);
}

static inline mublasStatus_t mublasGemmBatchedEx(
    mublasHandle_t handle, mublasOperation_t transa, mublasOperation_t transb, int m, int n, int k,
    const void* alpha, const void* const Aarray[], musaDataType Atype, int lda, const void* const Barray[],
    musaDataType Btype, int ldb, const void* beta, void* const Carray[], musaDataType Ctype, int ldc,
    int batchCount, musaDataType computeType, mublasGemmAlgo_t algo) {
  mublasMath_t mode = MUBLAS_DEFAULT_MATH;
  const mublasStatus_t status = mublasGetMathMode(handle, &mode);
  if (status != MUBLAS_STATUS_SUCCESS) return status;
  return mublasGemmBatchedEx(handle, transa, transb, m, n, k, alpha, Aarray, Atype, lda, Barray, Btype, ldb,
                             beta, Carray, Ctype, ldc, batchCount, mublasComputeTypeOf(mode, computeType),
                             algo);
}

static inline mublasStatus_t mublasGemmStridedBatchedEx(
    mublasHandle_t handle, mublasOperation_t transa, mublasOperation_t transb, int m, int n, int k,
    const void* alpha, const void* A, musaDataType Atype, int lda, long long int strideA, const void* B,
    musaDataType Btype, int ldb, long long int strideB, const void* beta, void* C, musaDataType Ctype,
    int ldc, long long int strideC, int batchCount, musaDataType computeType, mublasGemmAlgo_t algo) {
  mublasMath_t mode = MUBLAS_DEFAULT_MATH;
  const mublasStatus_t status = mublasGetMathMode(handle, &mode);
  if (status != MUBLAS_STATUS_SUCCESS) return status;
  return mublasGemmStridedBatchedEx(handle, transa, transb, m, n, k, alpha, A, Atype, lda, strideA, B, Btype,
                                    ldb, strideB, beta, C, Ctype, ldc, strideC, batchCount,
                                    mublasComputeTypeOf(mode, computeType), algo);
}
#endif

#endif
