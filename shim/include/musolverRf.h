/* Factors of muSOLVER that are computed again for matrices of the same pattern: given L and U of one, the
 * others' need no search for pivots. Functions: shim/api/musolver.yml. */
#ifndef MUSOLVERRF_H_
#define MUSOLVERRF_H_

#include "musolver_common.h"

typedef enum {
  MUSOLVERRF_RESET_VALUES_FAST_MODE_OFF = 0,
  MUSOLVERRF_RESET_VALUES_FAST_MODE_ON = 1
} musolverRfResetValuesFastMode_t;
typedef enum { MUSOLVERRF_MATRIX_FORMAT_CSR = 0, MUSOLVERRF_MATRIX_FORMAT_CSC = 1 } musolverRfMatrixFormat_t;
typedef enum {
  MUSOLVERRF_UNIT_DIAGONAL_STORED_L = 0,
  MUSOLVERRF_UNIT_DIAGONAL_STORED_U = 1,
  MUSOLVERRF_UNIT_DIAGONAL_ASSUMED_L = 2,
  MUSOLVERRF_UNIT_DIAGONAL_ASSUMED_U = 3
} musolverRfUnitDiagonal_t;
typedef enum {
  MUSOLVERRF_FACTORIZATION_ALG0 = 0,
  MUSOLVERRF_FACTORIZATION_ALG1 = 1,
  MUSOLVERRF_FACTORIZATION_ALG2 = 2
} musolverRfFactorization_t;
typedef enum {
  MUSOLVERRF_TRIANGULAR_SOLVE_ALG1 = 1,
  MUSOLVERRF_TRIANGULAR_SOLVE_ALG2 = 2,
  MUSOLVERRF_TRIANGULAR_SOLVE_ALG3 = 3
} musolverRfTriangularSolve_t;
typedef enum {
  MUSOLVERRF_NUMERIC_BOOST_NOT_USED = 0,
  MUSOLVERRF_NUMERIC_BOOST_USED = 1
} musolverRfNumericBoostReport_t;

typedef struct musolverRfCommon* musolverRfHandle_t;

#ifdef __cplusplus
extern "C" {
#endif
#include "musa_detail/musolver_refactorisation_functions.h"
#ifdef __cplusplus
}
#endif

#endif
