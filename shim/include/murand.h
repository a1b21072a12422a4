/* muRAND's host API: its types, with cuRAND's numbers, for programs that include the header and make their
 * numbers in kernels (murand_kernel.h). The library is not here, so each call of it is an error of the
 * compiler's. */
#ifndef MURAND_H
#define MURAND_H

#include <stddef.h>

#include "driver_types.h"
#include "library_types.h"

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
typedef struct murandDiscreteDistribution_st* murandDiscreteDistribution_t;
typedef unsigned int murandDirectionVectors32_t[32];
typedef unsigned long long murandDirectionVectors64_t[64];

#define MUSASHIM_NO_LIBRARY \
  "muRAND's host library is not part of musashim: make the numbers in a kernel (murand_kernel.h)"
#if defined(__has_attribute)
#if __has_attribute(unavailable)
#define MUSASHIM_UNAVAILABLE __attribute__((unavailable(MUSASHIM_NO_LIBRARY)))
#endif
#endif
#ifndef MUSASHIM_UNAVAILABLE /* gcc before 12 */
#define MUSASHIM_UNAVAILABLE __attribute__((error(MUSASHIM_NO_LIBRARY)))
#endif

#ifdef __cplusplus
extern "C" {
#endif
MUSASHIM_UNAVAILABLE murandStatus_t murandCreateGenerator(murandGenerator_t* generator, murandRngType_t type);
MUSASHIM_UNAVAILABLE murandStatus_t murandCreateGeneratorHost(murandGenerator_t* generator,
                                                              murandRngType_t type);
MUSASHIM_UNAVAILABLE murandStatus_t murandDestroyGenerator(murandGenerator_t generator);
MUSASHIM_UNAVAILABLE murandStatus_t murandGetVersion(int* version);
MUSASHIM_UNAVAILABLE murandStatus_t murandGetProperty(libraryPropertyType type, int* value);
MUSASHIM_UNAVAILABLE murandStatus_t murandSetStream(murandGenerator_t generator, musaStream_t stream);
MUSASHIM_UNAVAILABLE murandStatus_t murandSetPseudoRandomGeneratorSeed(murandGenerator_t generator,
                                                                       unsigned long long seed);
MUSASHIM_UNAVAILABLE murandStatus_t murandSetGeneratorOffset(murandGenerator_t generator,
                                                             unsigned long long offset);
MUSASHIM_UNAVAILABLE murandStatus_t murandSetGeneratorOrdering(murandGenerator_t generator,
                                                               murandOrdering_t order);
MUSASHIM_UNAVAILABLE murandStatus_t murandSetQuasiRandomGeneratorDimensions(murandGenerator_t generator,
                                                                            unsigned int dimensions);
MUSASHIM_UNAVAILABLE murandStatus_t murandGenerate(murandGenerator_t generator, unsigned int* out, size_t n);
MUSASHIM_UNAVAILABLE murandStatus_t murandGenerateLongLong(murandGenerator_t generator,
                                                           unsigned long long* out, size_t n);
MUSASHIM_UNAVAILABLE murandStatus_t murandGenerateUniform(murandGenerator_t generator, float* out, size_t n);
MUSASHIM_UNAVAILABLE murandStatus_t murandGenerateUniformDouble(murandGenerator_t generator, double* out,
                                                                size_t n);
MUSASHIM_UNAVAILABLE murandStatus_t murandGenerateNormal(murandGenerator_t generator, float* out, size_t n,
                                                         float mean, float stddev);
MUSASHIM_UNAVAILABLE murandStatus_t murandGenerateNormalDouble(murandGenerator_t generator, double* out,
                                                               size_t n, double mean, double stddev);
MUSASHIM_UNAVAILABLE murandStatus_t murandGenerateLogNormal(murandGenerator_t generator, float* out, size_t n,
                                                            float mean, float stddev);
MUSASHIM_UNAVAILABLE murandStatus_t murandGenerateLogNormalDouble(murandGenerator_t generator, double* out,
                                                                  size_t n, double mean, double stddev);
MUSASHIM_UNAVAILABLE murandStatus_t
murandCreatePoissonDistribution(double lambda, murandDiscreteDistribution_t* distribution);
MUSASHIM_UNAVAILABLE murandStatus_t murandDestroyDistribution(murandDiscreteDistribution_t distribution);
MUSASHIM_UNAVAILABLE murandStatus_t murandGeneratePoisson(murandGenerator_t generator, unsigned int* out,
                                                          size_t n, double lambda);
MUSASHIM_UNAVAILABLE murandStatus_t murandGeneratePoissonMethod(murandGenerator_t generator,
                                                                unsigned int* out, size_t n, double lambda,
                                                                murandMethod_t method);
MUSASHIM_UNAVAILABLE murandStatus_t murandGenerateBinomial(murandGenerator_t generator, unsigned int* out,
                                                           size_t n, unsigned int trials, double p);
MUSASHIM_UNAVAILABLE murandStatus_t murandGenerateBinomialMethod(murandGenerator_t generator,
                                                                 unsigned int* out, size_t n,
                                                                 unsigned int trials, double p,
                                                                 murandMethod_t method);
MUSASHIM_UNAVAILABLE murandStatus_t murandGenerateSeeds(murandGenerator_t generator);
MUSASHIM_UNAVAILABLE murandStatus_t murandGetDirectionVectors32(murandDirectionVectors32_t** vectors,
                                                                murandDirectionVectorSet_t set);
MUSASHIM_UNAVAILABLE murandStatus_t murandGetScrambleConstants32(unsigned int** constants);
MUSASHIM_UNAVAILABLE murandStatus_t murandGetDirectionVectors64(murandDirectionVectors64_t** vectors,
                                                                murandDirectionVectorSet_t set);
MUSASHIM_UNAVAILABLE murandStatus_t murandGetScrambleConstants64(unsigned long long** constants);
#ifdef __cplusplus
}
#endif

#undef MUSASHIM_UNAVAILABLE
#undef MUSASHIM_NO_LIBRARY

#endif
