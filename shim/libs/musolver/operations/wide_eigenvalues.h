// Eigenvalues and singular values of the 64-bit interface.
#pragma once

#include "libs/musolver/operations/wide_systems.h"

namespace musashim::musolver {

inline bool isEigenproblem(musaDataType typeA, musaDataType typeW, musaDataType compute) {
  return typeA == compute && typeW == realOf(typeA);
}

inline musolverStatus_t xsyevdSize(Settings& /*self*/, Params, musolverEigMode_t /*jobz*/,
                                   mublasFillMode_t /*uplo*/, int64_t n, musaDataType typeA,
                                   const void* /*A*/, int64_t /*lda*/, musaDataType typeW, const void* /*W*/,
                                   musaDataType compute, size_t* device, size_t* host) {
  MUSOLVER_REQUIRE(isEigenproblem(typeA, typeW, compute));
  return answerBytes(typeA, device, host,
                     [&]<class T>(T, int* size) { return answer(true, size, narrow(n)); });
}
inline musolverStatus_t xsyevd(Settings& self, Params, musolverEigMode_t jobz, mublasFillMode_t uplo,
                               int64_t n, musaDataType typeA, void* A, int64_t lda, musaDataType typeW,
                               void* W, musaDataType compute, void*, size_t, void*, size_t, int* info) {
  MUSOLVER_REQUIRE(isEigenproblem(typeA, typeW, compute));
  return withType(typeA, [&]<class T>(T) {
    return syevd(self, jobz, uplo, narrow(n), as<T>(A), narrow(lda), as<RealOf<T>>(W), as<T>(nullptr),
                 kEnough, info);
  });
}

inline musolverStatus_t xsyevBatchedSize(Settings& self, Params params, musolverEigMode_t jobz,
                                         mublasFillMode_t uplo, int64_t n, musaDataType typeA, const void* A,
                                         int64_t lda, musaDataType typeW, const void* W, musaDataType compute,
                                         size_t* device, size_t* host, int64_t batchSize) {
  MUSOLVER_REQUIRE(batchSize >= 0);
  return xsyevdSize(self, params, jobz, uplo, n, typeA, A, lda, typeW, W, compute, device, host);
}
inline musolverStatus_t xsyevBatched(Settings& self, Params params, musolverEigMode_t jobz,
                                     mublasFillMode_t uplo, int64_t n, musaDataType typeA, void* A,
                                     int64_t lda, musaDataType typeW, void* W, musaDataType compute,
                                     void* device, size_t bytes, void* host, size_t hostBytes, int* info,
                                     int64_t batchSize) {
  MUSOLVER_REQUIRE(batchSize >= 0);
  for (int64_t i = 0; i < batchSize; ++i)
    MUSOLVER_TRY(withType(typeA, [&]<class T>(T) {
      return xsyevd(self, params, jobz, uplo, n, typeA, as<T>(A) + i * lda * n, lda, typeW,
                    as<RealOf<T>>(W) + i * n, compute, device, bytes, host, hostBytes, info + i);
    }));
  return MUSOLVER_STATUS_SUCCESS;
}

inline musolverStatus_t xsyevdxSize(Settings& self, Params, musolverEigMode_t jobz, musolverEigRange_t range,
                                    mublasFillMode_t uplo, int64_t n, musaDataType typeA, const void* A,
                                    int64_t lda, void* vl, void* vu, int64_t il, int64_t iu, int64_t*,
                                    musaDataType typeW, const void* W, musaDataType compute, size_t* device,
                                    size_t* host) {
  MUSOLVER_REQUIRE(isEigenproblem(typeA, typeW, compute) && (range != MUSOLVER_EIG_RANGE_V || (vl && vu)));
  return answerBytes(typeA, device, host, [&]<class T>(T, int* size) {
    using R = RealOf<T>;
    return syevdxSize(self, jobz, range, uplo, narrow(n), as<const T>(A), narrow(lda), vl ? *as<R>(vl) : R(0),
                      vu ? *as<R>(vu) : R(0), narrow(il), narrow(iu), nullptr, as<const R>(W), size);
  });
}
inline musolverStatus_t xsyevdx(Settings& self, Params, musolverEigMode_t jobz, musolverEigRange_t range,
                                mublasFillMode_t uplo, int64_t n, musaDataType typeA, void* A, int64_t lda,
                                void* vl, void* vu, int64_t il, int64_t iu, int64_t* meig64,
                                musaDataType typeW, void* W, musaDataType compute, void*, size_t, void*,
                                size_t, int* info) {
  MUSOLVER_REQUIRE(isEigenproblem(typeA, typeW, compute) && (range != MUSOLVER_EIG_RANGE_V || (vl && vu)));
  MUSOLVER_REQUIRE(meig64);
  return withType(typeA, [&]<class T>(T) {
    using R = RealOf<T>;
    int found = 0;
    MUSOLVER_TRY(syevdx(self, jobz, range, uplo, narrow(n), as<T>(A), narrow(lda), vl ? *as<R>(vl) : R(0),
                        vu ? *as<R>(vu) : R(0), narrow(il), narrow(iu), &found, as<R>(W), as<T>(nullptr),
                        kEnough, info));
    *meig64 = found;
    return MUSOLVER_STATUS_SUCCESS;
  });
}

// -- Singular values --

inline bool isDecomposition(musaDataType typeA, musaDataType typeS, musaDataType typeU, musaDataType typeV,
                            musaDataType compute) {
  return typeA == compute && typeS == realOf(typeA) && typeU == typeA && typeV == typeA;
}
inline musolverStatus_t xgesvdSize(Settings& /*self*/, Params, signed char, signed char, int64_t m, int64_t n,
                                   musaDataType typeA, const void*, int64_t, musaDataType typeS, const void*,
                                   musaDataType typeU, const void*, int64_t, musaDataType typeVT, const void*,
                                   int64_t, musaDataType compute, size_t* device, size_t* host) {
  MUSOLVER_REQUIRE(isDecomposition(typeA, typeS, typeU, typeVT, compute) && m >= n);
  return answerBytes(typeA, device, host,
                     [&]<class T>(T, int* size) { return answer(true, size, narrow(m + n)); });
}
inline musolverStatus_t xgesvd(Settings& self, Params, signed char jobu, signed char jobvt, int64_t m,
                               int64_t n, musaDataType typeA, void* A, int64_t lda, musaDataType typeS,
                               void* S, musaDataType typeU, void* U, int64_t ldu, musaDataType typeVT,
                               void* VT, int64_t ldvt, musaDataType compute, void*, size_t, void*, size_t,
                               int* info) {
  MUSOLVER_REQUIRE(isDecomposition(typeA, typeS, typeU, typeVT, compute));
  return withType(typeA, [&]<class T>(T) {
    return gesvd(self, jobu, jobvt, narrow(m), narrow(n), as<T>(A), narrow(lda), as<RealOf<T>>(S), as<T>(U),
                 narrow(ldu), as<T>(VT), narrow(ldvt), as<T>(nullptr), kEnough, as<RealOf<T>>(nullptr), info);
  });
}

inline musolverStatus_t xgesvdpSize(Settings&, Params, musolverEigMode_t jobz, int, int64_t m, int64_t n,
                                    musaDataType typeA, const void*, int64_t lda, musaDataType typeS,
                                    const void*, musaDataType typeU, const void*, int64_t ldu,
                                    musaDataType typeV, const void*, int64_t ldv, musaDataType compute,
                                    size_t* device, size_t* host) {
  MUSOLVER_REQUIRE(isDecomposition(typeA, typeS, typeU, typeV, compute));
  MUSOLVER_REQUIRE(isDecomposed(jobz, narrow(m), narrow(n), narrow(lda), narrow(ldu), narrow(ldv)));
  return answerBytes(typeA, device, host,
                     [&]<class T>(T, int* size) { return answer(true, size, narrow(m + n)); });
}
// How far the answer is off is told in host memory.
inline musolverStatus_t xgesvdp(Settings& self, Params, musolverEigMode_t jobz, int econ, int64_t m,
                                int64_t n, musaDataType typeA, void* A, int64_t lda, musaDataType typeS,
                                void* S, musaDataType typeU, void* U, int64_t ldu, musaDataType typeV,
                                void* V, int64_t ldv, musaDataType compute, void*, size_t, void*, size_t,
                                int* info, double* error) {
  MUSOLVER_REQUIRE(isDecomposition(typeA, typeS, typeU, typeV, compute) && error);
  MUSOLVER_REQUIRE(isDecomposed(jobz, narrow(m), narrow(n), narrow(lda), narrow(ldu), narrow(ldv)));
  return withType(typeA, [&]<class T>(T) {
    return runNow(self, [=] {
      Sweeps sweeps;
      tell(info, decompose(jobz, econ != 0, m, n, as<T>(A), lda, as<RealOf<T>>(S), as<T>(U), ldu, as<T>(V),
                           ldv, true, sweeps));
      *error = sweeps.residual;
    });
  });
}

}  // namespace musashim::musolver
