/* Calls of muSOLVER as before MUSA 5.1, in rocSOLVER's shapes, which the vendor's projects call as well:
 * sizes without a matrix, as numbers of elements, and factors without the size of the workspace, or without a
 * workspace. musolverDn.h has those of today, which these end in. */
#ifndef MUSASHIM_SOLVER_OLDER_SHAPES_H
#define MUSASHIM_SOLVER_OLDER_SHAPES_H

/* An element for each column of the result. */
static inline musolverStatus_t musashimOlderSize(bool valid, int columns, size_t* lwork) {
  if (!valid || !lwork) return MUSOLVER_STATUS_INVALID_VALUE;
  *lwork = static_cast<size_t>(columns);
  return MUSOLVER_STATUS_SUCCESS;
}

#define MUSASHIM_OLDER_SHAPES(T, qr, make, product)                                                   \
  static inline musolverStatus_t qr##_bufferSize(int m, int n, size_t* lwork) {                       \
    return musashimOlderSize(m >= 0 && n >= 0, n, lwork);                                             \
  }                                                                                                   \
  static inline musolverStatus_t qr(musolverDnHandle_t handle, int m, int n, T* A, int lda, T* ipiv,  \
                                    void* buffer) {                                                   \
    return qr(handle, m, n, A, lda, ipiv, static_cast<T*>(buffer), n, nullptr);                       \
  }                                                                                                   \
  static inline musolverStatus_t make##_bufferSize(int m, int n, int k, size_t* lwork) {              \
    return musashimOlderSize(k >= 0 && n >= k && m >= n, n, lwork);                                   \
  }                                                                                                   \
  static inline musolverStatus_t make(musolverDnHandle_t handle, int m, int n, int k, T* A, int lda,  \
                                      T* ipiv, void* buffer) {                                        \
    return make(handle, m, n, k, A, lda, ipiv, static_cast<T*>(buffer), n, nullptr);                  \
  }                                                                                                   \
  static inline musolverStatus_t product(musolverDnHandle_t handle, mublasSideMode_t side,            \
                                         mublasOperation_t trans, int m, int n, int k, T* A, int lda, \
                                         T* ipiv, T* C, int ldc) {                                    \
    return product(handle, side, trans, m, n, k, A, lda, ipiv, C, ldc, static_cast<T*>(nullptr),      \
                   m > n ? m : n, nullptr);                                                           \
  }
MUSASHIM_OLDER_SHAPES(float, musolverDnSgeqrf, musolverDnSorgqr, musolverDnSormqr)
MUSASHIM_OLDER_SHAPES(double, musolverDnDgeqrf, musolverDnDorgqr, musolverDnDormqr)
MUSASHIM_OLDER_SHAPES(muComplex, musolverDnCgeqrf, musolverDnCungqr, musolverDnCunmqr)
MUSASHIM_OLDER_SHAPES(muDoubleComplex, musolverDnZgeqrf, musolverDnZungqr, musolverDnZunmqr)
#undef MUSASHIM_OLDER_SHAPES

#endif
