/* muDNN's C interface (libmudnn), at the level of cuDNN 9's legacy part, whose names, values and semantics
 * these are.
 *
 * A call checks its arguments and returns when its work is queued on the handle's stream. Which algorithm is
 * asked for changes nothing; none needs a workspace. alpha and beta are in host memory: doubles for tensors
 * of doubles, else floats. Functions: shim/api/mudnn.yml. What is missing is not declared.
 *
 * C++ programs get musa::dnn as well, as the header of this name was C++ before MUSA 5.1 (mudnncxx/mudnn.h).
 */
#ifndef MUDNN_H_
#define MUDNN_H_

#include <stddef.h>
#include <stdint.h>

#include "crt/mudnn_version.h"
#include "library_types.h"
#include "musa_runtime_api.h"

#define MUDNNWINAPI

typedef struct mudnnContext* mudnnHandle_t;
typedef struct mudnnTensorStruct* mudnnTensorDescriptor_t;
typedef struct mudnnFilterStruct* mudnnFilterDescriptor_t;
typedef struct mudnnConvolutionStruct* mudnnConvolutionDescriptor_t;
typedef struct mudnnPoolingStruct* mudnnPoolingDescriptor_t;
typedef struct mudnnActivationStruct* mudnnActivationDescriptor_t;
typedef struct mudnnOpTensorStruct* mudnnOpTensorDescriptor_t;
typedef struct mudnnReduceTensorStruct* mudnnReduceTensorDescriptor_t;
typedef struct mudnnDropoutStruct* mudnnDropoutDescriptor_t;
typedef struct mudnnLRNStruct* mudnnLRNDescriptor_t;
typedef struct mudnnSpatialTransformerStruct* mudnnSpatialTransformerDescriptor_t;
typedef struct mudnnTensorTransformStruct* mudnnTensorTransformDescriptor_t;
typedef struct mudnnRuntimeTag_t mudnnRuntimeTag_t; /* always null */

typedef enum {
  MUDNN_STATUS_SUCCESS = 0,
  MUDNN_STATUS_NOT_INITIALIZED = 1001,
  MUDNN_STATUS_SUBLIBRARY_VERSION_MISMATCH = 1002,
  MUDNN_STATUS_SERIALIZATION_VERSION_MISMATCH = 1003,
  MUDNN_STATUS_DEPRECATED = 1004,
  MUDNN_STATUS_LICENSE_ERROR = 1005,
  MUDNN_STATUS_RUNTIME_IN_PROGRESS = 1006,
  MUDNN_STATUS_RUNTIME_FP_OVERFLOW = 1007,
  MUDNN_STATUS_SUBLIBRARY_LOADING_FAILED = 1008,
  MUDNN_STATUS_BAD_PARAM = 2000,
  MUDNN_STATUS_BAD_PARAM_NULL_POINTER = 2002,
  MUDNN_STATUS_BAD_PARAM_MISALIGNED_POINTER = 2003,
  MUDNN_STATUS_BAD_PARAM_NOT_FINALIZED = 2004,
  MUDNN_STATUS_BAD_PARAM_OUT_OF_BOUND = 2005,
  MUDNN_STATUS_BAD_PARAM_SIZE_INSUFFICIENT = 2006,
  MUDNN_STATUS_BAD_PARAM_STREAM_MISMATCH = 2007,
  MUDNN_STATUS_BAD_PARAM_SHAPE_MISMATCH = 2008,
  MUDNN_STATUS_BAD_PARAM_DUPLICATED_ENTRIES = 2009,
  MUDNN_STATUS_BAD_PARAM_ATTRIBUTE_TYPE = 2010,
  MUDNN_STATUS_BAD_PARAM_MUSA_GRAPH_MISMATCH = 2011,
  MUDNN_STATUS_BAD_PARAM_DESCRIPTOR_TYPE = 2012,
  MUDNN_STATUS_NOT_SUPPORTED = 3000,
  MUDNN_STATUS_NOT_SUPPORTED_GRAPH_PATTERN = 3001,
  MUDNN_STATUS_NOT_SUPPORTED_SHAPE = 3002,
  MUDNN_STATUS_NOT_SUPPORTED_DATA_TYPE = 3003,
  MUDNN_STATUS_NOT_SUPPORTED_LAYOUT = 3004,
  MUDNN_STATUS_NOT_SUPPORTED_INCOMPATIBLE_MUSA_DRIVER = 3005,
  MUDNN_STATUS_NOT_SUPPORTED_INCOMPATIBLE_MUSART = 3006,
  MUDNN_STATUS_NOT_SUPPORTED_ARCH_MISMATCH = 3007,
  MUDNN_STATUS_NOT_SUPPORTED_RUNTIME_PREREQUISITE_MISSING = 3008,
  MUDNN_STATUS_NOT_SUPPORTED_SUBLIBRARY_UNAVAILABLE = 3009,
  MUDNN_STATUS_NOT_SUPPORTED_SHARED_MEMORY_INSUFFICIENT = 3010,
  MUDNN_STATUS_NOT_SUPPORTED_PADDING = 3011,
  MUDNN_STATUS_NOT_SUPPORTED_BAD_LAUNCH_PARAM = 3012,
  MUDNN_STATUS_NOT_SUPPORTED_MUSA_GRAPH_NATIVE_API = 3013,
  MUDNN_STATUS_NOT_SUPPORTED_INVALID_DYNAMIC_SHAPE = 3014,
  MUDNN_STATUS_INTERNAL_ERROR = 4000,
  MUDNN_STATUS_INTERNAL_ERROR_COMPILATION_FAILED = 4001,
  MUDNN_STATUS_INTERNAL_ERROR_UNEXPECTED_VALUE = 4002,
  MUDNN_STATUS_INTERNAL_ERROR_HOST_ALLOCATION_FAILED = 4003,
  MUDNN_STATUS_INTERNAL_ERROR_DEVICE_ALLOCATION_FAILED = 4004,
  MUDNN_STATUS_INTERNAL_ERROR_BAD_LAUNCH_PARAM = 4005,
  MUDNN_STATUS_INTERNAL_ERROR_TEXTURE_CREATION_FAILED = 4006,
  MUDNN_STATUS_EXECUTION_FAILED = 5000,
  MUDNN_STATUS_EXECUTION_FAILED_MUSA_DRIVER = 5001,
  MUDNN_STATUS_EXECUTION_FAILED_MUBLAS = 5002,
  MUDNN_STATUS_EXECUTION_FAILED_MUSART = 5003,
  MUDNN_STATUS_EXECUTION_FAILED_MURAND = 5004,
  MUDNN_STATUS_ALLOC_FAILED = MUDNN_STATUS_INTERNAL_ERROR_HOST_ALLOCATION_FAILED,
  MUDNN_STATUS_INVALID_VALUE = 2001,
  MUDNN_STATUS_ARCH_MISMATCH = MUDNN_STATUS_NOT_SUPPORTED_ARCH_MISMATCH,
  MUDNN_STATUS_MAPPING_ERROR = MUDNN_STATUS_INTERNAL_ERROR_TEXTURE_CREATION_FAILED,
  MUDNN_STATUS_RUNTIME_PREREQUISITE_MISSING = MUDNN_STATUS_NOT_SUPPORTED_RUNTIME_PREREQUISITE_MISSING,
  MUDNN_STATUS_VERSION_MISMATCH = MUDNN_STATUS_SUBLIBRARY_VERSION_MISMATCH
} mudnnStatus_t;

typedef enum {
  MUDNN_DATA_FLOAT = 0,
  MUDNN_DATA_DOUBLE = 1,
  MUDNN_DATA_HALF = 2,
  MUDNN_DATA_INT8 = 3,
  MUDNN_DATA_INT32 = 4,
  MUDNN_DATA_INT8x4 = 5, /* this, UINT8x4 and INT8x32: descriptors alone */
  MUDNN_DATA_UINT8 = 6,
  MUDNN_DATA_UINT8x4 = 7,
  MUDNN_DATA_INT8x32 = 8,
  MUDNN_DATA_BFLOAT16 = 9,
  MUDNN_DATA_INT64 = 10,
  MUDNN_DATA_BOOLEAN = 11,
  MUDNN_DATA_FP8_E4M3 = 12,
  MUDNN_DATA_FP8_E5M2 = 13,
  MUDNN_DATA_FAST_FLOAT_FOR_FP8 = 14, /* this and what follows: of graphs alone */
  MUDNN_DATA_FP8_E8M0 = 15,
  MUDNN_DATA_FP4_E2M1 = 16,
  MUDNN_DATA_INT4 = 17,
  MUDNN_DATA_UINT4 = 18,
  MUDNN_DATA_UINT32 = 19,
  MUDNN_DATA_COMPLEX_FP32 = 20,
  MUDNN_DATA_COMPLEX_FP64 = 21
} mudnnDataType_t;

typedef enum {
  MUDNN_TENSOR_NCHW = 0,
  MUDNN_TENSOR_NHWC = 1,
  MUDNN_TENSOR_NCHW_VECT_C = 2
} mudnnTensorFormat_t;
typedef enum { MUDNN_NOT_PROPAGATE_NAN = 0, MUDNN_PROPAGATE_NAN = 1 } mudnnNanPropagation_t;
typedef enum { MUDNN_NON_DETERMINISTIC = 0, MUDNN_DETERMINISTIC = 1 } mudnnDeterminism_t;
typedef enum {
  MUDNN_DEFAULT_MATH = 0,
  MUDNN_TENSOR_OP_MATH = 1,
  MUDNN_TENSOR_OP_MATH_ALLOW_CONVERSION = 2,
  MUDNN_FMA_MATH = 3
} mudnnMathType_t;

#define MUDNN_DIM_MAX 8
#define MUDNN_BN_MIN_EPSILON 0.0
#define MUDNN_LRN_MIN_N 1
#define MUDNN_LRN_MAX_N 16
#define MUDNN_LRN_MIN_K 1e-5
#define MUDNN_LRN_MIN_BETA 0.01

typedef enum { MUDNN_CONVOLUTION = 0, MUDNN_CROSS_CORRELATION = 1 } mudnnConvolutionMode_t;
typedef enum {
  MUDNN_CONVOLUTION_FWD_ALGO_IMPLICIT_GEMM = 0,
  MUDNN_CONVOLUTION_FWD_ALGO_IMPLICIT_PRECOMP_GEMM = 1,
  MUDNN_CONVOLUTION_FWD_ALGO_GEMM = 2,
  MUDNN_CONVOLUTION_FWD_ALGO_DIRECT = 3, /* not supported, as in cuDNN */
  MUDNN_CONVOLUTION_FWD_ALGO_FFT = 4,
  MUDNN_CONVOLUTION_FWD_ALGO_FFT_TILING = 5,
  MUDNN_CONVOLUTION_FWD_ALGO_WINOGRAD = 6,
  MUDNN_CONVOLUTION_FWD_ALGO_WINOGRAD_NONFUSED = 7,
  MUDNN_CONVOLUTION_FWD_ALGO_COUNT = 8
} mudnnConvolutionFwdAlgo_t;
typedef enum {
  MUDNN_CONVOLUTION_FWD_NO_WORKSPACE = 0,
  MUDNN_CONVOLUTION_FWD_PREFER_FASTEST = 1,
  MUDNN_CONVOLUTION_FWD_SPECIFY_WORKSPACE_LIMIT = 2
} mudnnConvolutionFwdPreference_t; /* of before cuDNN 8, as those below */
typedef enum {
  MUDNN_CONVOLUTION_BWD_FILTER_ALGO_0 = 0,
  MUDNN_CONVOLUTION_BWD_FILTER_ALGO_1 = 1,
  MUDNN_CONVOLUTION_BWD_FILTER_ALGO_FFT = 2,
  MUDNN_CONVOLUTION_BWD_FILTER_ALGO_3 = 3,
  MUDNN_CONVOLUTION_BWD_FILTER_ALGO_WINOGRAD = 4,
  MUDNN_CONVOLUTION_BWD_FILTER_ALGO_WINOGRAD_NONFUSED = 5,
  MUDNN_CONVOLUTION_BWD_FILTER_ALGO_FFT_TILING = 6,
  MUDNN_CONVOLUTION_BWD_FILTER_ALGO_COUNT = 7
} mudnnConvolutionBwdFilterAlgo_t;
typedef enum {
  MUDNN_CONVOLUTION_BWD_FILTER_NO_WORKSPACE = 0,
  MUDNN_CONVOLUTION_BWD_FILTER_PREFER_FASTEST = 1,
  MUDNN_CONVOLUTION_BWD_FILTER_SPECIFY_WORKSPACE_LIMIT = 2
} mudnnConvolutionBwdFilterPreference_t;
typedef enum {
  MUDNN_CONVOLUTION_BWD_DATA_ALGO_0 = 0,
  MUDNN_CONVOLUTION_BWD_DATA_ALGO_1 = 1,
  MUDNN_CONVOLUTION_BWD_DATA_ALGO_FFT = 2,
  MUDNN_CONVOLUTION_BWD_DATA_ALGO_FFT_TILING = 3,
  MUDNN_CONVOLUTION_BWD_DATA_ALGO_WINOGRAD = 4,
  MUDNN_CONVOLUTION_BWD_DATA_ALGO_WINOGRAD_NONFUSED = 5,
  MUDNN_CONVOLUTION_BWD_DATA_ALGO_COUNT = 6
} mudnnConvolutionBwdDataAlgo_t;
typedef enum {
  MUDNN_CONVOLUTION_BWD_DATA_NO_WORKSPACE = 0,
  MUDNN_CONVOLUTION_BWD_DATA_PREFER_FASTEST = 1,
  MUDNN_CONVOLUTION_BWD_DATA_SPECIFY_WORKSPACE_LIMIT = 2
} mudnnConvolutionBwdDataPreference_t;

#define MUDNN_ALGORITHM_PERFORMANCE(Algorithm)       \
  typedef struct Algorithm##PerfStruct {             \
    Algorithm##Algo_t algo;                          \
    mudnnStatus_t status;                            \
    float time; /* milliseconds; -1: not measured */ \
    size_t memory;                                   \
    mudnnDeterminism_t determinism;                  \
    mudnnMathType_t mathType;                        \
    int reserved[3];                                 \
  } Algorithm##AlgoPerf_t
MUDNN_ALGORITHM_PERFORMANCE(mudnnConvolutionFwd);
MUDNN_ALGORITHM_PERFORMANCE(mudnnConvolutionBwdFilter);
MUDNN_ALGORITHM_PERFORMANCE(mudnnConvolutionBwdData);
#undef MUDNN_ALGORITHM_PERFORMANCE

typedef enum {
  MUDNN_POOLING_MAX = 0,
  MUDNN_POOLING_AVERAGE_COUNT_INCLUDE_PADDING = 1,
  MUDNN_POOLING_AVERAGE_COUNT_EXCLUDE_PADDING = 2,
  MUDNN_POOLING_MAX_DETERMINISTIC = 3
} mudnnPoolingMode_t;
typedef enum {
  MUDNN_ACTIVATION_SIGMOID = 0,
  MUDNN_ACTIVATION_RELU = 1,
  MUDNN_ACTIVATION_TANH = 2,
  MUDNN_ACTIVATION_CLIPPED_RELU = 3,
  MUDNN_ACTIVATION_ELU = 4,
  MUDNN_ACTIVATION_IDENTITY = 5, /* of mudnnConvolutionBiasActivationForward() alone */
  MUDNN_ACTIVATION_SWISH = 6
} mudnnActivationMode_t;
typedef enum {
  MUDNN_SOFTMAX_FAST = 0,
  MUDNN_SOFTMAX_ACCURATE = 1,
  MUDNN_SOFTMAX_LOG = 2
} mudnnSoftmaxAlgorithm_t;
typedef enum { MUDNN_SOFTMAX_MODE_INSTANCE = 0, MUDNN_SOFTMAX_MODE_CHANNEL = 1 } mudnnSoftmaxMode_t;
typedef enum {
  MUDNN_OP_TENSOR_ADD = 0,
  MUDNN_OP_TENSOR_MUL = 1,
  MUDNN_OP_TENSOR_MIN = 2,
  MUDNN_OP_TENSOR_MAX = 3,
  MUDNN_OP_TENSOR_SQRT = 4,
  MUDNN_OP_TENSOR_NOT = 5
} mudnnOpTensorOp_t;
typedef enum {
  MUDNN_REDUCE_TENSOR_ADD = 0,
  MUDNN_REDUCE_TENSOR_MUL = 1,
  MUDNN_REDUCE_TENSOR_MIN = 2,
  MUDNN_REDUCE_TENSOR_MAX = 3,
  MUDNN_REDUCE_TENSOR_AMAX = 4,
  MUDNN_REDUCE_TENSOR_AVG = 5,
  MUDNN_REDUCE_TENSOR_NORM1 = 6,
  MUDNN_REDUCE_TENSOR_NORM2 = 7,
  MUDNN_REDUCE_TENSOR_MUL_NO_ZEROS = 8
} mudnnReduceTensorOp_t;
typedef enum {
  MUDNN_REDUCE_TENSOR_NO_INDICES = 0,
  MUDNN_REDUCE_TENSOR_FLATTENED_INDICES = 1
} mudnnReduceTensorIndices_t;
typedef enum {
  MUDNN_32BIT_INDICES = 0,
  MUDNN_64BIT_INDICES = 1,
  MUDNN_16BIT_INDICES = 2,
  MUDNN_8BIT_INDICES = 3
} mudnnIndicesType_t;
typedef enum {
  MUDNN_BATCHNORM_PER_ACTIVATION = 0,
  MUDNN_BATCHNORM_SPATIAL = 1,
  MUDNN_BATCHNORM_SPATIAL_PERSISTENT = 2
} mudnnBatchNormMode_t;
typedef enum { MUDNN_LRN_CROSS_CHANNEL_DIM1 = 0 } mudnnLRNMode_t;
typedef enum { MUDNN_DIVNORM_PRECOMPUTED_MEANS = 0 } mudnnDivNormMode_t;
typedef enum {
  MUDNN_BATCHNORM_OPS_BN = 0,
  MUDNN_BATCHNORM_OPS_BN_ACTIVATION = 1,
  MUDNN_BATCHNORM_OPS_BN_ADD_ACTIVATION = 2
} mudnnBatchNormOps_t;
typedef enum { MUDNN_NORM_PER_ACTIVATION = 0, MUDNN_NORM_PER_CHANNEL = 1 } mudnnNormMode_t;
typedef enum { MUDNN_NORM_ALGO_STANDARD = 0, MUDNN_NORM_ALGO_PERSIST = 1 } mudnnNormAlgo_t;
typedef enum {
  MUDNN_NORM_OPS_NORM = 0,
  MUDNN_NORM_OPS_NORM_ACTIVATION = 1,
  MUDNN_NORM_OPS_NORM_ADD_ACTIVATION = 2
} mudnnNormOps_t;
typedef enum { MUDNN_SAMPLER_BILINEAR = 0 } mudnnSamplerType_t;
typedef enum { MUDNN_TRANSFORM_FOLD = 0U, MUDNN_TRANSFORM_UNFOLD = 1U } mudnnFoldingDirection_t;
typedef enum { MUDNN_DEFAULT_REORDER = 0, MUDNN_NO_REORDER = 1 } mudnnReorderType_t;
typedef enum {
  MUDNN_ERRQUERY_RAWCODE = 0,
  MUDNN_ERRQUERY_NONBLOCKING = 1,
  MUDNN_ERRQUERY_BLOCKING = 2
} mudnnErrQueryMode_t;

/* What mudnnSetCallback()'s function is told: of each call (INFO), and of each that fails (ERROR). */
typedef enum {
  MUDNN_SEV_FATAL = 0,
  MUDNN_SEV_ERROR = 1,
  MUDNN_SEV_WARNING = 2,
  MUDNN_SEV_INFO = 3
} mudnnSeverity_t;
#define MUDNN_SEV_ERROR_EN (1U << MUDNN_SEV_ERROR)
#define MUDNN_SEV_WARNING_EN (1U << MUDNN_SEV_WARNING)
#define MUDNN_SEV_INFO_EN (1U << MUDNN_SEV_INFO)
typedef struct mudnnDebugStruct {
  unsigned mudnn_version;
  mudnnStatus_t mudnnStatus;
  unsigned time_sec;   /* since the epoch */
  unsigned time_usec;  /* of that second */
  unsigned time_delta; /* milliseconds since the library was loaded */
  mudnnHandle_t handle;
  musaStream_t stream;
  unsigned long long pid;
  unsigned long long tid;
  int musaDeviceId;
  int reserved[15];
} mudnnDebug_t;
typedef void (*mudnnCallback_t)(mudnnSeverity_t sev, void* udata, const mudnnDebug_t* dbg, const char* msg);

#include "crt/mudnn_graph_types.h"
#include "crt/mudnn_sequences.h"

#ifdef __cplusplus
extern "C" {
#endif
#include "musa_detail/mudnn_functions.h"
#ifdef __cplusplus
}
#include "mudnncxx/mudnn.h"
#endif

#endif
