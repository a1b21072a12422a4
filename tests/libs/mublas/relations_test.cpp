// Functions against others that are tested by themselves, or by hand.
#include <cmath>

#include "mublas/structured.h"

namespace musashim::test {
namespace {

TEST_F(MublasTest, ComplexVectorsWithRealFactorsAndRotations) {
  const std::vector<ComplexFloat> x = {{1, 2}, {3, 4}}, y = {{5, 6}, {7, 8}};
  const OnDevice<ComplexFloat> scaled(x), dx(x), dy(y);
  const float two = 2, c = 0.5f;
  const ComplexFloat s(0, 1);
  ASSERT_BLAS(MUBLAS_STATUS_SUCCESS, mublasCsscal(handle_, 2, &two, scaled.api(), 1));
  EXPECT_EQ(scaled.fetch(), (std::vector<ComplexFloat>{{2, 4}, {6, 8}}));
  ASSERT_BLAS(MUBLAS_STATUS_SUCCESS, mublasCrot(handle_, 2, dx.api(), 1, dy.api(), 1, &c, api(&s)));
  for (size_t i = 0; i < 2; ++i) {
    EXPECT_LT(std::abs(dx.fetch()[i] - (c * x[i] + s * y[i])), 1e-5f);
    EXPECT_LT(std::abs(dy.fetch()[i] - (c * y[i] - std::conj(s) * x[i])), 1e-5f);
  }
}

TEST_F(MublasTest, OuterProductWithoutConjugates) {
  const std::vector<ComplexDouble> x = {{1, 2}, {3, 4}}, y = {{5, 6}, {7, 8}};
  const OnDevice<ComplexDouble> dx(x), dy(y), a(std::vector<ComplexDouble>(4));
  const ComplexDouble one(1);
  ASSERT_BLAS(MUBLAS_STATUS_SUCCESS,
              mublasZgeru(handle_, 2, 2, api(&one), dx.api(), 1, dy.api(), 1, a.api(), 2));
  const auto got = a.fetch();
  for (size_t i = 0; i < 4; ++i) EXPECT_LT(std::abs(got[i] - x[i % 2] * y[i / 2]), 1e-12);
}

TEST_F(MublasTest, PackedUpdatesAreThoseOfFullMatrices) {
  const int n = 11;
  const auto a = randomNumbers<double>(n * n, 1), x = randomNumbers<double>(n, 2),
             y = randomNumbers<double>(n, 3);
  const OnDevice<double> dx(x), dy(y);
  const double alpha = 0.7;
  for (const mublasFillMode_t uplo : kFills) {
    const OnDevice<double> full(a), pack(std::vector<double>(66)), expected(std::vector<double>(66));
    ASSERT_BLAS(MUBLAS_STATUS_SUCCESS, mublasDtrttp(handle_, uplo, n, full.get(), n, pack.get()));
    ASSERT_BLAS(MUBLAS_STATUS_SUCCESS, mublasDsyr(handle_, uplo, n, &alpha, dx.get(), 1, full.get(), n));
    ASSERT_BLAS(MUBLAS_STATUS_SUCCESS,
                mublasDsyr2(handle_, uplo, n, &alpha, dx.get(), 1, dy.get(), 1, full.get(), n));
    ASSERT_BLAS(MUBLAS_STATUS_SUCCESS, mublasDtrttp(handle_, uplo, n, full.get(), n, expected.get()));
    ASSERT_BLAS(MUBLAS_STATUS_SUCCESS, mublasDspr(handle_, uplo, n, &alpha, dx.get(), 1, pack.get()));
    ASSERT_BLAS(MUBLAS_STATUS_SUCCESS,
                mublasDspr2(handle_, uplo, n, &alpha, dx.get(), 1, dy.get(), 1, pack.get()));
    const auto got = pack.fetch(), wanted = expected.fetch();
    for (size_t i = 0; i < got.size(); ++i) EXPECT_NEAR(got[i], wanted[i], 1e-14);
  }
}

TEST_F(MublasTest, HermitianUpdateByTwoOfTheSameIsThatByOne) {
  const int n = 7, k = 5;
  const auto a = randomNumbers<ComplexDouble>(n * k, 1), c = randomNumbers<ComplexDouble>(n * n, 2);
  const OnDevice<ComplexDouble> da(a), one(c), two(c);
  const double alpha = 0.5, beta = 0.25;
  const ComplexDouble complexAlpha(alpha);
  for (const mublasOperation_t op : {MUBLAS_OP_N, MUBLAS_OP_C}) {
    const int ld = op == MUBLAS_OP_N ? n : k;
    ASSERT_BLAS(MUBLAS_STATUS_SUCCESS, mublasZherk(handle_, MUBLAS_FILL_MODE_UPPER, op, n, k, &alpha,
                                                   da.api(), ld, &beta, one.api(), n));
    ASSERT_BLAS(MUBLAS_STATUS_SUCCESS,
                mublasZherkx(handle_, MUBLAS_FILL_MODE_UPPER, op, n, k, api(&complexAlpha), da.api(), ld,
                             da.api(), ld, &beta, two.api(), n));
    const auto got = two.fetch(), wanted = one.fetch();
    for (size_t i = 0; i < got.size(); ++i) EXPECT_LT(std::abs(got[i] - wanted[i]), 1e-13);
  }
}

TEST_F(MublasTest, OtherFormsOfProducts) {
  const int n = 8;
  const OnDevice<ComplexFloat> z(std::vector<ComplexFloat>(n * n, {1, 1})),
      out(std::vector<ComplexFloat>(n * n));
  const ComplexFloat complexOne(1), complexZero(0);
  ASSERT_BLAS(MUBLAS_STATUS_SUCCESS,
              mublasCgemm3m(handle_, MUBLAS_OP_N, MUBLAS_OP_N, n, n, n, api(&complexOne), z.api(), n, z.api(),
                            n, api(&complexZero), out.api(), n));
  EXPECT_EQ(out.fetch()[3], ComplexFloat(0, 16));
  const OnDevice<__half> h(std::vector<__half>(n * n, __half(0.5f))), hOut(std::vector<__half>(n * n));
  const OnDevice<float> f(std::vector<float>(n * n));
  const float one = 1, zero = 0;
  ASSERT_BLAS(MUBLAS_STATUS_SUCCESS,
              mublasSgemmEx(handle_, MUBLAS_OP_N, MUBLAS_OP_T, n, n, n, &one, h.get(), MUSA_R_16F, n, h.get(),
                            MUSA_R_16F, n, &zero, f.get(), MUSA_R_32F, n));
  EXPECT_EQ(f.fetch(), std::vector<float>(n * n, 2));
  EXPECT_BLAS(MUBLAS_STATUS_NOT_SUPPORTED,
              mublasSgemmEx(handle_, MUBLAS_OP_N, MUBLAS_OP_T, n, n, n, &one, z.get(), MUSA_C_32F, n, z.get(),
                            MUSA_C_32F, n, &zero, z.get(), MUSA_C_32F, n));
  const OnDevice<__half*> in({h.get()}), results({hOut.get()});
  const __half halfOne(1.0f), halfZero(0.0f);
  ASSERT_BLAS(MUBLAS_STATUS_SUCCESS,
              mublasHgemmBatched(handle_, MUBLAS_OP_N, MUBLAS_OP_N, n, n, n, &halfOne, in.get(), n, in.get(),
                                 n, &halfZero, results.get(), n, 1));
  EXPECT_EQ(static_cast<float>(hOut.fetch()[5]), 2.0f);
}

}  // namespace
}  // namespace musashim::test
