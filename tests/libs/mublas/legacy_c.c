/* muBLAS's headers in C, and its first interface in a second source. */
#include <mublasXt.h>
#include <mublas_legacy.h>

float legacyNormInC(const float* x, int n) {
  if (mublasGetError() != MUBLAS_STATUS_SUCCESS) return -1;
  return mublasSnrm2(n, x, 1);
}
