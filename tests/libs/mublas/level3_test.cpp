#include "mublas/structured.h"

namespace musashim::test {
namespace {

template <class T>
class Level3 : public MublasTest {
 protected:
  static constexpr int m = 19, n = 13, k = 7, ld = 24;
  static Wide at(const std::vector<T>& x, int row, int column) {
    return wide(x[static_cast<size_t>(column * ld + row)]);
  }

  std::vector<T> a = randomNumbers<T>(ld * ld, 1), b = randomNumbers<T>(ld * ld, 2),
                 c = randomNumbers<T>(ld * ld, 3);
  T alpha = randomNumbers<T>(1, 4)[0], beta = randomNumbers<T>(1, 5)[0];
};
using Types = ::testing::Types<float, double, ComplexFloat, ComplexDouble>;
TYPED_TEST_SUITE(Level3, Types);

constexpr mublasSideMode_t kSides[] = {MUBLAS_SIDE_LEFT, MUBLAS_SIDE_RIGHT};

// All elements of c, those of its first rows and columns by element(row, column, old).
template <class T, class Element>
std::vector<Wide> changed(const std::vector<T>& c, int rows, int columns, int ld, Element element) {
  std::vector<Wide> all;
  for (const T& value : c) all.push_back(wide(value));
  for (int column = 0; column < columns; ++column)
    for (int row = 0; row < rows; ++row) {
      Wide& value = all[static_cast<size_t>(column * ld + row)];
      value = element(row, column, value);
    }
  return all;
}

TYPED_TEST(Level3, SymmetricProducts) {
  using T = TypeParam;
  const int m = this->m, n = this->n, ld = this->ld;
  const OnDevice<T> da(this->a), db(this->b);
  for (const mublasSideMode_t side : kSides) {
    for (const mublasFillMode_t uplo : kFills) {
      const int size = side == MUBLAS_SIDE_LEFT ? m : n;
      const auto expected = [&](Kind kind) {
        const Full full = fill(size, uplo, kind, false,
                               [&](int row, int column) { return this->at(this->a, row, column); });
        return changed(this->c, m, n, ld, [&](int row, int column, Wide old) {
          Wide sum = 0;
          for (int i = 0; i < size; ++i)
            sum += side == MUBLAS_SIDE_LEFT ? full.at(row, i) * this->at(this->b, i, column)
                                            : this->at(this->b, row, i) * full.at(i, column);
          return wide(this->alpha) * sum + wide(this->beta) * old;
        });
      };
      const OnDevice<T> dc(this->c);
      ASSERT_BLAS(MUBLAS_STATUS_SUCCESS,
                  MUBLAS_CALL(T, symm)(this->handle_, side, uplo, m, n, api(&this->alpha), da.api(), ld,
                                       db.api(), ld, api(&this->beta), dc.api(), ld));
      expectNear(dc.fetch(), expected(Kind::kSymmetric), 100, "symm");
      if constexpr (std::is_same_v<T, ComplexFloat>) {
        const OnDevice<T> h(this->c);
        ASSERT_BLAS(MUBLAS_STATUS_SUCCESS,
                    mublasChemm(this->handle_, side, uplo, m, n, api(&this->alpha), da.api(), ld, db.api(),
                                ld, api(&this->beta), h.api(), ld));
        expectNear(h.fetch(), expected(Kind::kHermitian), 100, "hemm");
      }
    }
  }
}

TYPED_TEST(Level3, RankUpdates) {
  using T = TypeParam;
  const int n = this->n, k = this->k, ld = this->ld;
  const OnDevice<T> da(this->a), db(this->b);
  for (const mublasFillMode_t uplo : kFills) {
    for (const mublasOperation_t op : {MUBLAS_OP_N, MUBLAS_OP_T}) {
      const auto product = [&](const std::vector<T>& left, const std::vector<T>& right, int row, int column) {
        Wide sum = 0;
        for (int i = 0; i < k; ++i)
          sum += opElement(left, ld, op, row, i) * opElement(right, ld, op, column, i);
        return sum;
      };
      const auto expected = [&](auto sumOf) {
        return changed(this->c, n, n, ld, [&](int row, int column, Wide old) {
          const bool inside = uplo == MUBLAS_FILL_MODE_LOWER ? row >= column : row <= column;
          return inside ? wide(this->alpha) * sumOf(row, column) + wide(this->beta) * old : old;
        });
      };
      const OnDevice<T> rk(this->c), r2k(this->c), rkx(this->c);
      const auto *alpha = api(&this->alpha), *beta = api(&this->beta);
      ASSERT_BLAS(MUBLAS_STATUS_SUCCESS, MUBLAS_CALL(T, syrk)(this->handle_, uplo, op, n, k, alpha, da.api(),
                                                              ld, beta, rk.api(), ld));
      expectNear(rk.fetch(),
                 expected([&](int row, int column) { return product(this->a, this->a, row, column); }), 60,
                 "syrk");
      ASSERT_BLAS(MUBLAS_STATUS_SUCCESS, MUBLAS_CALL(T, syr2k)(this->handle_, uplo, op, n, k, alpha, da.api(),
                                                               ld, db.api(), ld, beta, r2k.api(), ld));
      expectNear(r2k.fetch(), expected([&](int row, int column) {
                   return product(this->a, this->b, row, column) + product(this->b, this->a, row, column);
                 }),
                 60, "syr2k");
      ASSERT_BLAS(MUBLAS_STATUS_SUCCESS, MUBLAS_CALL(T, syrkx)(this->handle_, uplo, op, n, k, alpha, da.api(),
                                                               ld, db.api(), ld, beta, rkx.api(), ld));
      expectNear(rkx.fetch(),
                 expected([&](int row, int column) { return product(this->a, this->b, row, column); }), 60,
                 "syrkx");
    }
  }
}

TYPED_TEST(Level3, TriangularProductsAndSolutions) {
  using T = TypeParam;
  const int m = this->m, n = this->n, ld = this->ld;
  std::vector<T> a = this->a;
  for (T& value : a) value *= T(0.05f);
  for (int i = 0; i < ld; ++i) a[static_cast<size_t>(i * ld + i)] += T(2);
  const OnDevice<T> da(a), db(this->b);
  const T one(1);
  for (const mublasSideMode_t side : kSides) {
    for (const mublasFillMode_t uplo : kFills) {
      for (const mublasOperation_t op : kOps) {
        for (const mublasDiagType_t diag : kDiags) {
          const int size = side == MUBLAS_SIDE_LEFT ? m : n;
          const Full full = fill(size, uplo, Kind::kTriangular, diag == MUBLAS_DIAG_UNIT,
                                 [&](int row, int column) { return this->at(a, row, column); });
          const OnDevice<T> dc(this->c);
          ASSERT_BLAS(MUBLAS_STATUS_SUCCESS,
                      MUBLAS_CALL(T, trmm)(this->handle_, side, uplo, op, diag, m, n, api(&this->alpha),
                                           da.api(), ld, db.api(), ld, dc.api(), ld));
          expectNear(dc.fetch(),
                     changed(this->c, m, n, ld,
                             [&](int row, int column, Wide) {
                               Wide sum = 0;
                               for (int i = 0; i < size; ++i)
                                 sum += side == MUBLAS_SIDE_LEFT
                                            ? opAt(full, op, row, i) * this->at(this->b, i, column)
                                            : this->at(this->b, row, i) * opAt(full, op, i, column);
                               return wide(this->alpha) * sum;
                             }),
                     60, "trmm");
          ASSERT_BLAS(MUBLAS_STATUS_SUCCESS, MUBLAS_CALL(T, trsm)(this->handle_, side, uplo, op, diag, m, n,
                                                                  api(&one), da.api(), ld, dc.api(), ld));
          expectNear(dc.fetch(),
                     changed(this->c, m, n, ld,
                             [&](int row, int column, Wide) {
                               return wide(this->alpha) * this->at(this->b, row, column);
                             }),
                     60, "trsm");
        }
      }
    }
  }
}

TEST_F(MublasTest, HermitianRankUpdates) {
  const int n = 6, k = 4;
  const auto a = randomNumbers<ComplexFloat>(n * k, 1), b = randomNumbers<ComplexFloat>(n * k, 2),
             c = randomNumbers<ComplexFloat>(n * n, 3);
  const OnDevice<ComplexFloat> da(a), db(b), one(c), two(c);
  const float real = 0.5f, beta = 2;
  const ComplexFloat alpha(0.3f, 0.4f);
  ASSERT_BLAS(MUBLAS_STATUS_SUCCESS, mublasCherk(handle_, MUBLAS_FILL_MODE_LOWER, MUBLAS_OP_N, n, k, &real,
                                                 da.api(), n, &beta, one.api(), n));
  ASSERT_BLAS(MUBLAS_STATUS_SUCCESS,
              mublasCher2k(handle_, MUBLAS_FILL_MODE_LOWER, MUBLAS_OP_N, n, k, api(&alpha), da.api(), n,
                           db.api(), n, &beta, two.api(), n));
  // As with cuBLAS, a transpose is the one that there is.
  const OnDevice<ComplexFloat> turned(c), conjugated(c);
  EXPECT_BLAS(MUBLAS_STATUS_SUCCESS, mublasCherk(handle_, MUBLAS_FILL_MODE_LOWER, MUBLAS_OP_T, n, k, &real,
                                                 da.api(), k, &beta, turned.api(), n));
  EXPECT_BLAS(MUBLAS_STATUS_SUCCESS, mublasCherk(handle_, MUBLAS_FILL_MODE_LOWER, MUBLAS_OP_C, n, k, &real,
                                                 da.api(), k, &beta, conjugated.api(), n));
  EXPECT_EQ(turned.fetch(), conjugated.fetch());
  const auto gotOne = one.fetch(), gotTwo = two.fetch();
  for (int column = 0; column < n; ++column) {
    for (int row = column; row < n; ++row) {
      ComplexFloat sum = 0, both = 0;
      for (int i = 0; i < k; ++i) {
        const auto place = [&](int of) { return static_cast<size_t>(i * n + of); };
        sum += a[place(row)] * std::conj(a[place(column)]);
        both += alpha * a[place(row)] * std::conj(b[place(column)]) +
                std::conj(alpha) * b[place(row)] * std::conj(a[place(column)]);
      }
      const size_t place = static_cast<size_t>(column * n + row);
      const ComplexFloat old = row == column ? ComplexFloat(c[place].real()) : c[place];
      EXPECT_LT(std::abs(gotOne[place] - (real * sum + beta * old)), 1e-5f);
      EXPECT_LT(std::abs(gotTwo[place] - (both + beta * old)), 1e-5f);
    }
  }
}

}  // namespace
}  // namespace musashim::test
