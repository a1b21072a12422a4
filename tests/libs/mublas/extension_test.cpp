#include <cmath>

#include "mublas/structured.h"

namespace musashim::test {
namespace {

template <class T>
class Extension : public MublasTest {};
using Types = ::testing::Types<float, double, ComplexFloat, ComplexDouble>;
TYPED_TEST_SUITE(Extension, Types);

TYPED_TEST(Extension, GeamAndDgmm) {
  using T = TypeParam;
  const int m = 7, n = 5, ld = 9;
  const auto a = randomNumbers<T>(ld * ld, 1), b = randomNumbers<T>(ld * ld, 2),
             c = randomNumbers<T>(ld * n, 3);
  const T alpha(2), beta(3), zero(0);
  const OnDevice<T> da(a), db(b);
  const auto place = [&](int row, int column) { return static_cast<size_t>(column * ld + row); };
  for (const mublasOperation_t ta : kOps) {
    for (const mublasOperation_t tb : kOps) {
      const OnDevice<T> dc(c);
      ASSERT_BLAS(MUBLAS_STATUS_SUCCESS,
                  MUBLAS_CALL(T, geam)(this->handle_, ta, tb, m, n, api(&alpha), da.api(), ld, api(&beta),
                                       db.api(), ld, dc.api(), ld));
      std::vector<Wide> expected;
      for (const T& value : c) expected.push_back(wide(value));
      for (int column = 0; column < n; ++column)
        for (int row = 0; row < m; ++row)
          expected[place(row, column)] = wide(alpha) * opElement(a, ld, ta, row, column) +
                                         wide(beta) * opElement(b, ld, tb, row, column);
      expectNear(dc.fetch(), expected, 8, "geam");
    }
  }
  // A matrix with the factor 0 is not read; in place only without a transpose.
  const OnDevice<T> nans(std::vector<T>(ld * ld, T(NAN))), dc(c);
  ASSERT_BLAS(MUBLAS_STATUS_SUCCESS,
              MUBLAS_CALL(T, geam)(this->handle_, MUBLAS_OP_N, MUBLAS_OP_N, m, n, api(&alpha), da.api(), ld,
                                   api(&zero), nans.api(), ld, dc.api(), ld));
  EXPECT_EQ(dc.fetch()[0], alpha * a[0]);
  EXPECT_BLAS(MUBLAS_STATUS_INVALID_VALUE,
              MUBLAS_CALL(T, geam)(this->handle_, MUBLAS_OP_T, MUBLAS_OP_N, n, n, api(&alpha), dc.api(), ld,
                                   api(&zero), db.api(), ld, dc.api(), ld));
  for (const auto side : {MUBLAS_SIDE_LEFT, MUBLAS_SIDE_RIGHT}) {
    ASSERT_BLAS(MUBLAS_STATUS_SUCCESS,
                MUBLAS_CALL(T, dgmm)(this->handle_, side, m, n, da.api(), ld, db.api(), -1, dc.api(), ld));
    const int last = (side == MUBLAS_SIDE_LEFT ? m : n) - 1;
    const auto got = dc.fetch();
    for (int column = 0; column < n; ++column)
      for (int row = 0; row < m; ++row) {
        const auto expected = wide(a[place(row, column)]) *
                              wide(b[static_cast<size_t>(last - (side == MUBLAS_SIDE_LEFT ? row : column))]);
        EXPECT_LT(std::abs(wide(got[place(row, column)]) - expected), 4 * kUlp<T>);
      }
  }
}

TYPED_TEST(Extension, BatchedFactorizations) {
  using T = TypeParam;
  using Element = typename Api<T>::Type;
  const int n = 12, count = 3;
  const size_t size = n * n;
  auto a = randomNumbers<T>(size * count, 1);
  const auto b = randomNumbers<T>(static_cast<size_t>(n * count), 2);
  std::fill(a.begin() + static_cast<ptrdiff_t>(2 * size), a.end(), T(0));  // the last one is singular
  for (const bool pivots : {true, false}) {
    auto original = a;
    for (size_t i = 0; !pivots && i < 2; ++i)
      for (int d = 0; d < n; ++d) original[i * size + static_cast<size_t>(d * n + d)] += T(10);
    const OnDevice<T> factors(original), inverses(std::vector<T>(size * count)), right(b), again(original),
        direct(std::vector<T>(size * count));
    const OnDevice<int> order(std::vector<int>(static_cast<size_t>(n * count))),
        info(std::vector<int>(count, -7));
    const auto list = [&](const OnDevice<T>& memory, size_t stride) {
      std::vector<Element*> pointers;
      for (size_t i = 0; i < count; ++i) pointers.push_back(memory.api() + i * stride);
      return pointers;
    };
    const OnDevice<Element*> as(list(factors, size)), cs(list(inverses, size)), bs(list(right, n)),
        originals(list(again, size)), directs(list(direct, size));
    int* const pivot = pivots ? order.get() : nullptr;
    ASSERT_BLAS(MUBLAS_STATUS_SUCCESS,
                MUBLAS_CALL(T, getrfBatched)(this->handle_, n, as.get(), n, pivot, info.get(), count));
    EXPECT_EQ(info.fetch(), (std::vector<int>{0, 0, 1}));
    int argument = -7;
    ASSERT_BLAS(MUBLAS_STATUS_SUCCESS,
                MUBLAS_CALL(T, getrsBatched)(this->handle_, MUBLAS_OP_N, n, 1, as.get(), n, pivot, bs.get(),
                                             n, &argument, 2));
    EXPECT_EQ(argument, 0);
    ASSERT_BLAS(MUBLAS_STATUS_SUCCESS, MUBLAS_CALL(T, getriBatched)(this->handle_, n, as.get(), n, pivot,
                                                                    cs.get(), n, info.get(), count));
    EXPECT_EQ(info.fetch(), (std::vector<int>{0, 0, 1}));
    ASSERT_BLAS(MUBLAS_STATUS_SUCCESS, MUBLAS_CALL(T, matinvBatched)(this->handle_, n, originals.get(), n,
                                                                     directs.get(), n, info.get(), count));
    EXPECT_EQ(info.fetch(), (std::vector<int>{0, 0, 1}));
    const auto x = right.fetch(), inverse = inverses.fetch(), inverted = direct.fetch();
    for (size_t i = 0; i < 2; ++i) {
      for (size_t row = 0; row < n; ++row) {
        Wide sum = 0;
        for (size_t j = 0; j < n; ++j) sum += wide(original[i * size + j * n + row]) * wide(x[i * n + j]);
        EXPECT_LT(std::abs(sum - wide(b[i * n + row])), 1e4 * kUlp<T>);
        for (size_t column = 0; column < n; ++column) {
          Wide product = 0, other = 0;
          for (size_t j = 0; j < n; ++j) {
            product += wide(original[i * size + j * n + row]) * wide(inverse[i * size + column * n + j]);
            other += wide(original[i * size + j * n + row]) * wide(inverted[i * size + column * n + j]);
          }
          EXPECT_LT(std::abs(product - Wide(row == column)), 1e4 * kUlp<T>);
          EXPECT_LT(std::abs(other - Wide(row == column)), 1e4 * kUlp<T>);
        }
      }
    }
  }
  int argument = 0;
  EXPECT_BLAS(MUBLAS_STATUS_INVALID_VALUE,
              MUBLAS_CALL(T, getrsBatched)(
                  this->handle_, MUBLAS_OP_N, -1, 1, static_cast<const Element* const*>(nullptr), n,
                  static_cast<const int*>(nullptr), static_cast<Element* const*>(nullptr), n, &argument, 2));
  EXPECT_EQ(argument, -2);
}

TYPED_TEST(Extension, LeastSquares) {
  using T = TypeParam;
  using Element = typename Api<T>::Type;
  // A line through exact points.
  const std::vector<T> a = {T(1), T(1), T(1), T(1), T(0), T(1), T(2), T(3)}, b = {T(1), T(3), T(5), T(7)};
  const OnDevice<T> da(a), db(b), qr(a), tau(std::vector<T>(2));
  const OnDevice<Element*> as({da.api()}), bs({db.api()}), qrs({qr.api()}), taus({tau.api()});
  const OnDevice<int> infos(std::vector<int>(1, -7));
  int info = -7;
  ASSERT_BLAS(MUBLAS_STATUS_SUCCESS,
              MUBLAS_CALL(T, gelsBatched)(this->handle_, MUBLAS_OP_N, 4, 2, 1, as.get(), 4, bs.get(), 4,
                                          &info, infos.get(), 1));
  EXPECT_EQ(info, 0);
  EXPECT_EQ(infos.fetch()[0], 0);
  EXPECT_LT(std::abs(db.fetch()[0] - T(1)), 1e-5);
  EXPECT_LT(std::abs(db.fetch()[1] - T(2)), 1e-5);
  ASSERT_BLAS(MUBLAS_STATUS_SUCCESS,
              MUBLAS_CALL(T, geqrfBatched)(this->handle_, 4, 2, qrs.get(), 4, taus.get(), &info, 1));
  EXPECT_LT(std::abs(std::abs(qr.fetch()[0]) - 2), 1e-5);
}

TYPED_TEST(Extension, PackedTriangles) {
  using T = TypeParam;
  const int n = 5;
  const auto a = randomNumbers<T>(n * n, 1);
  for (const mublasFillMode_t uplo : kFills) {
    const OnDevice<T> da(a), pack(std::vector<T>(15)), back(std::vector<T>(n * n));
    ASSERT_BLAS(MUBLAS_STATUS_SUCCESS,
                MUBLAS_CALL(T, trttp)(this->handle_, uplo, n, da.api(), n, pack.api()));
    ASSERT_BLAS(MUBLAS_STATUS_SUCCESS,
                MUBLAS_CALL(T, tpttr)(this->handle_, uplo, n, pack.api(), back.api(), n));
    const auto packedValues = pack.fetch(), full = back.fetch();
    for (int column = 0; column < n; ++column)
      for (int row = 0; row < n; ++row) {
        const bool inside = uplo == MUBLAS_FILL_MODE_LOWER ? row >= column : row <= column;
        const size_t place = static_cast<size_t>(column * n + row);
        EXPECT_EQ(full[place], inside ? a[place] : T(0));
        if (inside) EXPECT_EQ(packedValues[packed(n, uplo, row, column)], a[place]);
      }
  }
}

TYPED_TEST(Extension, BatchesOfVectorProductsAndSolutions) {
  using T = TypeParam;
  using Element = typename Api<T>::Type;
  const int n = 6, count = 4;
  const size_t size = n * n;
  auto a = randomNumbers<T>(size * count, 1);
  const auto x = randomNumbers<T>(n * count, 2);
  for (size_t i = 0; i < count; ++i)
    for (size_t d = 0; d < n; ++d) a[i * size + d * n + d] = T(4);
  const OnDevice<T> da(a), dx(x), strided(x), listed(x), solved(x);
  const T one(1), zero(0);
  std::vector<Element*> as, xs, ys, ss;
  for (size_t i = 0; i < count; ++i) {
    as.push_back(da.api() + i * size);
    xs.push_back(dx.api() + i * n);
    ys.push_back(listed.api() + i * n);
    ss.push_back(solved.api() + i * n);
  }
  const OnDevice<Element*> dAs(as), dXs(xs), dYs(ys), dSs(ss);
  ASSERT_BLAS(MUBLAS_STATUS_SUCCESS, MUBLAS_CALL(T, gemvStridedBatched)(
                                         this->handle_, MUBLAS_OP_T, n, n, api(&one), da.api(), n, size,
                                         dx.api(), 1, n, api(&zero), strided.api(), 1, n, count));
  ASSERT_BLAS(MUBLAS_STATUS_SUCCESS,
              MUBLAS_CALL(T, gemvBatched)(this->handle_, MUBLAS_OP_T, n, n, api(&one), dAs.get(), n,
                                          dXs.get(), 1, api(&zero), dYs.get(), 1, count));
  EXPECT_EQ(strided.fetch(), listed.fetch());
  std::vector<Wide> expected;
  for (size_t i = 0; i < count; ++i)
    for (size_t row = 0; row < n; ++row) {
      Wide sum = 0;
      for (size_t j = 0; j < n; ++j) sum += wide(a[i * size + row * n + j]) * wide(x[i * n + j]);
      expected.push_back(sum);
    }
  expectNear(listed.fetch(), expected, 30, "gemvBatched");
  ASSERT_BLAS(
      MUBLAS_STATUS_SUCCESS,
      MUBLAS_CALL(T, trsmBatched)(this->handle_, MUBLAS_SIDE_LEFT, MUBLAS_FILL_MODE_LOWER, MUBLAS_OP_N,
                                  MUBLAS_DIAG_NON_UNIT, n, 1, api(&one), dAs.get(), n, dSs.get(), n, count));
  EXPECT_LT(std::abs(solved.fetch()[0] * T(4) - x[0]), 1e-5);
}

}  // namespace
}  // namespace musashim::test
