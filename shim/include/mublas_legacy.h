/* muBLAS as before there were handles, at the level of cuBLAS's cublas.h: letters for what is transposed,
 * factors by value, results returned, the status from mublasGetError. For ported code that still uses it.
 *
 * All is made of mublas.h's functions, so that it goes with any muBLAS. The names are those of mublas.h: a
 * source includes one header or the other. There is one handle for the process, of the device that was
 * current in mublasInit. */
#ifndef MUBLAS_LEGACY_H_
#define MUBLAS_LEGACY_H_

#include <string.h>

#include "mublas.h"
#include "musa_runtime_api.h"

#define mublasStatus mublasStatus_t

/* The same for all sources of a program. */
struct musashimLegacyState_t {
  mublasHandle_t handle;
  mublasStatus_t error; /* of the last call without a status of its own */
};
#ifdef __cplusplus
extern "C" {
#endif
__attribute__((weak)) struct musashimLegacyState_t musashimLegacyState = {NULL, MUBLAS_STATUS_SUCCESS};
#ifdef __cplusplus
}
#endif

static inline void musashimLegacyDone(mublasStatus_t status) { musashimLegacyState.error = status; }

/* Null, which is refused by what it is handed to, where none can be made. */
static inline mublasHandle_t musashimLegacyHandle(void) {
  if (!musashimLegacyState.handle && mublasCreate(&musashimLegacyState.handle) != MUBLAS_STATUS_SUCCESS)
    musashimLegacyState.handle = NULL;
  return musashimLegacyState.handle;
}

/* The place of a letter, of either case, among two or three; what no letter stands for is refused by the
 * function that gets it. */
static inline int musashimLegacyPlace(char letter, char first, char second, char third) {
  const char upper = (char)(letter & ~0x20);
  return upper == first ? 0 : upper == second ? 1 : upper == third ? 2 : -1;
}
static inline mublasOperation_t musashimLegacyOperation(char letter) {
  return (mublasOperation_t)musashimLegacyPlace(letter, 'N', 'T', 'C');
}
static inline mublasFillMode_t musashimLegacyFill(char letter) {
  return (mublasFillMode_t)musashimLegacyPlace(letter, 'L', 'U', 'U');
}
static inline mublasSideMode_t musashimLegacySide(char letter) {
  return (mublasSideMode_t)musashimLegacyPlace(letter, 'L', 'R', 'R');
}
static inline mublasDiagType_t musashimLegacyDiagonal(char letter) {
  return (mublasDiagType_t)musashimLegacyPlace(letter, 'N', 'U', 'U');
}

/* What became of the last call that does not say so itself; it is told once. */
static inline mublasStatus_t mublasGetError(void) {
  const mublasStatus_t error = musashimLegacyState.error;
  musashimLegacyState.error = MUBLAS_STATUS_SUCCESS;
  return error;
}

static inline mublasStatus_t mublasInit(void) {
  return musashimLegacyHandle() ? MUBLAS_STATUS_SUCCESS : MUBLAS_STATUS_NOT_INITIALIZED;
}

static inline mublasStatus_t mublasShutdown(void) {
  const mublasHandle_t handle = musashimLegacyState.handle;
  musashimLegacyState.handle = NULL;
  return handle ? mublasDestroy(handle) : MUBLAS_STATUS_SUCCESS;
}

static inline mublasStatus_t mublasLegacyGetVersion(int* version) {
  return mublasGetVersion(musashimLegacyHandle(), version);
}
#define mublasGetVersion mublasLegacyGetVersion

/* Memory for n elements of so many bytes. */
static inline mublasStatus_t mublasAlloc(int n, int elemSize, void** devicePtr) {
  if (n <= 0 || elemSize <= 0 || !devicePtr) return MUBLAS_STATUS_INVALID_VALUE;
  if (musaMalloc(devicePtr, (size_t)n * (size_t)elemSize) == musaSuccess) return MUBLAS_STATUS_SUCCESS;
  (void)musaGetLastError();
  return MUBLAS_STATUS_ALLOC_FAILED;
}

static inline mublasStatus_t mublasFree(void* devicePtr) {
  if (musaFree(devicePtr) == musaSuccess) return MUBLAS_STATUS_SUCCESS;
  (void)musaGetLastError();
  return MUBLAS_STATUS_INTERNAL_ERROR;
}

static inline mublasStatus_t mublasSetKernelStream(musaStream_t stream) {
  return mublasSetStream(musashimLegacyHandle(), stream);
}

#include "musa_detail/mublas_legacy_functions.h"

#endif
