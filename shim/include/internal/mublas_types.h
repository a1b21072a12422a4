/* muBLAS's types, statuses and options, without its functions (mublas.h). Numbers are cuBLAS's, those of
 * statuses the vendor's. */
#ifndef MUBLAS_TYPES_H_
#define MUBLAS_TYPES_H_

#include <stddef.h>
#include <stdint.h>

#include "../driver_types.h"
#include "../library_types.h"
#include "../muComplex.h"
#ifdef __cplusplus
#include "../musa_bf16.h"
#include "../musa_fp16.h"
#endif

#define MUBLAS_VER_MAJOR 12
#define MUBLAS_VER_MINOR 4
#define MUBLAS_VER_PATCH 5
#define MUBLAS_VER_BUILD 0
#define MUBLAS_VERSION (MUBLAS_VER_MAJOR * 10000 + MUBLAS_VER_MINOR * 100 + MUBLAS_VER_PATCH)

/* Programs that were written for CUDA are told cuBLAS's statuses, by functions of cuBLAS's names: where a
 * header of CUDA's is included, in `mcc -x cuda`, and where MUSASHIM_CUDA_LIBRARIES is defined. All others
 * are told the vendor's. */
#ifdef MUSASHIM_CUDA_LIBRARIES
typedef enum {
  MUBLAS_STATUS_SUCCESS = 0,
  MUBLAS_STATUS_NOT_INITIALIZED = 1,
  MUBLAS_STATUS_ALLOC_FAILED = 3,
  MUBLAS_STATUS_INVALID_VALUE = 7,
  MUBLAS_STATUS_ARCH_MISMATCH = 8,
  MUBLAS_STATUS_MAPPING_ERROR = 11,
  MUBLAS_STATUS_EXECUTION_FAILED = 13,
  MUBLAS_STATUS_INTERNAL_ERROR = 14,
  MUBLAS_STATUS_NOT_SUPPORTED = 15,
  MUBLAS_STATUS_LICENSE_ERROR = 16
} mublasStatus_t;
#ifndef MUSASHIM_BLAS_NAME
#define MUSASHIM_BLAS_NAME(name) __asm__(#name)
#endif
#else
#include "../crt/mublas_statuses.h"
#define MUSASHIM_BLAS_NAME(name)
#endif

typedef enum {
  MUBLAS_FILL_MODE_LOWER = 0,
  MUBLAS_FILL_MODE_UPPER = 1,
  MUBLAS_FILL_MODE_FULL = 2
} mublasFillMode_t;
typedef enum { MUBLAS_DIAG_NON_UNIT = 0, MUBLAS_DIAG_UNIT = 1 } mublasDiagType_t;
typedef enum { MUBLAS_SIDE_LEFT = 0, MUBLAS_SIDE_RIGHT = 1 } mublasSideMode_t;
typedef enum {
  MUBLAS_OP_N = 0,
  MUBLAS_OP_T = 1,
  MUBLAS_OP_C = 2,
  MUBLAS_OP_HERMITAN = 2, /* so spelt in cuBLAS */
  MUBLAS_OP_CONJG = 3     /* no function takes it */
} mublasOperation_t;
typedef enum { MUBLAS_POINTER_MODE_HOST = 0, MUBLAS_POINTER_MODE_DEVICE = 1 } mublasPointerMode_t;
typedef enum { MUBLAS_ATOMICS_NOT_ALLOWED = 0, MUBLAS_ATOMICS_ALLOWED = 1 } mublasAtomicsMode_t;

/* There is one algorithm here; every number of cuBLAS's is accepted for it. */
typedef enum {
  MUBLAS_GEMM_DFALT = -1,
  MUBLAS_GEMM_DEFAULT = -1,
  MUBLAS_GEMM_ALGO0 = 0,
  MUBLAS_GEMM_ALGO1 = 1,
  MUBLAS_GEMM_ALGO2 = 2,
  MUBLAS_GEMM_ALGO3 = 3,
  MUBLAS_GEMM_ALGO4 = 4,
  MUBLAS_GEMM_ALGO5 = 5,
  MUBLAS_GEMM_ALGO6 = 6,
  MUBLAS_GEMM_ALGO7 = 7,
  MUBLAS_GEMM_ALGO8 = 8,
  MUBLAS_GEMM_ALGO9 = 9,
  MUBLAS_GEMM_ALGO10 = 10,
  MUBLAS_GEMM_ALGO11 = 11,
  MUBLAS_GEMM_ALGO12 = 12,
  MUBLAS_GEMM_ALGO13 = 13,
  MUBLAS_GEMM_ALGO14 = 14,
  MUBLAS_GEMM_ALGO15 = 15,
  MUBLAS_GEMM_ALGO16 = 16,
  MUBLAS_GEMM_ALGO17 = 17,
  MUBLAS_GEMM_ALGO18 = 18,
  MUBLAS_GEMM_ALGO19 = 19,
  MUBLAS_GEMM_ALGO20 = 20,
  MUBLAS_GEMM_ALGO21 = 21,
  MUBLAS_GEMM_ALGO22 = 22,
  MUBLAS_GEMM_ALGO23 = 23,
  MUBLAS_GEMM_DEFAULT_TENSOR_OP = 99,
  MUBLAS_GEMM_DFALT_TENSOR_OP = 99,
  MUBLAS_GEMM_ALGO0_TENSOR_OP = 100,
  MUBLAS_GEMM_ALGO1_TENSOR_OP = 101,
  MUBLAS_GEMM_ALGO2_TENSOR_OP = 102,
  MUBLAS_GEMM_ALGO3_TENSOR_OP = 103,
  MUBLAS_GEMM_ALGO4_TENSOR_OP = 104,
  MUBLAS_GEMM_ALGO5_TENSOR_OP = 105,
  MUBLAS_GEMM_ALGO6_TENSOR_OP = 106,
  MUBLAS_GEMM_ALGO7_TENSOR_OP = 107,
  MUBLAS_GEMM_ALGO8_TENSOR_OP = 108,
  MUBLAS_GEMM_ALGO9_TENSOR_OP = 109,
  MUBLAS_GEMM_ALGO10_TENSOR_OP = 110,
  MUBLAS_GEMM_ALGO11_TENSOR_OP = 111,
  MUBLAS_GEMM_ALGO12_TENSOR_OP = 112,
  MUBLAS_GEMM_ALGO13_TENSOR_OP = 113,
  MUBLAS_GEMM_ALGO14_TENSOR_OP = 114,
  MUBLAS_GEMM_ALGO15_TENSOR_OP = 115,
  MUBLAS_GEMM_AUTOTUNE = 999
} mublasGemmAlgo_t;

/* Products are computed at least as exactly as the mode asks for: float stays float. */
typedef enum {
  MUBLAS_DEFAULT_MATH = 0,
  MUBLAS_TENSOR_OP_MATH = 1,
  MUBLAS_PEDANTIC_MATH = 2,
  MUBLAS_TF32_TENSOR_OP_MATH = 3,
  MUBLAS_MATH_DISALLOW_REDUCED_PRECISION_REDUCTION = 16
} mublasMath_t;

typedef enum {
  MUBLAS_COMPUTE_16F = 64,
  MUBLAS_COMPUTE_16F_PEDANTIC = 65,
  MUBLAS_COMPUTE_32F = 68,
  MUBLAS_COMPUTE_32F_PEDANTIC = 69,
  MUBLAS_COMPUTE_64F = 70,
  MUBLAS_COMPUTE_64F_PEDANTIC = 71,
  MUBLAS_COMPUTE_32I = 72,
  MUBLAS_COMPUTE_32I_PEDANTIC = 73,
  MUBLAS_COMPUTE_32F_FAST_16F = 74,
  MUBLAS_COMPUTE_32F_FAST_16BF = 75,
  MUBLAS_COMPUTE_32F_FAST_TF32 = 77
} mublasComputeType_t;

typedef musaDataType mublasDataType_t;
typedef struct mublasContext* mublasHandle_t;
typedef void (*mublasLogCallback)(const char* msg);

#endif
