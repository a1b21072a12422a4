// Jacobi's methods: rotations until nothing is left beside the diagonal.
#pragma once

#include <algorithm>
#include <cmath>
#include <complex>
#include <cstddef>
#include <limits>
#include <numeric>
#include <vector>

namespace musashim::musolver {

// How far rotations go, and what became of them.
struct Sweeps {
  double tolerance = 0;  // 0: what the type can hold
  int most = 100;
  int done = 0;
  double residual = 0;
  bool converged = false;
};

template <class V>
V conjugateOf(V value) {
  if constexpr (std::is_arithmetic_v<V>)
    return value;
  else
    return std::conj(value);
}

// The rotation that makes of [a b; conj(b) d] a diagonal matrix: columns p and q become p c - q s*, p s + q
// c.
template <class V>
struct Rotation {
  using R = decltype(std::abs(V()));
  R c = 1;
  V s{};

  Rotation(R a, V b, R d) {
    const R size = std::abs(b);
    if (size == R(0)) return;
    const R ratio = (d - a) / (2 * size);
    const R t = (ratio >= 0 ? R(1) : R(-1)) / (std::abs(ratio) + std::sqrt(1 + ratio * ratio));
    c = 1 / std::sqrt(1 + t * t);
    s = (b / size) * (t * c);
  }
  void columns(V* p, V* q, ptrdiff_t rows, ptrdiff_t step = 1) const {
    for (ptrdiff_t i = 0; i < rows; ++i) {
      const V x = p[i * step], y = q[i * step];
      p[i * step] = x * c - y * conjugateOf(s);
      q[i * step] = x * s + y * c;
    }
  }
};

// Eigenvalues of a Hermitian matrix of n rows without gaps, both halves given. `vectors` (n by n) may be
// none.
template <class V>
void rotateHermitian(ptrdiff_t n, V* a, V* vectors, Sweeps& sweeps) {
  using R = typename Rotation<V>::R;
  const auto at = [&](ptrdiff_t row, ptrdiff_t column) -> V& { return a[column * n + row]; };
  const auto beside = [&] {
    R sum = 0;
    for (ptrdiff_t column = 0; column < n; ++column)
      for (ptrdiff_t row = 0; row < n; ++row)
        if (row != column) sum += std::norm(at(row, column));
    return std::sqrt(sum);
  };
  R whole = 0;
  for (ptrdiff_t i = 0; i < n * n; ++i) whole += std::norm(a[i]);
  // Rounding leaves about as many units beside the diagonal as a row has elements.
  const R least = std::numeric_limits<R>::epsilon() * static_cast<R>(n);
  const R bound = std::sqrt(whole) * std::max(static_cast<R>(sweeps.tolerance), least);
  for (sweeps.done = 0; !(sweeps.converged = beside() <= bound) && sweeps.done < sweeps.most; ++sweeps.done)
    for (ptrdiff_t p = 0; p < n; ++p)
      for (ptrdiff_t q = p + 1; q < n; ++q) {
        const Rotation<V> rotation(std::real(at(p, p)), at(p, q), std::real(at(q, q)));
        if (rotation.s == V(0)) continue;
        rotation.columns(&at(0, p), &at(0, q), n);
        Rotation<V> adjoint = rotation;  // rows turn by the conjugate
        adjoint.s = conjugateOf(rotation.s);
        adjoint.columns(&at(p, 0), &at(q, 0), n, n);
        at(p, q) = at(q, p) = V(0);  // what the rotation is for
        if (vectors) rotation.columns(vectors + p * n, vectors + q * n, n);
      }
  sweeps.residual = static_cast<double>(beside());
}

// Singular values of m by n elements without gaps, m >= n: the columns become U S, `v` (n by n) the right
// vectors.
template <class V>
void rotateColumns(ptrdiff_t m, ptrdiff_t n, V* a, V* v, Sweeps& sweeps) {
  using R = typename Rotation<V>::R;
  const R bound =
      std::max(static_cast<R>(sweeps.tolerance), std::numeric_limits<R>::epsilon() * static_cast<R>(m));
  const auto product = [&](ptrdiff_t p, ptrdiff_t q) {
    V sum(0);
    for (ptrdiff_t i = 0; i < m; ++i) sum += conjugateOf(a[p * m + i]) * a[q * m + i];
    return sum;
  };
  sweeps.converged = false;
  for (sweeps.done = 0; !sweeps.converged && sweeps.done < sweeps.most; ++sweeps.done) {
    sweeps.converged = true;
    for (ptrdiff_t p = 0; p < n; ++p)
      for (ptrdiff_t q = p + 1; q < n; ++q) {
        const R left = std::real(product(p, p)), right = std::real(product(q, q));
        const V both = product(p, q);
        if (!(std::abs(both) > bound * std::sqrt(left) * std::sqrt(right))) continue;
        sweeps.converged = false;
        const Rotation<V> rotation(left, both, right);
        rotation.columns(a + p * m, a + q * m, m);
        rotation.columns(v + p * n, v + q * n, n);
      }
  }
}

// The order of `values`, from small ones on or from large ones.
template <class R>
std::vector<size_t> orderOf(const std::vector<R>& values, bool descending) {
  std::vector<size_t> order(values.size());
  std::iota(order.begin(), order.end(), size_t{0});
  std::sort(order.begin(), order.end(), [&](size_t a, size_t b) {
    if (values[a] != values[b]) return descending ? values[a] > values[b] : values[a] < values[b];
    return a < b;
  });
  return order;
}

}  // namespace musashim::musolver
