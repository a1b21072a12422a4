/* muBLASLt: products of matrices with descriptors, at the level of cuBLASLt 12.
 *
 * Values and semantics are cuBLASLt's. A call returns when its work is queued on the given stream. There is
 * one algorithm, which needs no workspace; tiles, stages and the like are kept, and change nothing.
 * Functions: shim/api/mublasLt.yml. */
#ifndef MUBLASLT_H_
#define MUBLASLT_H_

#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "crt/blaslt_shapes.h"
#include "mublas.h"

typedef struct mublasLtContext* mublasLtHandle_t;

/* Descriptors may lie where the program wants them (mublasLt...Init) or in the library's memory (...Create).
 */
typedef struct {
  uint64_t data[8];
} mublasLtMatrixLayoutOpaque_t;
typedef mublasLtMatrixLayoutOpaque_t* mublasLtMatrixLayout_t;
typedef struct {
  uint64_t data[8];
} mublasLtMatmulAlgo_t;
typedef struct {
  uint64_t data[32];
} mublasLtMatmulDescOpaque_t;
typedef mublasLtMatmulDescOpaque_t* mublasLtMatmulDesc_t;
typedef struct {
  uint64_t data[8];
} mublasLtMatrixTransformDescOpaque_t;
typedef mublasLtMatrixTransformDescOpaque_t* mublasLtMatrixTransformDesc_t;
typedef struct {
  uint64_t data[8];
} mublasLtMatmulPreferenceOpaque_t;
typedef mublasLtMatmulPreferenceOpaque_t* mublasLtMatmulPreference_t;

/* Where alpha and beta are. */
typedef enum {
  MUBLASLT_POINTER_MODE_HOST = MUBLAS_POINTER_MODE_HOST,
  MUBLASLT_POINTER_MODE_DEVICE = MUBLAS_POINTER_MODE_DEVICE,
  MUBLASLT_POINTER_MODE_DEVICE_VECTOR = 2, /* this and the next are not supported */
  MUBLASLT_POINTER_MODE_ALPHA_DEVICE_VECTOR_BETA_ZERO = 3,
  MUBLASLT_POINTER_MODE_ALPHA_DEVICE_VECTOR_BETA_HOST = 4 /* a factor for each row of 8-bit integers */
} mublasLtPointerMode_t;

typedef enum {
  MUBLASLT_POINTER_MODE_MASK_HOST = 1,
  MUBLASLT_POINTER_MODE_MASK_DEVICE = 2,
  MUBLASLT_POINTER_MODE_MASK_DEVICE_VECTOR = 4,
  MUBLASLT_POINTER_MODE_MASK_ALPHA_DEVICE_VECTOR_BETA_ZERO = 8,
  MUBLASLT_POINTER_MODE_MASK_ALPHA_DEVICE_VECTOR_BETA_HOST = 16
} mublasLtPointerModeMask_t;

/* What an algorithm computes with. */
#define MUBLASLT_NUMERICAL_IMPL_FLAGS_FMA (0x01ull << 0)
#define MUBLASLT_NUMERICAL_IMPL_FLAGS_HMMA (0x02ull << 0)
#define MUBLASLT_NUMERICAL_IMPL_FLAGS_IMMA (0x04ull << 0)
#define MUBLASLT_NUMERICAL_IMPL_FLAGS_DMMA (0x08ull << 0)
#define MUBLASLT_NUMERICAL_IMPL_FLAGS_TENSOR_OP_MASK (0xfeull << 0)
#define MUBLASLT_NUMERICAL_IMPL_FLAGS_OP_TYPE_MASK (0xffull << 0)
#define MUBLASLT_NUMERICAL_IMPL_FLAGS_ACCUMULATOR_16F (0x01ull << 8)
#define MUBLASLT_NUMERICAL_IMPL_FLAGS_ACCUMULATOR_32F (0x02ull << 8)
#define MUBLASLT_NUMERICAL_IMPL_FLAGS_ACCUMULATOR_64F (0x04ull << 8)
#define MUBLASLT_NUMERICAL_IMPL_FLAGS_ACCUMULATOR_32I (0x08ull << 8)
#define MUBLASLT_NUMERICAL_IMPL_FLAGS_ACCUMULATOR_TYPE_MASK (0xffull << 8)
#define MUBLASLT_NUMERICAL_IMPL_FLAGS_INPUT_16F (0x01ull << 16)
#define MUBLASLT_NUMERICAL_IMPL_FLAGS_INPUT_16BF (0x02ull << 16)
#define MUBLASLT_NUMERICAL_IMPL_FLAGS_INPUT_TF32 (0x04ull << 16)
#define MUBLASLT_NUMERICAL_IMPL_FLAGS_INPUT_32F (0x08ull << 16)
#define MUBLASLT_NUMERICAL_IMPL_FLAGS_INPUT_64F (0x10ull << 16)
#define MUBLASLT_NUMERICAL_IMPL_FLAGS_INPUT_8I (0x20ull << 16)
#define MUBLASLT_NUMERICAL_IMPL_FLAGS_INPUT_8F_E4M3 (0x40ull << 16)
#define MUBLASLT_NUMERICAL_IMPL_FLAGS_INPUT_8F_E5M2 (0x80ull << 16)
#define MUBLASLT_NUMERICAL_IMPL_FLAGS_OP_INPUT_TYPE_MASK (0xffull << 16)
#define MUBLASLT_NUMERICAL_IMPL_FLAGS_GAUSSIAN (0x01ull << 32)
typedef uint64_t mublasLtNumericalImplFlags_t;

/* How elements lie in memory. */
typedef enum {
  MUBLASLT_ORDER_COL = 0,
  MUBLASLT_ORDER_ROW = 1,
  MUBLASLT_ORDER_COL32 = 2, /* this and the next two: in transforms, and in products of 8-bit integers */
  MUBLASLT_ORDER_COL4_4R2_8C = 3,
  MUBLASLT_ORDER_COL32_2R_4R4 = 4
} mublasLtOrder_t;

/* With their types. */
typedef enum {
  MUBLASLT_MATRIX_LAYOUT_TYPE = 0,                 /* uint32_t */
  MUBLASLT_MATRIX_LAYOUT_ORDER = 1,                /* int32_t */
  MUBLASLT_MATRIX_LAYOUT_ROWS = 2,                 /* uint64_t */
  MUBLASLT_MATRIX_LAYOUT_COLS = 3,                 /* uint64_t */
  MUBLASLT_MATRIX_LAYOUT_LD = 4,                   /* int64_t */
  MUBLASLT_MATRIX_LAYOUT_BATCH_COUNT = 5,          /* int32_t */
  MUBLASLT_MATRIX_LAYOUT_STRIDED_BATCH_OFFSET = 6, /* int64_t, elements */
  MUBLASLT_MATRIX_LAYOUT_PLANE_OFFSET = 7,         /* int64_t; only 0 is supported */
  MUBLASLT_MATRIX_LAYOUT_BATCH_MODE = 8            /* uint32_t */
} mublasLtMatrixLayoutAttribute_t;

typedef enum { MUBLASLT_BATCH_MODE_STRIDED = 0, MUBLASLT_BATCH_MODE_POINTER_ARRAY = 1 } mublasLtBatchMode_t;

typedef enum {
  MUBLASLT_MATMUL_DESC_COMPUTE_TYPE = 0,                /* int32_t */
  MUBLASLT_MATMUL_DESC_SCALE_TYPE = 1,                  /* int32_t */
  MUBLASLT_MATMUL_DESC_POINTER_MODE = 2,                /* int32_t */
  MUBLASLT_MATMUL_DESC_TRANSA = 3,                      /* int32_t */
  MUBLASLT_MATMUL_DESC_TRANSB = 4,                      /* int32_t */
  MUBLASLT_MATMUL_DESC_TRANSC = 5,                      /* int32_t */
  MUBLASLT_MATMUL_DESC_FILL_MODE = 6,                   /* int32_t */
  MUBLASLT_MATMUL_DESC_EPILOGUE = 7,                    /* uint32_t */
  MUBLASLT_MATMUL_DESC_BIAS_POINTER = 8,                /* a device pointer */
  MUBLASLT_MATMUL_DESC_BIAS_BATCH_STRIDE = 10,          /* int64_t */
  MUBLASLT_MATMUL_DESC_EPILOGUE_AUX_POINTER = 11,       /* a device pointer */
  MUBLASLT_MATMUL_DESC_EPILOGUE_AUX_LD = 12,            /* int64_t */
  MUBLASLT_MATMUL_DESC_EPILOGUE_AUX_BATCH_STRIDE = 13,  /* int64_t */
  MUBLASLT_MATMUL_DESC_ALPHA_VECTOR_BATCH_STRIDE = 14,  /* int64_t */
  MUBLASLT_MATMUL_DESC_SM_COUNT_TARGET = 15,            /* int32_t */
  MUBLASLT_MATMUL_DESC_A_SCALE_POINTER = 17,            /* a device pointer */
  MUBLASLT_MATMUL_DESC_B_SCALE_POINTER = 18,            /* a device pointer */
  MUBLASLT_MATMUL_DESC_C_SCALE_POINTER = 19,            /* a device pointer */
  MUBLASLT_MATMUL_DESC_D_SCALE_POINTER = 20,            /* a device pointer */
  MUBLASLT_MATMUL_DESC_AMAX_D_POINTER = 21,             /* a device pointer */
  MUBLASLT_MATMUL_DESC_EPILOGUE_AUX_DATA_TYPE = 22,     /* int32_t */
  MUBLASLT_MATMUL_DESC_EPILOGUE_AUX_SCALE_POINTER = 23, /* a device pointer */
  MUBLASLT_MATMUL_DESC_EPILOGUE_AUX_AMAX_POINTER = 24,  /* a device pointer */
  MUBLASLT_MATMUL_DESC_FAST_ACCUM = 25,                 /* int8_t */
  MUBLASLT_MATMUL_DESC_BIAS_DATA_TYPE = 26,             /* int32_t */
  MUBLASLT_MATMUL_DESC_A_SCALE_MODE = 31,               /* int32_t */
  MUBLASLT_MATMUL_DESC_B_SCALE_MODE = 32,               /* int32_t */
  MUBLASLT_MATMUL_DESC_C_SCALE_MODE = 33,               /* int32_t */
  MUBLASLT_MATMUL_DESC_D_SCALE_MODE = 34,               /* int32_t */
  MUBLASLT_MATMUL_DESC_EPILOGUE_AUX_SCALE_MODE = 35,    /* int32_t */
  MUBLASLT_MATMUL_DESC_D_OUT_SCALE_POINTER = 36,        /* a device pointer */
  MUBLASLT_MATMUL_DESC_D_OUT_SCALE_MODE = 37            /* int32_t */
} mublasLtMatmulDescAttributes_t;

typedef enum {
  MUBLASLT_MATMUL_MATRIX_SCALE_SCALAR_32F = 0,
  MUBLASLT_MATMUL_MATRIX_SCALE_VEC16_UE4M3 = 1, /* this and the next are not supported */
  MUBLASLT_MATMUL_MATRIX_SCALE_VEC32_UE8M0 = 2,
  MUBLASLT_MATMUL_MATRIX_SCALE_OUTER_VEC_32F = 3,
  MUBLASLT_MATMUL_MATRIX_SCALE_VEC128_32F = 4,
  MUBLASLT_MATMUL_MATRIX_SCALE_BLK128x128_32F = 5
} mublasLtMatmulMatrixScale_t;

typedef enum {
  MUBLASLT_MATRIX_TRANSFORM_DESC_SCALE_TYPE = 0,
  MUBLASLT_MATRIX_TRANSFORM_DESC_POINTER_MODE = 1,
  MUBLASLT_MATRIX_TRANSFORM_DESC_TRANSA = 2,
  MUBLASLT_MATRIX_TRANSFORM_DESC_TRANSB = 3
} mublasLtMatrixTransformDescAttributes_t;

typedef enum {
  MUBLASLT_REDUCTION_SCHEME_NONE = 0,
  MUBLASLT_REDUCTION_SCHEME_INPLACE = 1,
  MUBLASLT_REDUCTION_SCHEME_COMPUTE_TYPE = 2,
  MUBLASLT_REDUCTION_SCHEME_OUTPUT_TYPE = 4,
  MUBLASLT_REDUCTION_SCHEME_MASK = 0x7
} mublasLtReductionScheme_t;

/* What is done with the product before it is stored. */
typedef enum {
  MUBLASLT_EPILOGUE_DEFAULT = 1,
  MUBLASLT_EPILOGUE_RELU = 2,
  MUBLASLT_EPILOGUE_RELU_AUX = (MUBLASLT_EPILOGUE_RELU | 128),
  MUBLASLT_EPILOGUE_BIAS = 4,
  MUBLASLT_EPILOGUE_RELU_BIAS = (MUBLASLT_EPILOGUE_RELU | MUBLASLT_EPILOGUE_BIAS),
  MUBLASLT_EPILOGUE_RELU_AUX_BIAS = (MUBLASLT_EPILOGUE_RELU_AUX | MUBLASLT_EPILOGUE_BIAS),
  MUBLASLT_EPILOGUE_DRELU = 8 | 128,
  MUBLASLT_EPILOGUE_DRELU_BGRAD = MUBLASLT_EPILOGUE_DRELU | 16,
  MUBLASLT_EPILOGUE_GELU = 32,
  MUBLASLT_EPILOGUE_GELU_AUX = (MUBLASLT_EPILOGUE_GELU | 128),
  MUBLASLT_EPILOGUE_GELU_BIAS = (MUBLASLT_EPILOGUE_GELU | MUBLASLT_EPILOGUE_BIAS),
  MUBLASLT_EPILOGUE_GELU_AUX_BIAS = (MUBLASLT_EPILOGUE_GELU_AUX | MUBLASLT_EPILOGUE_BIAS),
  MUBLASLT_EPILOGUE_DGELU = 64 | 128,
  MUBLASLT_EPILOGUE_DGELU_BGRAD = MUBLASLT_EPILOGUE_DGELU | 16,
  MUBLASLT_EPILOGUE_BGRADA = 256,
  MUBLASLT_EPILOGUE_BGRADB = 512
} mublasLtEpilogue_t;

typedef enum { MUBLASLT_SEARCH_BEST_FIT = 0, MUBLASLT_SEARCH_LIMITED_BY_ALGO_ID = 1 } mublasLtMatmulSearch_t;

typedef enum {
  MUBLASLT_MATMUL_PREF_SEARCH_MODE = 0,
  MUBLASLT_MATMUL_PREF_MAX_WORKSPACE_BYTES = 1,
  MUBLASLT_MATMUL_PREF_REDUCTION_SCHEME_MASK = 3,
  MUBLASLT_MATMUL_PREF_MIN_ALIGNMENT_A_BYTES = 5,
  MUBLASLT_MATMUL_PREF_MIN_ALIGNMENT_B_BYTES = 6,
  MUBLASLT_MATMUL_PREF_MIN_ALIGNMENT_C_BYTES = 7,
  MUBLASLT_MATMUL_PREF_MIN_ALIGNMENT_D_BYTES = 8,
  MUBLASLT_MATMUL_PREF_MAX_WAVES_COUNT = 9,
  MUBLASLT_MATMUL_PREF_IMPL_MASK = 12
} mublasLtMatmulPreferenceAttributes_t;

typedef enum {
  MUBLASLT_ALGO_CAP_SPLITK_SUPPORT = 0,
  MUBLASLT_ALGO_CAP_REDUCTION_SCHEME_MASK = 1,
  MUBLASLT_ALGO_CAP_CTA_SWIZZLING_SUPPORT = 2,
  MUBLASLT_ALGO_CAP_STRIDED_BATCH_SUPPORT = 3,
  MUBLASLT_ALGO_CAP_OUT_OF_PLACE_RESULT_SUPPORT = 4,
  MUBLASLT_ALGO_CAP_UPLO_SUPPORT = 5,
  MUBLASLT_ALGO_CAP_TILE_IDS = 6,
  MUBLASLT_ALGO_CAP_CUSTOM_OPTION_MAX = 7,
  MUBLASLT_ALGO_CAP_CUSTOM_MEMORY_ORDER = 10,
  MUBLASLT_ALGO_CAP_POINTER_MODE_MASK = 11,
  MUBLASLT_ALGO_CAP_EPILOGUE_MASK = 12,
  MUBLASLT_ALGO_CAP_STAGES_IDS = 13,
  MUBLASLT_ALGO_CAP_LD_NEGATIVE = 14,
  MUBLASLT_ALGO_CAP_NUMERICAL_IMPL_FLAGS = 15,
  MUBLASLT_ALGO_CAP_MIN_ALIGNMENT_A_BYTES = 16,
  MUBLASLT_ALGO_CAP_MIN_ALIGNMENT_B_BYTES = 17,
  MUBLASLT_ALGO_CAP_MIN_ALIGNMENT_C_BYTES = 18,
  MUBLASLT_ALGO_CAP_MIN_ALIGNMENT_D_BYTES = 19,
  MUBLASLT_ALGO_CAP_POINTER_ARRAY_BATCH_SUPPORT = 21
} mublasLtMatmulAlgoCapAttributes_t;

typedef enum {
  MUBLASLT_ALGO_CONFIG_ID = 0,
  MUBLASLT_ALGO_CONFIG_TILE_ID = 1,
  MUBLASLT_ALGO_CONFIG_SPLITK_NUM = 2,
  MUBLASLT_ALGO_CONFIG_REDUCTION_SCHEME = 3,
  MUBLASLT_ALGO_CONFIG_CTA_SWIZZLING = 4,
  MUBLASLT_ALGO_CONFIG_CUSTOM_OPTION = 5,
  MUBLASLT_ALGO_CONFIG_STAGES_ID = 6,
  MUBLASLT_ALGO_CONFIG_INNER_SHAPE_ID = 7,
  MUBLASLT_ALGO_CONFIG_CLUSTER_SHAPE_ID = 8
} mublasLtMatmulAlgoConfigAttributes_t;

typedef struct {
  mublasLtMatmulAlgo_t algo;
  size_t workspaceSize;
  mublasStatus_t state; /* the rest means something only with MUBLAS_STATUS_SUCCESS */
  float wavesCount;
  int reserved[4];
} mublasLtMatmulHeuristicResult_t;

typedef void (*mublasLtLoggerCallback_t)(int logLevel, const char* functionName, const char* message);

#ifdef __cplusplus
extern "C" {
#endif
#include "musa_detail/mublasLt_functions.h"
#ifdef __cplusplus
} /* extern "C" */
#endif

static inline mublasStatus_t mublasLtMatrixLayoutInit(mublasLtMatrixLayout_t matLayout, musaDataType type,
                                                      uint64_t rows, uint64_t cols, int64_t ld) {
  return mublasLtMatrixLayoutInit_internal(matLayout, sizeof(*matLayout), type, rows, cols, ld);
}
static inline mublasStatus_t mublasLtMatmulDescInit(mublasLtMatmulDesc_t matmulDesc,
                                                    mublasComputeType_t computeType, musaDataType scaleType) {
  return mublasLtMatmulDescInit_internal(matmulDesc, sizeof(*matmulDesc), computeType, scaleType);
}
static inline mublasStatus_t mublasLtMatrixTransformDescInit(mublasLtMatrixTransformDesc_t transformDesc,
                                                             musaDataType scaleType) {
  return mublasLtMatrixTransformDescInit_internal(transformDesc, sizeof(*transformDesc), scaleType);
}
static inline mublasStatus_t mublasLtMatmulPreferenceInit(mublasLtMatmulPreference_t pref) {
  return mublasLtMatmulPreferenceInit_internal(pref, sizeof(*pref));
}

#endif
