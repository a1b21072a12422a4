// LAPACK's functions by element type: Lapack<float>::potrf is spotrf_. The sizes at the ends are those of the
// letters.
#pragma once

#include <muComplex.h>

#include <complex>
#include <cstddef>

namespace musashim::musolver {

template <class T>
struct Lapack;

}  // namespace musashim::musolver

// NOLINTBEGIN(bugprone-macro-parentheses): arguments are types and parts of names
#define MUSOLVER_DECLARE(p, q, V)                                                                          \
  void p##potrf_(const char*, const int*, V*, const int*, int*, size_t);                                   \
  void p##potrs_(const char*, const int*, const int*, const V*, const int*, V*, const int*, int*, size_t); \
  void p##potri_(const char*, const int*, V*, const int*, int*, size_t);                                   \
  void p##getrf_(const int*, const int*, V*, const int*, int*, int*);                                      \
  void p##getrs_(const char*, const int*, const int*, const V*, const int*, const int*, V*, const int*,    \
                 int*, size_t);                                                                            \
  void p##geqrf_(const int*, const int*, V*, const int*, V*, V*, const int*, int*);                        \
  void p##q##gqr_(const int*, const int*, const int*, V*, const int*, const V*, V*, const int*, int*);     \
  void p##q##mqr_(const char*, const char*, const int*, const int*, const int*, const V*, const int*,      \
                  const V*, V*, const int*, V*, const int*, int*, size_t, size_t);

#define MUSOLVER_DECLARE_REAL(p, V)                                                                          \
  void p##syevd_(const char*, const char*, const int*, V*, const int*, V*, V*, const int*, int*, const int*, \
                 int*, size_t, size_t);                                                                      \
  void p##gesvd_(const char*, const char*, const int*, const int*, V*, const int*, V*, V*, const int*, V*,   \
                 const int*, V*, const int*, int*, size_t, size_t);

#define MUSOLVER_DECLARE_COMPLEX(p, V, R)                                                                  \
  void p##heevd_(const char*, const char*, const int*, V*, const int*, R*, V*, const int*, R*, const int*, \
                 int*, const int*, int*, size_t, size_t);                                                  \
  void p##gesvd_(const char*, const char*, const int*, const int*, V*, const int*, R*, V*, const int*, V*, \
                 const int*, V*, const int*, R*, int*, size_t, size_t);

extern "C" {
MUSOLVER_DECLARE(s, or, float)
MUSOLVER_DECLARE(d, or, double)
MUSOLVER_DECLARE(c, un, std::complex<float>)
MUSOLVER_DECLARE(z, un, std::complex<double>)
MUSOLVER_DECLARE_REAL(s, float)
MUSOLVER_DECLARE_REAL(d, double)
MUSOLVER_DECLARE_COMPLEX(c, std::complex<float>, float)
MUSOLVER_DECLARE_COMPLEX(z, std::complex<double>, double)
}

namespace musashim::musolver {

#define MUSOLVER_LAPACK(Type, V, R, p, q, eigen) \
  template <>                                    \
  struct Lapack<Type> {                          \
    using Value = V;                             \
    using Real = R;                              \
    static constexpr auto potrf = p##potrf_;     \
    static constexpr auto potrs = p##potrs_;     \
    static constexpr auto potri = p##potri_;     \
    static constexpr auto getrf = p##getrf_;     \
    static constexpr auto getrs = p##getrs_;     \
    static constexpr auto geqrf = p##geqrf_;     \
    static constexpr auto orgqr = p##q##gqr_;    \
    static constexpr auto ormqr = p##q##mqr_;    \
    static constexpr auto syevd = p##eigen##_;   \
    static constexpr auto gesvd = p##gesvd_;     \
  };
MUSOLVER_LAPACK(float, float, float, s, or, syevd)
MUSOLVER_LAPACK(double, double, double, d, or, syevd)
MUSOLVER_LAPACK(muComplex, std::complex<float>, float, c, un, heevd)
MUSOLVER_LAPACK(muDoubleComplex, std::complex<double>, double, z, un, heevd)
// NOLINTEND(bugprone-macro-parentheses)

}  // namespace musashim::musolver
