/* muRAND's host API, with cuRAND's numbers and sequences. Prototypes follow from shim/api/murand.yml. Not
 * here: binomial numbers, methods of Poisson numbers by name. */
#ifndef MURAND_H_
#define MURAND_H_

#include <stddef.h>

#include "musa_runtime.h"

typedef enum murandStatus {
  MURAND_STATUS_SUCCESS = 0,
  MURAND_STATUS_VERSION_MISMATCH = 100,
  MURAND_STATUS_NOT_INITIALIZED = 101,
  MURAND_STATUS_ALLOCATION_FAILED = 102,
  MURAND_STATUS_TYPE_ERROR = 103,
  MURAND_STATUS_OUT_OF_RANGE = 104,
  MURAND_STATUS_LENGTH_NOT_MULTIPLE = 105,
  MURAND_STATUS_DOUBLE_PRECISION_REQUIRED = 106,
  MURAND_STATUS_LAUNCH_FAILURE = 201,
  MURAND_STATUS_PREEXISTING_FAILURE = 202,
  MURAND_STATUS_INITIALIZATION_FAILED = 203,
  MURAND_STATUS_ARCH_MISMATCH = 204,
  MURAND_STATUS_INTERNAL_ERROR = 999
} murandStatus_t;

typedef enum murandRngType {
  MURAND_RNG_TEST = 0,
  MURAND_RNG_PSEUDO_DEFAULT = 100,
  MURAND_RNG_PSEUDO_XORWOW = 101,
  MURAND_RNG_PSEUDO_MRG32K3A = 121,
  MURAND_RNG_PSEUDO_MTGP32 = 141,
  MURAND_RNG_PSEUDO_MT19937 = 142,
  MURAND_RNG_PSEUDO_PHILOX4_32_10 = 161,
  MURAND_RNG_QUASI_DEFAULT = 200,
  MURAND_RNG_QUASI_SOBOL32 = 201,
  MURAND_RNG_QUASI_SCRAMBLED_SOBOL32 = 202,
  MURAND_RNG_QUASI_SOBOL64 = 203,
  MURAND_RNG_QUASI_SCRAMBLED_SOBOL64 = 204
} murandRngType_t;

typedef enum murandOrdering {
  MURAND_ORDERING_PSEUDO_BEST = 100,
  MURAND_ORDERING_PSEUDO_DEFAULT = 101,
  MURAND_ORDERING_PSEUDO_SEEDED = 102,
  MURAND_ORDERING_PSEUDO_LEGACY = 103,
  MURAND_ORDERING_PSEUDO_DYNAMIC = 104,
  MURAND_ORDERING_QUASI_DEFAULT = 201
} murandOrdering_t;

typedef enum murandDirectionVectorSet {
  MURAND_DIRECTION_VECTORS_32_JOEKUO6 = 101,
  MURAND_SCRAMBLED_DIRECTION_VECTORS_32_JOEKUO6 = 102,
  MURAND_DIRECTION_VECTORS_64_JOEKUO6 = 103,
  MURAND_SCRAMBLED_DIRECTION_VECTORS_64_JOEKUO6 = 104
} murandDirectionVectorSet_t;

typedef enum murandMethod {
  MURAND_CHOOSE_BEST = 0,
  MURAND_ITR = 1,
  MURAND_KNUTH = 2,
  MURAND_HITR = 3,
  MURAND_M1 = 4,
  MURAND_M2 = 5,
  MURAND_BINARY_SEARCH = 6,
  MURAND_DISCRETE_GAUSS = 7,
  MURAND_REJECTION = 8,
  MURAND_DEVICE_API = 9,
  MURAND_FAST_REJECTION = 10,
  MURAND_3RD = 11,
  MURAND_DEFINITION = 12,
  MURAND_POISSON = 13
} murandMethod_t;

typedef struct murandGenerator_st* murandGenerator_t;
/* A distribution in device memory; numbers of kernels are `shift` more than their bar. */
struct murandDiscreteDistribution_st {
  double lambda;
  unsigned int shift, bars; /* no bars: numbers are rounded normal ones */
  const double* border;     /* up to where a bar is the number of its place, as a part of all bars */
  const unsigned int* other;
};
typedef struct murandDiscreteDistribution_st* murandDiscreteDistribution_t;
typedef unsigned int murandDirectionVectors32_t[32];
typedef unsigned long long murandDirectionVectors64_t[64];

/* cuRAND 10.4's level. */
#define MURAND_VER_MAJOR 10
#define MURAND_VER_MINOR 4
#define MURAND_VER_PATCH 0
#define MURAND_VERSION (MURAND_VER_MAJOR * 1000 + MURAND_VER_MINOR * 100 + MURAND_VER_PATCH)

#ifndef MURANDAPI
#define MURANDAPI
#endif

#ifdef __cplusplus
extern "C" {
#endif
#pragma GCC visibility push(default)
#include "musa_detail/murand_functions.h"
#pragma GCC visibility pop
#ifdef __cplusplus
}
#endif

#endif
