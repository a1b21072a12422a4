// Of the 64-bit interface: eigenvalues of matrices without symmetry, and some of the largest singular values.
#pragma once

#include "libs/musolver/operations/wide_eigenvalues.h"

// NOLINTBEGIN(bugprone-macro-parentheses): arguments are types and parts of names
#define MUSOLVER_DECLARE_GEEV(p, V)                                                               \
  void p##geev_(const char*, const char*, const int*, V*, const int*, V*, V*, V*, const int*, V*, \
                const int*, V*, const int*, int*, size_t, size_t);
#define MUSOLVER_DECLARE_COMPLEX_GEEV(p, V, R)                                                            \
  void p##geev_(const char*, const char*, const int*, V*, const int*, V*, V*, const int*, V*, const int*, \
                V*, const int*, R*, int*, size_t, size_t);
extern "C" {
MUSOLVER_DECLARE_GEEV(s, float)
MUSOLVER_DECLARE_GEEV(d, double)
MUSOLVER_DECLARE_COMPLEX_GEEV(c, std::complex<float>, float)
MUSOLVER_DECLARE_COMPLEX_GEEV(z, std::complex<double>, double)
}
// NOLINTEND(bugprone-macro-parentheses)

namespace musashim::musolver {

// LAPACK's function by its arguments.
inline constexpr struct {
  template <class... Args>
  void operator()(const char* jobvl, const char* jobvr, const int* n, float* a, Args... rest) const {
    sgeev_(jobvl, jobvr, n, a, rest..., 1, 1);
  }
  template <class... Args>
  void operator()(const char* jobvl, const char* jobvr, const int* n, double* a, Args... rest) const {
    dgeev_(jobvl, jobvr, n, a, rest..., 1, 1);
  }
  template <class... Args>
  void operator()(const char* jobvl, const char* jobvr, const int* n, std::complex<float>* a,
                  Args... rest) const {
    cgeev_(jobvl, jobvr, n, a, rest..., 1, 1);
  }
  template <class... Args>
  void operator()(const char* jobvl, const char* jobvr, const int* n, std::complex<double>* a,
                  Args... rest) const {
    zgeev_(jobvl, jobvr, n, a, rest..., 1, 1);
  }
} geev;

// A question about vectors: whether there are to be some, and where.
struct EigenvectorsOf {
  musolverEigMode_t job;
  musaDataType type;
  int64_t ld;

  bool wanted() const { return job == MUSOLVER_EIG_MODE_VECTOR; }
  bool isValid(musaDataType typeA, int64_t n) const {
    return (wanted() || job == MUSOLVER_EIG_MODE_NOVECTOR) &&
           (!wanted() || (type == typeA && narrow(ld) >= std::max<int64_t>(1, n)));
  }
  // LAPACK wants a leading dimension also where there are none.
  int leading() const { return std::max(1, narrow(ld)); }
};

inline musaDataType complexOf(musaDataType type) {
  return type == MUSA_R_32F ? MUSA_C_32F : type == MUSA_R_64F ? MUSA_C_64F : type;
}
inline bool isGeneralProblem(int64_t n, musaDataType typeA, int64_t lda, musaDataType typeW,
                             musaDataType compute, const EigenvectorsOf& left, const EigenvectorsOf& right) {
  return typeA == compute && (typeW == typeA || typeW == complexOf(typeA)) && narrow(n) >= 0 &&
         narrow(lda) >= std::max<int64_t>(1, n) && left.isValid(typeA, n) && right.isValid(typeA, n);
}

inline musolverStatus_t xgeevSize(Settings& /*self*/, Params, musolverEigMode_t jobvl,
                                  musolverEigMode_t jobvr, int64_t n, musaDataType typeA, const void*,
                                  int64_t lda, musaDataType typeW, const void*, musaDataType typeVL,
                                  const void*, int64_t ldvl, musaDataType typeVR, const void*, int64_t ldvr,
                                  musaDataType compute, size_t* device, size_t* host) {
  MUSOLVER_REQUIRE(
      isGeneralProblem(n, typeA, lda, typeW, compute, {jobvl, typeVL, ldvl}, {jobvr, typeVR, ldvr}));
  return answerBytes(typeA, device, host,
                     [&]<class T>(T, int* size) { return answer(true, size, narrow(n)); });
}

// Real matrices may have their eigenvalues as complex numbers, or as all real and then all imaginary parts;
// eigenvectors of pairs are LAPACK's two real columns.
inline musolverStatus_t xgeev(Settings& self, Params, musolverEigMode_t jobvl, musolverEigMode_t jobvr,
                              int64_t n64, musaDataType typeA, void* A, int64_t lda64, musaDataType typeW,
                              void* W, musaDataType typeVL, void* VL, int64_t ldvl, musaDataType typeVR,
                              void* VR, int64_t ldvr, musaDataType compute, void*, size_t, void*, size_t,
                              int* info) {
  const EigenvectorsOf left{jobvl, typeVL, ldvl}, right{jobvr, typeVR, ldvr};
  MUSOLVER_REQUIRE(isGeneralProblem(n64, typeA, lda64, typeW, compute, left, right));
  return withType(typeA, [&]<class T>(T) {
    return enqueue(self, [=] {
      using V = ValueOf<T>;
      using R = RealOf<T>;
      const int n = narrow(n64), lda = narrow(lda64), ldLeft = left.leading(), ldRight = right.leading();
      const char l = left.wanted() ? 'V' : 'N', r = right.wanted() ? 'V' : 'N';
      V* const vl = asValues(as<T>(VL));
      V* const vr = asValues(as<T>(VR));
      int result = 0;
      if constexpr (kIsReal<T>) {
        std::vector<R> real(static_cast<size_t>(n)), imaginary(static_cast<size_t>(n));
        withWork<V>([&](V* work, int size) {
          geev(&l, &r, &n, as<V>(A), &lda, real.data(), imaginary.data(), vl, &ldLeft, vr, &ldRight, work,
               &size, &result);
        });
        for (int i = 0; i < n; ++i) {
          const auto at = static_cast<size_t>(i);
          if (typeW == typeA)
            as<R>(W)[i] = real[at], as<R>(W)[n + i] = imaginary[at];
          else
            as<std::complex<R>>(W)[i] = {real[at], imaginary[at]};
        }
      } else {
        std::vector<R> reals(static_cast<size_t>(2 * n + 1));
        withWork<V>([&](V* work, int size) {
          geev(&l, &r, &n, as<V>(A), &lda, as<V>(W), vl, &ldLeft, vr, &ldRight, work, &size, reals.data(),
               &result);
        });
      }
      tell(info, result);
    });
  });
}

// The k largest singular values and their vectors. cuSOLVER finds them about, by `niters` products with p
// more random vectors; here they are LAPACK's. V is not transposed.
struct Largest {
  signed char jobu, jobv;
  int64_t m, n, k, p, niters, lda, ldu, ldv;

  bool isValid() const {
    const auto isJob = [](signed char job) { return job == 'S' || job == 'N'; };
    return isJob(jobu) && isJob(jobv) && narrow(m) >= 0 && narrow(n) >= 0 && k >= 0 && p >= 0 &&
           niters >= 0 && k + p <= std::min(m, n) && narrow(lda) >= std::max<int64_t>(1, m) &&
           (jobu == 'N' || ldu >= std::max<int64_t>(1, m)) && (jobv == 'N' || ldv >= std::max<int64_t>(1, n));
  }
};

inline musolverStatus_t xgesvdrSize(Settings& /*self*/, Params, signed char jobu, signed char jobv, int64_t m,
                                    int64_t n, int64_t k, int64_t p, int64_t niters, musaDataType typeA,
                                    const void*, int64_t lda, musaDataType typeS, const void*,
                                    musaDataType typeU, const void*, int64_t ldu, musaDataType typeV,
                                    const void*, int64_t ldv, musaDataType compute, size_t* device,
                                    size_t* host) {
  MUSOLVER_REQUIRE(isDecomposition(typeA, typeS, typeU, typeV, compute));
  MUSOLVER_REQUIRE((Largest{jobu, jobv, m, n, k, p, niters, lda, ldu, ldv}.isValid()));
  return answerBytes(typeA, device, host,
                     [&]<class T>(T, int* size) { return answer(true, size, narrow(m + n)); });
}

inline musolverStatus_t xgesvdr(Settings& self, Params, signed char jobu, signed char jobv, int64_t m,
                                int64_t n, int64_t k, int64_t p, int64_t niters, musaDataType typeA, void* A,
                                int64_t lda, musaDataType typeS, void* S, musaDataType typeU, void* U,
                                int64_t ldu, musaDataType typeV, void* V, int64_t ldv, musaDataType compute,
                                void*, size_t, void*, size_t, int* info) {
  const Largest largest{jobu, jobv, m, n, k, p, niters, lda, ldu, ldv};
  MUSOLVER_REQUIRE(isDecomposition(typeA, typeS, typeU, typeV, compute) && largest.isValid());
  return withType(typeA, [&]<class T>(T) {
    return enqueue(self, [=] {
      using Value = ValueOf<T>;
      using R = RealOf<T>;
      const int rows = narrow(m), columns = narrow(n), all = std::min(rows, columns),
                first = std::max(1, all);
      const int leading = std::max(1, rows);
      Block<Value> a(m, n), u(m, jobu == 'S' ? all : 0), vt(all, jobv == 'S' ? n : 0);
      for (int64_t column = 0; column < n; ++column)
        std::copy_n(asValues(as<T>(A)) + column * lda, m, a.column(column));
      std::vector<R> values(static_cast<size_t>(all)), reals(static_cast<size_t>(5 * all + 1));
      const char ju = static_cast<char>(jobu), jv = static_cast<char>(jobv);
      int result = 0;
      withWork<Value>([&](Value* work, int size) {
        if constexpr (kIsReal<T>)
          Lapack<T>::gesvd(&ju, &jv, &rows, &columns, a.column(0), &leading, values.data(), u.column(0),
                           &leading, vt.column(0), &first, work, &size, &result, 1, 1);
        else
          Lapack<T>::gesvd(&ju, &jv, &rows, &columns, a.column(0), &leading, values.data(), u.column(0),
                           &leading, vt.column(0), &first, work, &size, reals.data(), &result, 1, 1);
      });
      for (int64_t i = 0; i < k; ++i) {
        as<R>(S)[i] = values[static_cast<size_t>(i)];
        if (jobu == 'S') std::copy_n(u.column(i), m, asValues(as<T>(U)) + i * ldu);
        for (int64_t row = 0; jobv == 'S' && row < n; ++row)
          asValues(as<T>(V))[i * ldv + row] = conjugateOf(vt(i, row));
      }
      tell(info, result);
    });
  });
}

}  // namespace musashim::musolver
