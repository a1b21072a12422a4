// The 64-bit interface: element types are named by arguments. Matrices are LAPACK's, whose sizes are 32-bit.
#pragma once

#include <limits>

#include "libs/musolver/operations/dense.h"
#include "libs/musolver/operations/reductions.h"
#include "libs/musolver/operations/singular.h"

struct musolverDnParams {
  musolverAlgMode_t algorithms[3] = {MUSOLVER_ALG_0, MUSOLVER_ALG_0, MUSOLVER_ALG_0};
};

namespace musashim::musolver {

using Params = musolverDnParams*;

inline musolverStatus_t createParams(Params& params) {
  params = new musolverDnParams;
  return MUSOLVER_STATUS_SUCCESS;
}
inline musolverStatus_t destroyParams(musolverDnParams& params) {
  delete &params;
  return MUSOLVER_STATUS_SUCCESS;
}
inline musolverStatus_t setAdvOptions(musolverDnParams& params, musolverDnFunction_t function,
                                      musolverAlgMode_t algorithm) {
  MUSOLVER_REQUIRE(function >= MUSOLVERDN_GETRF && function <= MUSOLVERDN_SYEVBATCHED);
  MUSOLVER_REQUIRE(algorithm >= MUSOLVER_ALG_0 && algorithm <= MUSOLVER_ALG_2);
  params.algorithms[function] = algorithm;
  return MUSOLVER_STATUS_SUCCESS;
}
inline musolverStatus_t setDeterministicMode(Settings& self, musolverDeterministicMode_t mode) {
  MUSOLVER_REQUIRE(mode == MUSOLVER_DETERMINISTIC_RESULTS ||
                   mode == MUSOLVER_ALLOW_NON_DETERMINISTIC_RESULTS);
  self.deterministic = mode;
  return MUSOLVER_STATUS_SUCCESS;
}
inline musolverStatus_t getDeterministicMode(Settings& self, musolverDeterministicMode_t* mode) {
  MUSOLVER_REQUIRE(mode);
  *mode = self.deterministic;
  return MUSOLVER_STATUS_SUCCESS;
}

// Calls f(T()) with the type that `type` names.
template <class F>
musolverStatus_t withType(musaDataType type, F&& f) {
  switch (type) {
    case MUSA_R_32F:
      return f(float());
    case MUSA_R_64F:
      return f(double());
    case MUSA_C_32F:
      return f(muComplex());
    case MUSA_C_64F:
      return f(muDoubleComplex());
    default:
      return MUSOLVER_STATUS_INVALID_VALUE;
  }
}
inline musaDataType realOf(musaDataType type) {
  return type == MUSA_C_32F ? MUSA_R_32F : type == MUSA_C_64F ? MUSA_R_64F : type;
}
// Sizes as LAPACK takes them; what does not fit becomes one that every call refuses.
inline int narrow(int64_t size) {
  return size > std::numeric_limits<int>::max() || size < 0 ? -1 : static_cast<int>(size);
}
template <class T>
T* as(const void* data) {
  return static_cast<T*>(const_cast<void*>(data));
}
constexpr int kEnough = std::numeric_limits<int>::max();  // a work area that holds everything

// Sizes in bytes of what the calls of the older interface tell in elements.
template <class Question>
musolverStatus_t answerBytes(musaDataType type, size_t* device, size_t* host, Question&& question) {
  MUSOLVER_REQUIRE(device && host);
  return withType(type, [&]<class T>(T) {
    int elements = 0;
    MUSOLVER_TRY(question(T(), &elements));
    *device = static_cast<size_t>(elements) * sizeof(T);
    *host = 0;
    return MUSOLVER_STATUS_SUCCESS;
  });
}

inline musolverStatus_t xpotrfSize(Settings& self, Params, mublasFillMode_t uplo, int64_t n,
                                   musaDataType typeA, const void* A, int64_t lda, musaDataType compute,
                                   size_t* device, size_t* host) {
  MUSOLVER_REQUIRE(typeA == compute);
  return answerBytes(typeA, device, host, [&]<class T>(T, int* size) {
    return potrfSize(self, uplo, narrow(n), as<T>(A), narrow(lda), size);
  });
}
inline musolverStatus_t xpotrf(Settings& self, Params, mublasFillMode_t uplo, int64_t n, musaDataType typeA,
                               void* A, int64_t lda, musaDataType compute, void*, size_t, void*, size_t,
                               int* info) {
  MUSOLVER_REQUIRE(typeA == compute);
  return withType(typeA, [&]<class T>(T) {
    return potrf(self, uplo, narrow(n), as<T>(A), narrow(lda), as<T>(nullptr), kEnough, info);
  });
}
inline musolverStatus_t xpotrs(Settings& self, Params, mublasFillMode_t uplo, int64_t n, int64_t nrhs,
                               musaDataType typeA, const void* A, int64_t lda, musaDataType typeB, void* B,
                               int64_t ldb, int* info) {
  MUSOLVER_REQUIRE(typeA == typeB);
  return withType(typeA, [&]<class T>(T) {
    return potrs(self, uplo, narrow(n), narrow(nrhs), as<const T>(A), narrow(lda), as<T>(B), narrow(ldb),
                 info);
  });
}

inline musolverStatus_t xgetrfSize(Settings& self, Params, int64_t m, int64_t n, musaDataType typeA,
                                   const void* A, int64_t lda, musaDataType compute, size_t* device,
                                   size_t* host) {
  MUSOLVER_REQUIRE(typeA == compute);
  return answerBytes(typeA, device, host, [&]<class T>(T, int* size) {
    return getrfSize(self, narrow(m), narrow(n), as<T>(A), narrow(lda), size);
  });
}
inline musolverStatus_t xgetrf(Settings& self, Params, int64_t m, int64_t n, musaDataType typeA, void* A,
                               int64_t lda, int64_t* ipiv, musaDataType compute, void*, size_t, void*, size_t,
                               int* info) {
  MUSOLVER_REQUIRE(typeA == compute && m >= 0 && n >= 0 && lda >= std::max<int64_t>(1, m));
  MUSOLVER_REQUIRE(narrow(m) >= 0 && narrow(n) >= 0 && narrow(lda) >= 0);
  return withType(typeA, [&]<class T>(T) {
    if (!ipiv) return getrf(self, narrow(m), narrow(n), as<T>(A), narrow(lda), as<T>(nullptr), nullptr, info);
    return enqueue(self, [=] {
      const int rows = narrow(m), columns = narrow(n), ld = narrow(lda);
      std::vector<int> pivots(static_cast<size_t>(std::min(rows, columns)));
      int result = 0;
      Lapack<T>::getrf(&rows, &columns, asValues(as<T>(A)), &ld, pivots.data(), &result);
      std::copy(pivots.begin(), pivots.end(), ipiv);
      tell(info, result);
    });
  });
}
inline musolverStatus_t xgetrs(Settings& self, Params, mublasOperation_t trans, int64_t n, int64_t nrhs,
                               musaDataType typeA, const void* A, int64_t lda, const int64_t* ipiv,
                               musaDataType typeB, void* B, int64_t ldb, int* info) {
  MUSOLVER_REQUIRE(typeA == typeB && isOperation(trans) && narrow(n) >= 0 && narrow(nrhs) >= 0);
  MUSOLVER_REQUIRE(leads(narrow(lda), narrow(n)) && leads(narrow(ldb), narrow(n)));
  if (n == 0) return MUSOLVER_STATUS_SUCCESS;
  return withType(typeA, [&]<class T>(T) {
    return enqueue(self, [=] {
      const int size = narrow(n), columns = narrow(nrhs), leadA = narrow(lda), leadB = narrow(ldb);
      std::vector<int> pivots(static_cast<size_t>(size));
      for (int i = 0; i < size; ++i)
        pivots[static_cast<size_t>(i)] = ipiv ? static_cast<int>(ipiv[i]) : i + 1;
      const char t = letter(trans);
      int result = 0;
      Lapack<T>::getrs(&t, &size, &columns, asValues(as<const T>(A)), &leadA, pivots.data(),
                       asValues(as<T>(B)), &leadB, &result, 1);
      tell(info, result);
    });
  });
}

inline musolverStatus_t xgeqrfSize(Settings& self, Params, int64_t m, int64_t n, musaDataType typeA,
                                   const void* A, int64_t lda, musaDataType typeTau, const void*,
                                   musaDataType compute, size_t* device, size_t* host) {
  MUSOLVER_REQUIRE(typeA == compute && typeA == typeTau);
  return answerBytes(typeA, device, host, [&]<class T>(T, int* size) {
    return geqrfSize(self, narrow(m), narrow(n), as<T>(A), narrow(lda), size);
  });
}
inline musolverStatus_t xgeqrf(Settings& self, Params, int64_t m, int64_t n, musaDataType typeA, void* A,
                               int64_t lda, musaDataType typeTau, void* tau, musaDataType compute, void*,
                               size_t, void*, size_t, int* info) {
  MUSOLVER_REQUIRE(typeA == compute && typeA == typeTau);
  return withType(typeA, [&]<class T>(T) {
    return geqrf(self, narrow(m), narrow(n), as<T>(A), narrow(lda), as<T>(tau), as<T>(nullptr), kEnough,
                 info);
  });
}

inline musolverStatus_t xtrtriSize(Settings&, mublasFillMode_t /*uplo*/, mublasDiagType_t /*diag*/, int64_t n,
                                   musaDataType typeA, void*, int64_t /*lda*/, size_t* device, size_t* host) {
  return answerBytes(typeA, device, host,
                     [&]<class T>(T, int* size) { return answer(true, size, narrow(n)); });
}
inline musolverStatus_t xtrtri(Settings& self, mublasFillMode_t uplo, mublasDiagType_t diag, int64_t n,
                               musaDataType typeA, void* A, int64_t lda, void*, size_t, void*, size_t,
                               int* devInfo) {
  MUSOLVER_REQUIRE(isFill(uplo) && (diag == MUBLAS_DIAG_NON_UNIT || diag == MUBLAS_DIAG_UNIT));
  MUSOLVER_REQUIRE(narrow(n) >= 0 && leads(narrow(lda), narrow(n)));
  return withType(typeA, [&]<class T>(T) {
    return enqueue(self, [=] {
      const char u = letter(uplo), d = "NU"[diag];
      const int size = narrow(n), ld = narrow(lda);
      int result = 0;
      Lapack<T>::trtri(&u, &d, &size, asValues(as<T>(A)), &ld, &result, 1, 1);
      // As an H100 does, and LAPACK does not.
      for (ptrdiff_t i = 0; diag == MUBLAS_DIAG_UNIT && i < size; ++i)
        asValues(as<T>(A))[i * ld + i] = ValueOf<T>(1);
      tell(devInfo, result);
    });
  });
}

inline musolverStatus_t xsytrsSize(Settings&, mublasFillMode_t /*uplo*/, int64_t n, int64_t /*nrhs*/,
                                   musaDataType typeA, const void*, int64_t /*lda*/, const int64_t*,
                                   musaDataType typeB, void*, int64_t /*ldb*/, size_t* device, size_t* host) {
  MUSOLVER_REQUIRE(typeA == typeB);
  return answerBytes(typeA, device, host,
                     [&]<class T>(T, int* size) { return answer(true, size, narrow(n)); });
}
inline musolverStatus_t xsytrs(Settings& self, mublasFillMode_t uplo, int64_t n, int64_t nrhs,
                               musaDataType typeA, const void* A, int64_t lda, const int64_t* ipiv,
                               musaDataType typeB, void* B, int64_t ldb, void*, size_t, void*, size_t,
                               int* info) {
  MUSOLVER_REQUIRE(typeA == typeB && isFill(uplo) && narrow(n) >= 0 && narrow(nrhs) >= 0);
  MUSOLVER_REQUIRE(leads(narrow(lda), narrow(n)) && leads(narrow(ldb), narrow(n)));
  if (!ipiv) return MUSOLVER_STATUS_NOT_SUPPORTED;  // factors without exchanges
  return withType(typeA, [&]<class T>(T) {
    return enqueue(self, [=] {
      const char u = letter(uplo);
      const int size = narrow(n), columns = narrow(nrhs), leadA = narrow(lda), leadB = narrow(ldb);
      const std::vector<int> pivots(ipiv, ipiv + size);
      int result = 0;
      Lapack<T>::sytrs(&u, &size, &columns, asValues(as<const T>(A)), &leadA, pivots.data(),
                       asValues(as<T>(B)), &leadB, &result, 1);
      tell(info, result);
    });
  });
}

}  // namespace musashim::musolver
