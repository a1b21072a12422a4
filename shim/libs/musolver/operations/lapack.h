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

// Reductions, factors of symmetric matrices, and what goes with them; q: or, un; R: the real type.
#define MUSOLVER_DECLARE_MORE(p, q, V, R)                                                                    \
  void p##q##gtr_(const char*, const int*, V*, const int*, const V*, V*, const int*, int*, size_t);          \
  void p##q##mtr_(const char*, const char*, const char*, const int*, const int*, const V*, const int*,       \
                  const V*, V*, const int*, V*, const int*, int*, size_t, size_t, size_t);                   \
  void p##q##gbr_(const char*, const int*, const int*, const int*, V*, const int*, const V*, V*, const int*, \
                  int*, size_t);                                                                             \
  void p##gebrd_(const int*, const int*, V*, const int*, R*, R*, V*, V*, V*, const int*, int*);              \
  void p##sytrf_(const char*, const int*, V*, const int*, int*, V*, const int*, int*, size_t);               \
  void p##sytrs_(const char*, const int*, const int*, const V*, const int*, const int*, V*, const int*,      \
                 int*, size_t);                                                                              \
  void p##sytri_(const char*, const int*, V*, const int*, const int*, V*, int*, size_t);                     \
  void p##lauum_(const char*, const int*, V*, const int*, int*, size_t);                                     \
  void p##laswp_(const int*, V*, const int*, const int*, const int*, const int*, const int*);                \
  void p##trtri_(const char*, const char*, const int*, V*, const int*, int*, size_t, size_t);                \
  void p##gels_(const char*, const int*, const int*, const int*, V*, const int*, V*, const int*, V*,         \
                const int*, int*, size_t);

#define MUSOLVER_DECLARE_REAL_MORE(p, V)                                                                   \
  void p##sytrd_(const char*, const int*, V*, const int*, V*, V*, V*, V*, const int*, int*, size_t);       \
  void p##syevr_(const char*, const char*, const char*, const int*, V*, const int*, const V*, const V*,    \
                 const int*, const int*, const V*, int*, V*, V*, const int*, int*, V*, const int*, int*,   \
                 const int*, int*, size_t, size_t, size_t);                                                \
  void p##sygvd_(const int*, const char*, const char*, const int*, V*, const int*, V*, const int*, V*, V*, \
                 const int*, int*, const int*, int*, size_t, size_t);                                      \
  void p##sygst_(const int*, const char*, const int*, V*, const int*, const V*, const int*, int*, size_t);

#define MUSOLVER_DECLARE_COMPLEX_MORE(p, V, R)                                                             \
  void p##hetrd_(const char*, const int*, V*, const int*, R*, R*, V*, V*, const int*, int*, size_t);       \
  void p##heevr_(const char*, const char*, const char*, const int*, V*, const int*, const R*, const R*,    \
                 const int*, const int*, const R*, int*, R*, V*, const int*, int*, V*, const int*, R*,     \
                 const int*, int*, const int*, int*, size_t, size_t, size_t);                              \
  void p##hegvd_(const int*, const char*, const char*, const int*, V*, const int*, V*, const int*, R*, V*, \
                 const int*, R*, const int*, int*, const int*, int*, size_t, size_t);                      \
  void p##hegst_(const int*, const char*, const int*, V*, const int*, const V*, const int*, int*, size_t);

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
MUSOLVER_DECLARE_MORE(s, or, float, float)
MUSOLVER_DECLARE_MORE(d, or, double, double)
MUSOLVER_DECLARE_MORE(c, un, std::complex<float>, float)
MUSOLVER_DECLARE_MORE(z, un, std::complex<double>, double)
MUSOLVER_DECLARE_REAL_MORE(s, float)
MUSOLVER_DECLARE_REAL_MORE(d, double)
MUSOLVER_DECLARE_COMPLEX_MORE(c, std::complex<float>, float)
MUSOLVER_DECLARE_COMPLEX_MORE(z, std::complex<double>, double)
}

namespace musashim::musolver {

#define MUSOLVER_LAPACK(Type, p, q, h)        \
  template <>                                 \
  struct Lapack<Type> {                       \
    static constexpr auto potrf = p##potrf_;  \
    static constexpr auto potrs = p##potrs_;  \
    static constexpr auto potri = p##potri_;  \
    static constexpr auto getrf = p##getrf_;  \
    static constexpr auto getrs = p##getrs_;  \
    static constexpr auto geqrf = p##geqrf_;  \
    static constexpr auto orgqr = p##q##gqr_; \
    static constexpr auto ormqr = p##q##mqr_; \
    static constexpr auto orgtr = p##q##gtr_; \
    static constexpr auto ormtr = p##q##mtr_; \
    static constexpr auto orgbr = p##q##gbr_; \
    static constexpr auto gebrd = p##gebrd_;  \
    static constexpr auto sytrf = p##sytrf_;  \
    static constexpr auto sytrs = p##sytrs_;  \
    static constexpr auto sytri = p##sytri_;  \
    static constexpr auto lauum = p##lauum_;  \
    static constexpr auto laswp = p##laswp_;  \
    static constexpr auto trtri = p##trtri_;  \
    static constexpr auto gels = p##gels_;    \
    static constexpr auto sytrd = p##h##trd_; \
    static constexpr auto syevd = p##h##evd_; \
    static constexpr auto syevr = p##h##evr_; \
    static constexpr auto sygvd = p##h##gvd_; \
    static constexpr auto sygst = p##h##gst_; \
    static constexpr auto gesvd = p##gesvd_;  \
  };
MUSOLVER_LAPACK(float, s, or, sy)
MUSOLVER_LAPACK(double, d, or, sy)
MUSOLVER_LAPACK(muComplex, c, un, he)
MUSOLVER_LAPACK(muDoubleComplex, z, un, he)
// NOLINTEND(bugprone-macro-parentheses)

}  // namespace musashim::musolver
