/* muFFT: Fourier transforms on the device, at the level of cuFFT 11.
 *
 * Values and semantics are cuFFT's, so that ported code keeps its meaning: results are not scaled, and a real
 * transform in place has its rows padded to 2 * (n / 2 + 1) elements. A call that executes returns when its
 * work is queued on the plan's stream. Functions: shim/api/mufft.yml. */
#ifndef _MUFFT_H_
#define _MUFFT_H_

#include <stddef.h>

#include "driver_types.h"
#include "library_types.h"
#include "muComplex.h"

#define MUFFT_VER_MAJOR 11
#define MUFFT_VER_MINOR 2
#define MUFFT_VER_PATCH 1
#define MUFFT_VER_BUILD 0
#define MUFFT_VERSION 11201

typedef enum mufftResult_t {
  MUFFT_SUCCESS = 0x0,
  MUFFT_INVALID_PLAN = 0x1,
  MUFFT_ALLOC_FAILED = 0x2,
  MUFFT_INVALID_TYPE = 0x3,
  MUFFT_INVALID_VALUE = 0x4,
  MUFFT_INTERNAL_ERROR = 0x5,
  MUFFT_EXEC_FAILED = 0x6,
  MUFFT_SETUP_FAILED = 0x7,
  MUFFT_INVALID_SIZE = 0x8,
  MUFFT_UNALIGNED_DATA = 0x9,
  MUFFT_INCOMPLETE_PARAMETER_LIST = 0xA,
  MUFFT_INVALID_DEVICE = 0xB,
  MUFFT_PARSE_ERROR = 0xC,
  MUFFT_NO_WORKSPACE = 0xD,
  MUFFT_NOT_IMPLEMENTED = 0xE,
  MUFFT_LICENSE_ERROR = 0xF,
  MUFFT_NOT_SUPPORTED = 0x10,
  MUFFT_MISSING_DEPENDENCY = 0x11, /* these are of cuFFT 12 */
  MUFFT_NVRTC_FAILURE = 0x12,
  MUFFT_NVJITLINK_FAILURE = 0x13,
  MUFFT_NVSHMEM_FAILURE = 0x14
} mufftResult;

typedef float mufftReal;
typedef double mufftDoubleReal;
typedef muComplex mufftComplex;
typedef muDoubleComplex mufftDoubleComplex;

#define MUFFT_FORWARD -1
#define MUFFT_INVERSE 1

typedef enum mufftType_t {
  MUFFT_C2C = 0x29,
  MUFFT_R2C = 0x2a,
  MUFFT_C2R = 0x2c,
  MUFFT_Z2Z = 0x69,
  MUFFT_D2Z = 0x6a,
  MUFFT_Z2D = 0x6c
} mufftType;

typedef enum mufftCompatibility_t { MUFFT_COMPATIBILITY_FFTW_PADDING = 0x01 } mufftCompatibility;
#define MUFFT_COMPATIBILITY_DEFAULT MUFFT_COMPATIBILITY_FFTW_PADDING

/* Programs that were written for CUDA (MUSASHIM_CUDA_LIBRARIES, see internal/mublas_types.h) have cuFFT's
 * handles, which are numbers, from functions of cuFFT's names. The vendor's are pointers. */
#ifdef MUSASHIM_CUDA_LIBRARIES
typedef int mufftHandle;
#define MUFFT_PLAN_NULL -1
#define MUSASHIM_FFT_NAME(name) __asm__(#name)
#else
typedef struct mufftHandle_t* mufftHandle;
#define MUFFT_PLAN_NULL NULL
#define MUSASHIM_FFT_NAME(name)
#endif

/* Of mufftXt.h. */
#include "crt/fft_descriptors.h"
typedef enum mufftXtCallbackType_t {
  MUFFT_CB_LD_COMPLEX = 0x0,
  MUFFT_CB_LD_COMPLEX_DOUBLE = 0x1,
  MUFFT_CB_LD_REAL = 0x2,
  MUFFT_CB_LD_REAL_DOUBLE = 0x3,
  MUFFT_CB_ST_COMPLEX = 0x4,
  MUFFT_CB_ST_COMPLEX_DOUBLE = 0x5,
  MUFFT_CB_ST_REAL = 0x6,
  MUFFT_CB_ST_REAL_DOUBLE = 0x7,
  MUFFT_CB_UNDEFINED = 0x8
} mufftXtCallbackType;

#ifdef __cplusplus
extern "C" {
#endif
#include "musa_detail/mufft_functions.h"
#ifdef __cplusplus
}
#endif

#endif
