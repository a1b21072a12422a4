#include "mublas/structured.h"

namespace musashim::test {
namespace {

template <class T>
class Level2 : public MublasTest {
 protected:
  static constexpr int n = 23, k = 4, lda = 26;

  // The vector's elements, by position.
  static std::vector<Wide> elements(const std::vector<T>& x, int increment, int count = n) {
    std::vector<Wide> values;
    for (int i = 0; i < count; ++i)
      values.push_back(
          wide(x[static_cast<size_t>(increment < 0 ? (i - count + 1) * increment : i * increment)]));
    return values;
  }
  // A vector like `x` whose elements are `values`.
  static std::vector<Wide> with(const std::vector<T>& x, int increment, const std::vector<Wide>& values) {
    std::vector<Wide> all;
    for (const T& value : x) all.push_back(wide(value));
    const int count = static_cast<int>(values.size());
    for (int i = 0; i < count; ++i)
      all[static_cast<size_t>(increment < 0 ? (i - count + 1) * increment : i * increment)] =
          values[static_cast<size_t>(i)];
    return all;
  }
  static std::vector<Wide> times(const Full& matrix, mublasOperation_t op, const std::vector<Wide>& x) {
    std::vector<Wide> y(n);
    for (int row = 0; row < n; ++row)
      for (int i = 0; i < n; ++i)
        y[static_cast<size_t>(row)] += opAt(matrix, op, row, i) * x[static_cast<size_t>(i)];
    return y;
  }

  std::vector<T> a = randomNumbers<T>(lda * n, 1), x = randomNumbers<T>(100, 2), y = randomNumbers<T>(100, 3);
  T alpha = randomNumbers<T>(1, 4)[0], beta = randomNumbers<T>(1, 5)[0];
};
using Types = ::testing::Types<float, double, ComplexFloat, ComplexDouble>;
TYPED_TEST_SUITE(Level2, Types);

constexpr std::pair<int, int> kIncrements[] = {{1, 1}, {2, 3}, {-1, -2}};

TYPED_TEST(Level2, Gemv) {
  using T = TypeParam;
  const int m = 17, n = this->n, lda = this->lda;
  for (const mublasOperation_t op : kOps) {
    for (const auto& [incx, incy] : kIncrements) {
      const int rows = op == MUBLAS_OP_N ? m : n, columns = op == MUBLAS_OP_N ? n : m;
      const auto from = this->elements(this->x, incx, columns);
      auto to = this->elements(this->y, incy, rows);
      for (int row = 0; row < rows; ++row) {
        Wide sum = 0;
        for (int i = 0; i < columns; ++i)
          sum += opElement(this->a, lda, op, row, i) * from[static_cast<size_t>(i)];
        to[static_cast<size_t>(row)] =
            wide(this->alpha) * sum + wide(this->beta) * to[static_cast<size_t>(row)];
      }
      const OnDevice<T> da(this->a), dx(this->x), dy(this->y);
      ASSERT_BLAS(MUBLAS_STATUS_SUCCESS,
                  MUBLAS_CALL(T, gemv)(this->handle_, op, m, n, api(&this->alpha), da.api(), lda, dx.api(),
                                       incx, api(&this->beta), dy.api(), incy));
      expectNear(dy.fetch(), this->with(this->y, incy, to), 100, "gemv");
    }
  }
}

TYPED_TEST(Level2, GemvWithBetaZeroDoesNotReadY) {
  using T = TypeParam;
  const T nan(std::numeric_limits<float>::quiet_NaN()), zero(0), one(1);
  const OnDevice<T> a(std::vector<T>(16, one)), x(std::vector<T>(4, one)), y(std::vector<T>(4, nan));
  ASSERT_BLAS(MUBLAS_STATUS_SUCCESS, MUBLAS_CALL(T, gemv)(this->handle_, MUBLAS_OP_N, 4, 4, api(&one),
                                                          a.api(), 4, x.api(), 1, api(&zero), y.api(), 1));
  EXPECT_EQ(y.fetch(), std::vector<T>(4, T(4)));
  // As an H100 answers: a step of zero is let through and does nothing (blas.arguments).
  EXPECT_BLAS(MUBLAS_STATUS_SUCCESS, MUBLAS_CALL(T, gemv)(this->handle_, MUBLAS_OP_N, 4, 4, api(&one),
                                                          a.api(), 4, x.api(), 0, api(&zero), y.api(), 1));
  EXPECT_BLAS(MUBLAS_STATUS_INVALID_VALUE,
              MUBLAS_CALL(T, gemv)(this->handle_, MUBLAS_OP_N, 4, 4, api(&one), a.api(), 3, x.api(), 1,
                                   api(&zero), y.api(), 1));
}

TYPED_TEST(Level2, GeneralBand) {
  using T = TypeParam;
  const int n = this->n, kl = 2, ku = 3, lda = 8;
  for (const mublasOperation_t op : kOps) {
    Full full{n, std::vector<Wide>(static_cast<size_t>(n) * n)};
    for (int column = 0; column < n; ++column)
      for (int row = std::max(0, column - ku); row < std::min(n, column + kl + 1); ++row)
        full.values[static_cast<size_t>(column * n + row)] =
            wide(this->a[static_cast<size_t>(column * lda + ku + row - column)]);
    auto to = this->elements(this->y, 1);
    const auto product = this->times(full, op, this->elements(this->x, 2));
    for (size_t i = 0; i < to.size(); ++i) to[i] = wide(this->alpha) * product[i] + wide(this->beta) * to[i];
    const OnDevice<T> da(this->a), dx(this->x), dy(this->y);
    ASSERT_BLAS(MUBLAS_STATUS_SUCCESS,
                MUBLAS_CALL(T, gbmv)(this->handle_, op, n, n, kl, ku, api(&this->alpha), da.api(), lda,
                                     dx.api(), 2, api(&this->beta), dy.api(), 1));
    expectNear(dy.fetch(), this->with(this->y, 1, to), 100, "gbmv");
  }
}

TYPED_TEST(Level2, SymmetricAndHermitian) {
  using T = TypeParam;
  const int n = this->n, k = this->k, lda = this->lda;
  const OnDevice<T> da(this->a), dx(this->x);
  const auto* alpha = api(&this->alpha);
  const auto* beta = api(&this->beta);
  for (const mublasFillMode_t fillMode : kFills) {
    for (const auto& [incx, incy] : kIncrements) {
      const auto full = [&](size_t row, size_t column) { return wide(this->a[column * lda + row]); };
      const auto pack = [&](int row, int column) { return wide(this->a[packed(n, fillMode, row, column)]); };
      const auto band = [&](int row, int column) {
        return std::abs(row - column) > k ? Wide(0) : wide(this->a[banded(k, lda, fillMode, row, column)]);
      };
      const auto expectProduct = [&](const Full& matrix, auto call, const char* what) {
        auto to = this->elements(this->y, incy);
        const auto product = this->times(matrix, MUBLAS_OP_N, this->elements(this->x, incx));
        for (size_t i = 0; i < to.size(); ++i)
          to[i] = wide(this->alpha) * product[i] + wide(this->beta) * to[i];
        const OnDevice<T> dy(this->y);
        ASSERT_BLAS(MUBLAS_STATUS_SUCCESS, call(dy.api()));
        expectNear(dy.fetch(), this->with(this->y, incy, to), 100, what);
      };
      const int x = incx, y = incy;
      expectProduct(
          fill(n, fillMode, Kind::kSymmetric, false, full),
          [&, x, y](auto* dy) {
            return MUBLAS_CALL(T, symv)(this->handle_, fillMode, n, alpha, da.api(), lda, dx.api(), x, beta,
                                        dy, y);
          },
          "symv");
      if constexpr (kIsComplex<T>) {
        constexpr bool kSingle = std::is_same_v<T, ComplexFloat>;
        expectProduct(
            fill(n, fillMode, Kind::kHermitian, false, full),
            [&, x, y](auto* dy) {
              if constexpr (kSingle)
                return mublasChemv(this->handle_, fillMode, n, alpha, da.api(), lda, dx.api(), x, beta, dy,
                                   y);
              else
                return mublasZhemv(this->handle_, fillMode, n, alpha, da.api(), lda, dx.api(), x, beta, dy,
                                   y);
            },
            "hemv");
        expectProduct(
            fill(n, fillMode, Kind::kHermitian, false, band),
            [&, x, y](auto* dy) {
              if constexpr (kSingle)
                return mublasChbmv(this->handle_, fillMode, n, k, alpha, da.api(), lda, dx.api(), x, beta, dy,
                                   y);
              else
                return mublasZhbmv(this->handle_, fillMode, n, k, alpha, da.api(), lda, dx.api(), x, beta, dy,
                                   y);
            },
            "hbmv");
        expectProduct(
            fill(n, fillMode, Kind::kHermitian, false, pack),
            [&, x, y](auto* dy) {
              if constexpr (kSingle)
                return mublasChpmv(this->handle_, fillMode, n, alpha, da.api(), dx.api(), x, beta, dy, y);
              else
                return mublasZhpmv(this->handle_, fillMode, n, alpha, da.api(), dx.api(), x, beta, dy, y);
            },
            "hpmv");
      } else {
        constexpr bool kSingle = std::is_same_v<T, float>;
        expectProduct(
            fill(n, fillMode, Kind::kSymmetric, false, band),
            [&, x, y](auto* dy) {
              if constexpr (kSingle)
                return mublasSsbmv(this->handle_, fillMode, n, k, alpha, da.api(), lda, dx.api(), x, beta, dy,
                                   y);
              else
                return mublasDsbmv(this->handle_, fillMode, n, k, alpha, da.api(), lda, dx.api(), x, beta, dy,
                                   y);
            },
            "sbmv");
        expectProduct(
            fill(n, fillMode, Kind::kSymmetric, false, pack),
            [&, x, y](auto* dy) {
              if constexpr (kSingle)
                return mublasSspmv(this->handle_, fillMode, n, alpha, da.api(), dx.api(), x, beta, dy, y);
              else
                return mublasDspmv(this->handle_, fillMode, n, alpha, da.api(), dx.api(), x, beta, dy, y);
            },
            "spmv");
      }
    }
  }
}

TYPED_TEST(Level2, TriangularProductsAndSolutions) {
  using T = TypeParam;
  const int n = this->n, k = this->k, lda = this->lda;
  // Far from singular: all that is stored on a diagonal is large, everything else small.
  std::vector<T> a = this->a;
  for (T& value : a) value *= T(0.05f);
  for (const mublasFillMode_t uplo : kFills) {
    std::vector<T> dense = a, pack = a, band = a;
    for (int i = 0; i < n; ++i) {
      dense[static_cast<size_t>(i * lda + i)] += T(2);
      pack[packed(n, uplo, i, i)] += T(2);
      band[banded(k, lda, uplo, i, i)] += T(2);
    }
    const OnDevice<T> dDense(dense), dPack(pack), dBand(band);
    for (const mublasOperation_t op : kOps) {
      for (const mublasDiagType_t diag : kDiags) {
        for (const int incx : {1, 2, -3}) {
          const auto expectBoth = [&](const Full& matrix, auto multiply, auto solve, const char* what) {
            const auto before = this->elements(this->x, incx);
            const OnDevice<T> x(this->x);
            ASSERT_BLAS(MUBLAS_STATUS_SUCCESS, multiply(x.api()));
            expectNear(x.fetch(), this->with(this->x, incx, this->times(matrix, op, before)), 60, what);
            ASSERT_BLAS(MUBLAS_STATUS_SUCCESS, solve(x.api()));
            expectNear(x.fetch(), this->with(this->x, incx, before), 60, what);
          };
          const bool unit = diag == MUBLAS_DIAG_UNIT;
          const auto h = this->handle_;
          expectBoth(
              fill(n, uplo, Kind::kTriangular, unit,
                   [&](int row, int column) { return wide(dense[static_cast<size_t>(column * lda + row)]); }),
              [&](auto* x) { return MUBLAS_CALL(T, trmv)(h, uplo, op, diag, n, dDense.api(), lda, x, incx); },
              [&](auto* x) { return MUBLAS_CALL(T, trsv)(h, uplo, op, diag, n, dDense.api(), lda, x, incx); },
              "trmv, trsv");
          expectBoth(
              fill(n, uplo, Kind::kTriangular, unit,
                   [&](int row, int column) { return wide(pack[packed(n, uplo, row, column)]); }),
              [&](auto* x) { return MUBLAS_CALL(T, tpmv)(h, uplo, op, diag, n, dPack.api(), x, incx); },
              [&](auto* x) { return MUBLAS_CALL(T, tpsv)(h, uplo, op, diag, n, dPack.api(), x, incx); },
              "tpmv, tpsv");
          expectBoth(
              fill(n, uplo, Kind::kTriangular, unit,
                   [&](int row, int column) {
                     return std::abs(row - column) > k ? Wide(0)
                                                       : wide(band[banded(k, lda, uplo, row, column)]);
                   }),
              [&](auto* x) {
                return MUBLAS_CALL(T, tbmv)(h, uplo, op, diag, n, k, dBand.api(), lda, x, incx);
              },
              [&](auto* x) {
                return MUBLAS_CALL(T, tbsv)(h, uplo, op, diag, n, k, dBand.api(), lda, x, incx);
              },
              "tbmv, tbsv");
        }
      }
    }
  }
}

TYPED_TEST(Level2, Updates) {
  using T = TypeParam;
  const int n = this->n, lda = this->lda;
  for (const auto& [incx, incy] : kIncrements) {
    const auto x = this->elements(this->x, incx), y = this->elements(this->y, incy);
    const OnDevice<T> dx(this->x), dy(this->y);
    const Wide alpha = wide(this->alpha);
    const auto expected = [&](mublasFillMode_t uplo, auto change) {
      std::vector<Wide> all;
      for (const T& value : this->a) all.push_back(wide(value));
      for (int column = 0; column < n; ++column)
        for (int row = 0; row < n; ++row)
          if (uplo == MUBLAS_FILL_MODE_FULL ||
              (uplo == MUBLAS_FILL_MODE_LOWER ? row >= column : row <= column))
            all[static_cast<size_t>(column * lda + row)] +=
                change(static_cast<size_t>(row), static_cast<size_t>(column));
      return all;
    };
    {
      const OnDevice<T> a(this->a);
      if constexpr (std::is_same_v<T, float>)
        ASSERT_BLAS(MUBLAS_STATUS_SUCCESS, mublasSger(this->handle_, n, n, &this->alpha, dx.get(), incx,
                                                      dy.get(), incy, a.get(), lda));
      if constexpr (std::is_same_v<T, double>)
        ASSERT_BLAS(MUBLAS_STATUS_SUCCESS, mublasDger(this->handle_, n, n, &this->alpha, dx.get(), incx,
                                                      dy.get(), incy, a.get(), lda));
      if constexpr (std::is_same_v<T, ComplexFloat>)
        ASSERT_BLAS(MUBLAS_STATUS_SUCCESS, mublasCgerc(this->handle_, n, n, api(&this->alpha), dx.api(), incx,
                                                       dy.api(), incy, a.api(), lda));
      if constexpr (std::is_same_v<T, ComplexDouble>)
        ASSERT_BLAS(MUBLAS_STATUS_SUCCESS, mublasZgerc(this->handle_, n, n, api(&this->alpha), dx.api(), incx,
                                                       dy.api(), incy, a.api(), lda));
      expectNear(a.fetch(),
                 expected(MUBLAS_FILL_MODE_FULL,
                          [&](size_t row, size_t column) { return alpha * x[row] * std::conj(y[column]); }),
                 10, "ger");
    }
    for (const mublasFillMode_t uplo : kFills) {
      const OnDevice<T> one(this->a), two(this->a);
      ASSERT_BLAS(MUBLAS_STATUS_SUCCESS, MUBLAS_CALL(T, syr)(this->handle_, uplo, n, api(&this->alpha),
                                                             dx.api(), incx, one.api(), lda));
      expectNear(one.fetch(),
                 expected(uplo, [&](size_t row, size_t column) { return alpha * x[row] * x[column]; }), 10,
                 "syr");
      ASSERT_BLAS(MUBLAS_STATUS_SUCCESS,
                  MUBLAS_CALL(T, syr2)(this->handle_, uplo, n, api(&this->alpha), dx.api(), incx, dy.api(),
                                       incy, two.api(), lda));
      expectNear(
          two.fetch(),
          expected(uplo, [&](size_t row,
                             size_t column) { return alpha * (x[row] * y[column] + y[row] * x[column]); }),
          10, "syr2");
    }
  }
}

TEST_F(MublasTest, HermitianUpdates) {
  const int n = 9;
  const auto a = randomNumbers<ComplexDouble>(n * n, 1), x = randomNumbers<ComplexDouble>(n, 2),
             y = randomNumbers<ComplexDouble>(n, 3);
  const OnDevice<ComplexDouble> dx(x), dy(y);
  const double real = 0.7;
  const ComplexDouble alpha(0.3, -0.4);
  for (const mublasFillMode_t uplo : kFills) {
    const OnDevice<ComplexDouble> one(a), two(a), packedOne(a), packedTwo(a);
    ASSERT_BLAS(MUBLAS_STATUS_SUCCESS, mublasZher(handle_, uplo, n, &real, dx.api(), 1, one.api(), n));
    ASSERT_BLAS(MUBLAS_STATUS_SUCCESS,
                mublasZher2(handle_, uplo, n, api(&alpha), dx.api(), 1, dy.api(), 1, two.api(), n));
    ASSERT_BLAS(MUBLAS_STATUS_SUCCESS, mublasZhpr(handle_, uplo, n, &real, dx.api(), 1, packedOne.api()));
    ASSERT_BLAS(MUBLAS_STATUS_SUCCESS,
                mublasZhpr2(handle_, uplo, n, api(&alpha), dx.api(), 1, dy.api(), 1, packedTwo.api()));
    const auto gotOne = one.fetch(), gotTwo = two.fetch(), gotPackedOne = packedOne.fetch(),
               gotPackedTwo = packedTwo.fetch();
    for (int column = 0; column < n; ++column) {
      for (int row = 0; row < n; ++row) {
        if (uplo == MUBLAS_FILL_MODE_LOWER ? row < column : row > column) continue;
        const size_t place = static_cast<size_t>(column * n + row), inPack = packed(n, uplo, row, column);
        const auto xr = x[static_cast<size_t>(row)], xc = x[static_cast<size_t>(column)],
                   yr = y[static_cast<size_t>(row)], yc = y[static_cast<size_t>(column)];
        const auto change1 = real * xr * std::conj(xc),
                   change2 = alpha * xr * std::conj(yc) + std::conj(alpha) * yr * std::conj(xc);
        const auto onDiagonal = [&](ComplexDouble value) {
          return row == column ? ComplexDouble(value.real()) : value;
        };
        EXPECT_LT(std::abs(gotOne[place] - onDiagonal(a[place] + change1)), 1e-14);
        EXPECT_LT(std::abs(gotTwo[place] - onDiagonal(a[place] + change2)), 1e-14);
        EXPECT_LT(std::abs(gotPackedOne[inPack] - onDiagonal(a[inPack] + change1)), 1e-14);
        EXPECT_LT(std::abs(gotPackedTwo[inPack] - onDiagonal(a[inPack] + change2)), 1e-14);
      }
    }
  }
}

}  // namespace
}  // namespace musashim::test
