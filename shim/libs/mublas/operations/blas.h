// OpenBLAS's functions (Fortran interface), by element type: Blas<float>::gemm is sgemm_.
#pragma once

#include <muComplex.h>

#include <complex>

#include "libs/core/numbers.h"

namespace musashim::mublas {

using libs::asValues;
using libs::Numbers;
using libs::RealOf;
using libs::ValueOf;

template <class T>
struct Blas;

}  // namespace musashim::mublas

// NOLINTBEGIN(bugprone-macro-parentheses): arguments are types and parts of names
// Functions of all four types; V is what they are called with, R its real type.
#define MUBLAS_DECLARE_ALL(p, V, R)                                                                          \
  void p##axpy_(const int*, const V*, const V*, const int*, V*, const int*);                                 \
  void p##copy_(const int*, const V*, const int*, V*, const int*);                                           \
  void p##scal_(const int*, const V*, V*, const int*);                                                       \
  void p##swap_(const int*, V*, const int*, V*, const int*);                                                 \
  void p##rotg_(V*, V*, R*, V*);                                                                             \
  void p##gemv_(const char*, const int*, const int*, const V*, const V*, const int*, const V*, const int*,   \
                const V*, V*, const int*);                                                                   \
  void p##gbmv_(const char*, const int*, const int*, const int*, const int*, const V*, const V*, const int*, \
                const V*, const int*, const V*, V*, const int*);                                             \
  void p##symv_(const char*, const int*, const V*, const V*, const int*, const V*, const int*, const V*, V*, \
                const int*);                                                                                 \
  void p##trmv_(const char*, const char*, const char*, const int*, const V*, const int*, V*, const int*);    \
  void p##trsv_(const char*, const char*, const char*, const int*, const V*, const int*, V*, const int*);    \
  void p##tbmv_(const char*, const char*, const char*, const int*, const int*, const V*, const int*, V*,     \
                const int*);                                                                                 \
  void p##tbsv_(const char*, const char*, const char*, const int*, const int*, const V*, const int*, V*,     \
                const int*);                                                                                 \
  void p##tpmv_(const char*, const char*, const char*, const int*, const V*, V*, const int*);                \
  void p##tpsv_(const char*, const char*, const char*, const int*, const V*, V*, const int*);                \
  void p##syr_(const char*, const int*, const V*, const V*, const int*, V*, const int*);                     \
  void p##gemm_(const char*, const char*, const int*, const int*, const int*, const V*, const V*,            \
                const int*, const V*, const int*, const V*, V*, const int*);                                 \
  void p##symm_(const char*, const char*, const int*, const int*, const V*, const V*, const int*, const V*,  \
                const int*, const V*, V*, const int*);                                                       \
  void p##syrk_(const char*, const char*, const int*, const int*, const V*, const V*, const int*, const V*,  \
                V*, const int*);                                                                             \
  void p##syr2k_(const char*, const char*, const int*, const int*, const V*, const V*, const int*, const V*, \
                 const int*, const V*, V*, const int*);                                                      \
  void p##trmm_(const char*, const char*, const char*, const char*, const int*, const int*, const V*,        \
                const V*, const int*, V*, const int*);                                                       \
  void p##trsm_(const char*, const char*, const char*, const char*, const int*, const int*, const V*,        \
                const V*, const int*, V*, const int*);                                                       \
  void p##getrf_(const int*, const int*, V*, const int*, int*, int*);                                        \
  void p##getri_(const int*, V*, const int*, const int*, V*, const int*, int*);                              \
  void p##getrs_(const char*, const int*, const int*, const V*, const int*, const int*, V*, const int*,      \
                 int*, size_t);                                                                              \
  void p##geqrf_(const int*, const int*, V*, const int*, V*, V*, const int*, int*);                          \
  void p##gels_(const char*, const int*, const int*, const int*, V*, const int*, V*, const int*, V*,         \
                const int*, int*, size_t);

// Of real types.
#define MUBLAS_DECLARE_REAL(p, V)                                                                          \
  V p##dot_(const int*, const V*, const int*, const V*, const int*);                                       \
  V p##nrm2_(const int*, const V*, const int*);                                                            \
  V p##asum_(const int*, const V*, const int*);                                                            \
  void p##rot_(const int*, V*, const int*, V*, const int*, const V*, const V*);                            \
  void p##rotm_(const int*, V*, const int*, V*, const int*, const V*);                                     \
  void p##rotmg_(V*, V*, V*, const V*, V*);                                                                \
  void p##ger_(const int*, const int*, const V*, const V*, const int*, const V*, const int*, V*,           \
               const int*);                                                                                \
  void p##sbmv_(const char*, const int*, const int*, const V*, const V*, const int*, const V*, const int*, \
                const V*, V*, const int*);                                                                 \
  void p##spmv_(const char*, const int*, const V*, const V*, const V*, const int*, const V*, V*,           \
                const int*);                                                                               \
  void p##spr_(const char*, const int*, const V*, const V*, const int*, V*);                               \
  void p##spr2_(const char*, const int*, const V*, const V*, const int*, const V*, const int*, V*);        \
  void p##syr2_(const char*, const int*, const V*, const V*, const int*, const V*, const int*, V*,         \
                const int*);

// Of complex types; rp is what a function with a real result begins with.
#define MUBLAS_DECLARE_COMPLEX(p, rp, V, R)                                                                  \
  R rp##nrm2_(const int*, const V*, const int*);                                                             \
  R rp##asum_(const int*, const V*, const int*);                                                             \
  void p##geru_(const int*, const int*, const V*, const V*, const int*, const V*, const int*, V*,            \
                const int*);                                                                                 \
  void p##gerc_(const int*, const int*, const V*, const V*, const int*, const V*, const int*, V*,            \
                const int*);                                                                                 \
  void p##hemv_(const char*, const int*, const V*, const V*, const int*, const V*, const int*, const V*, V*, \
                const int*);                                                                                 \
  void p##hbmv_(const char*, const int*, const int*, const V*, const V*, const int*, const V*, const int*,   \
                const V*, V*, const int*);                                                                   \
  void p##hpmv_(const char*, const int*, const V*, const V*, const V*, const int*, const V*, V*,             \
                const int*);                                                                                 \
  void p##her_(const char*, const int*, const R*, const V*, const int*, V*, const int*);                     \
  void p##her2_(const char*, const int*, const V*, const V*, const int*, const V*, const int*, V*,           \
                const int*);                                                                                 \
  void p##hpr_(const char*, const int*, const R*, const V*, const int*, V*);                                 \
  void p##hpr2_(const char*, const int*, const V*, const V*, const int*, const V*, const int*, V*);          \
  void p##hemm_(const char*, const char*, const int*, const int*, const V*, const V*, const int*, const V*,  \
                const int*, const V*, V*, const int*);                                                       \
  void p##herk_(const char*, const char*, const int*, const int*, const R*, const V*, const int*, const R*,  \
                V*, const int*);                                                                             \
  void p##her2k_(const char*, const char*, const int*, const int*, const V*, const V*, const int*, const V*, \
                 const int*, const R*, V*, const int*);                                                      \
  void p##rot_(const int*, V*, const int*, V*, const int*, const R*, const V*);

extern "C" {
MUBLAS_DECLARE_ALL(s, float, float)
MUBLAS_DECLARE_ALL(d, double, double)
MUBLAS_DECLARE_ALL(c, std::complex<float>, float)
MUBLAS_DECLARE_ALL(z, std::complex<double>, double)
MUBLAS_DECLARE_REAL(s, float)
MUBLAS_DECLARE_REAL(d, double)
MUBLAS_DECLARE_COMPLEX(c, sc, std::complex<float>, float)
MUBLAS_DECLARE_COMPLEX(z, dz, std::complex<double>, double)
void csrot_(const int*, std::complex<float>*, const int*, std::complex<float>*, const int*, const float*,
            const float*);
void zdrot_(const int*, std::complex<double>*, const int*, std::complex<double>*, const int*, const double*,
            const double*);
void csscal_(const int*, const float*, std::complex<float>*, const int*);
void zdscal_(const int*, const double*, std::complex<double>*, const int*);
}

namespace musashim::mublas {

#define MUBLAS_BLAS_ALL(p)                                \
  static constexpr auto axpy = p##axpy_;                  \
  static constexpr auto copy = p##copy_;                  \
  static constexpr auto scal = p##scal_;                  \
  static constexpr auto swap = p##swap_;                  \
  static constexpr auto rotg = p##rotg_;                  \
  static constexpr auto gemv = p##gemv_;                  \
  static constexpr auto gbmv = p##gbmv_;                  \
  static constexpr auto symv = p##symv_;                  \
  static constexpr auto trmv = p##trmv_, trsv = p##trsv_; \
  static constexpr auto tbmv = p##tbmv_, tbsv = p##tbsv_; \
  static constexpr auto tpmv = p##tpmv_, tpsv = p##tpsv_; \
  static constexpr auto syr = p##syr_;                    \
  static constexpr auto gemm = p##gemm_;                  \
  static constexpr auto symm = p##symm_;                  \
  static constexpr auto syrk = p##syrk_;                  \
  static constexpr auto syr2k = p##syr2k_;                \
  static constexpr auto trmm = p##trmm_, trsm = p##trsm_; \
  static constexpr auto getrf = p##getrf_;                \
  static constexpr auto getri = p##getri_;                \
  static constexpr auto getrs = p##getrs_;                \
  static constexpr auto geqrf = p##geqrf_;                \
  static constexpr auto gels = p##gels_;

// What complex types call Hermitian is symmetric for real ones.
#define MUBLAS_BLAS_REAL(p)                               \
  static constexpr auto nrm2 = p##nrm2_, asum = p##asum_; \
  static constexpr auto rot = p##rot_;                    \
  static constexpr auto rotm = p##rotm_;                  \
  static constexpr auto rotmg = p##rotmg_;                \
  static constexpr auto dot = p##dot_;                    \
  static constexpr auto geru = p##ger_, gerc = p##ger_;   \
  static constexpr auto hbmv = p##sbmv_;                  \
  static constexpr auto hpmv = p##spmv_;                  \
  static constexpr auto hpr = p##spr_;                    \
  static constexpr auto hpr2 = p##spr2_;                  \
  static constexpr auto her2 = p##syr2_;

#define MUBLAS_BLAS_COMPLEX(p, rp, rotReal_, scalReal_)     \
  static constexpr auto nrm2 = rp##nrm2_, asum = rp##asum_; \
  static constexpr auto rot = p##rot_;                      \
  static constexpr auto rotReal = rotReal_;                 \
  static constexpr auto scalReal = scalReal_;               \
  static constexpr auto geru = p##geru_, gerc = p##gerc_;   \
  static constexpr auto hemv = p##hemv_;                    \
  static constexpr auto hbmv = p##hbmv_;                    \
  static constexpr auto hpmv = p##hpmv_;                    \
  static constexpr auto her = p##her_;                      \
  static constexpr auto her2 = p##her2_;                    \
  static constexpr auto hpr = p##hpr_;                      \
  static constexpr auto hpr2 = p##hpr2_;                    \
  static constexpr auto hemm = p##hemm_;                    \
  static constexpr auto herk = p##herk_;                    \
  static constexpr auto her2k = p##her2k_;

template <>
struct Blas<float> {
  MUBLAS_BLAS_ALL(s)
  MUBLAS_BLAS_REAL(s)
};
template <>
struct Blas<double> {
  MUBLAS_BLAS_ALL(d)
  MUBLAS_BLAS_REAL(d)
};
template <>
struct Blas<muComplex> {
  MUBLAS_BLAS_ALL(c)
  MUBLAS_BLAS_COMPLEX(c, sc, csrot_, csscal_)
};
template <>
struct Blas<muDoubleComplex> {
  MUBLAS_BLAS_ALL(z)
  MUBLAS_BLAS_COMPLEX(z, dz, zdrot_, zdscal_)
};
// NOLINTEND(bugprone-macro-parentheses)

}  // namespace musashim::mublas
