#include <cmath>
#include <limits>

#include "mublas/support.h"

namespace musashim::test {
namespace {

constexpr mublasOperation_t kOps[] = {MUBLAS_OP_N, MUBLAS_OP_T, MUBLAS_OP_C};

template <class T>
class Gemm : public MublasTest {};
using Types = ::testing::Types<float, double, ComplexFloat, ComplexDouble>;
TYPED_TEST_SUITE(Gemm, Types);

size_t elements(int ld, int columns) { return static_cast<size_t>(ld) * static_cast<size_t>(columns); }

TYPED_TEST(Gemm, EachTransposeStrideAndPointerMode) {
  using T = TypeParam;
  for (const auto& [m, n, k] : {std::tuple{1, 1, 1}, {7, 5, 3}, {33, 17, 65}, {150, 130, 70}, {4, 6, 0}}) {
    for (mublasOperation_t ta : kOps) {
      for (mublasOperation_t tb : kOps) {
        const int lda = (ta == MUBLAS_OP_N ? m : std::max(k, 1)) + 3,
                  ldb = (tb == MUBLAS_OP_N ? std::max(k, 1) : n) + 1, ldc = m + 2;
        const auto a = randomNumbers<T>(elements(lda, std::max(m, k)), 1),
                   b = randomNumbers<T>(elements(ldb, std::max(n, k)), 2),
                   c = randomNumbers<T>(elements(ldc, n), 3);
        const std::vector<T> factors = randomNumbers<T>(2, 4);
        const auto expected =
            referenceGemm(ta, tb, m, n, k, wide(factors[0]), a, lda, b, ldb, wide(factors[1]), c, ldc);
        const OnDevice<T> dA(a), dB(b), dFactors(factors);
        for (const auto mode : {MUBLAS_POINTER_MODE_HOST, MUBLAS_POINTER_MODE_DEVICE}) {
          const OnDevice<T> dC(c);
          const auto* f =
              api(mode == MUBLAS_POINTER_MODE_HOST ? factors.data() : const_cast<const T*>(dFactors.get()));
          ASSERT_BLAS(MUBLAS_STATUS_SUCCESS, mublasSetPointerMode(this->handle_, mode));
          ASSERT_BLAS(MUBLAS_STATUS_SUCCESS, MUBLAS_CALL(T, gemm)(this->handle_, ta, tb, m, n, k, f, dA.api(),
                                                                  lda, dB.api(), ldb, f + 1, dC.api(), ldc));
          expectNear(dC.fetch(), expected, 20.0 + k, "gemm " + std::to_string(ta) + std::to_string(tb));
        }
        ASSERT_BLAS(MUBLAS_STATUS_SUCCESS, mublasSetPointerMode(this->handle_, MUBLAS_POINTER_MODE_HOST));
      }
    }
  }
}

TYPED_TEST(Gemm, LargeOnesAreShared) {
  using T = TypeParam;
  const int n = 260, k = 180;
  for (const auto& [rows, columns] : {std::pair{n, 70}, {70, n}}) {
    const auto a = randomNumbers<T>(elements(std::max(rows, k), std::max(rows, k)), 1),
               b = randomNumbers<T>(elements(std::max(columns, k), std::max(columns, k)), 2);
    const std::vector<T> c(elements(rows, columns));
    for (mublasOperation_t ta : kOps) {
      for (mublasOperation_t tb : kOps) {
        const int lda = std::max(rows, k), ldb = std::max(columns, k);
        const OnDevice<T> dA(a), dB(b), dC(c);
        const T one(1), zero(0);
        ASSERT_BLAS(MUBLAS_STATUS_SUCCESS,
                    MUBLAS_CALL(T, gemm)(this->handle_, ta, tb, rows, columns, k, api(&one), dA.api(), lda,
                                         dB.api(), ldb, api(&zero), dC.api(), rows));
        expectNear(dC.fetch(), referenceGemm(ta, tb, rows, columns, k, 1, a, lda, b, ldb, 0, c, rows), 200,
                   "shared");
      }
    }
  }
}

TYPED_TEST(Gemm, WithBetaZeroCIsNotReadAndWithAlphaZeroNeitherAreTheOthers) {
  using T = TypeParam;
  const T nan(std::numeric_limits<float>::quiet_NaN()), one(1), zero(0), two(2);
  const std::vector<T> ones(4, one), nans(4, nan);
  const OnDevice<T> a(ones), c(nans), bad(nans), d(ones);
  ASSERT_BLAS(MUBLAS_STATUS_SUCCESS,
              MUBLAS_CALL(T, gemm)(this->handle_, MUBLAS_OP_N, MUBLAS_OP_N, 2, 2, 2, api(&one), a.api(), 2,
                                   a.api(), 2, api(&zero), c.api(), 2));
  EXPECT_EQ(c.fetch(), std::vector<T>(4, two));
  ASSERT_BLAS(MUBLAS_STATUS_SUCCESS,
              MUBLAS_CALL(T, gemm)(this->handle_, MUBLAS_OP_N, MUBLAS_OP_N, 2, 2, 2, api(&zero), bad.api(), 2,
                                   bad.api(), 2, api(&two), d.api(), 2));
  EXPECT_EQ(d.fetch(), std::vector<T>(4, two));
}

TYPED_TEST(Gemm, Batches) {
  using T = TypeParam;
  const int n = 9, count = 37;
  const size_t size = n * n;
  const auto a = randomNumbers<T>(size * count, 1), b = randomNumbers<T>(size * count, 2),
             c = randomNumbers<T>(size * count, 3);
  std::vector<Wide> expected;
  const T alpha(2), beta(3);
  for (size_t i = 0; i < count; ++i) {
    const auto part = [&](const std::vector<T>& all) {
      return std::vector<T>(all.begin() + i * size, all.begin() + (i + 1) * size);
    };
    const auto one =
        referenceGemm(MUBLAS_OP_N, MUBLAS_OP_T, n, n, n, 2, part(a), n, part(b), n, 3, part(c), n);
    expected.insert(expected.end(), one.begin(), one.end());
  }
  const OnDevice<T> dA(a), dB(b), strided(c), listed(c);
  ASSERT_BLAS(MUBLAS_STATUS_SUCCESS,
              MUBLAS_CALL(T, gemmStridedBatched)(this->handle_, MUBLAS_OP_N, MUBLAS_OP_T, n, n, n,
                                                 api(&alpha), dA.api(), n, size, dB.api(), n, size,
                                                 api(&beta), strided.api(), n, size, count));
  expectNear(strided.fetch(), expected, 100, "strided");
  using Pointer = typename Api<T>::Type*;
  std::vector<Pointer> as, bs, cs;
  for (size_t i = 0; i < count; ++i) {
    as.push_back(dA.api() + i * size);
    bs.push_back(dB.api() + i * size);
    cs.push_back(listed.api() + i * size);
  }
  const OnDevice<Pointer> dAs(as), dBs(bs), dCs(cs);
  ASSERT_BLAS(MUBLAS_STATUS_SUCCESS,
              MUBLAS_CALL(T, gemmBatched)(this->handle_, MUBLAS_OP_N, MUBLAS_OP_T, n, n, n, api(&alpha),
                                          dAs.get(), n, dBs.get(), n, api(&beta), dCs.get(), n, count));
  expectNear(listed.fetch(), expected, 100, "listed");
}

TYPED_TEST(Gemm, BadArgumentsAndEmptyMatrices) {
  using T = TypeParam;
  const T one(1);
  const OnDevice<T> memory(std::vector<T>(16, one));
  const auto call = [&](mublasHandle_t handle, mublasOperation_t ta, int m, int n, int k, int lda, int ldc,
                        const T* alpha) {
    return MUBLAS_CALL(T, gemm)(handle, ta, MUBLAS_OP_N, m, n, k, api(alpha), memory.api(), lda, memory.api(),
                                4, api(&one), memory.api(), ldc);
  };
  EXPECT_BLAS(MUBLAS_STATUS_NOT_INITIALIZED, call(nullptr, MUBLAS_OP_N, 2, 2, 2, 2, 2, &one));
  EXPECT_BLAS(MUBLAS_STATUS_NOT_INITIALIZED,
              call(reinterpret_cast<mublasHandle_t>(uintptr_t{64}), MUBLAS_OP_N, 2, 2, 2, 2, 2, &one));
  EXPECT_BLAS(MUBLAS_STATUS_INVALID_VALUE, call(this->handle_, MUBLAS_OP_CONJG, 2, 2, 2, 2, 2, &one));
  EXPECT_BLAS(MUBLAS_STATUS_INVALID_VALUE, call(this->handle_, MUBLAS_OP_N, -1, 2, 2, 2, 2, &one));
  EXPECT_BLAS(MUBLAS_STATUS_INVALID_VALUE, call(this->handle_, MUBLAS_OP_N, 2, -1, 2, 2, 2, &one));
  EXPECT_BLAS(MUBLAS_STATUS_INVALID_VALUE, call(this->handle_, MUBLAS_OP_N, 2, 2, -1, 2, 2, &one));
  EXPECT_BLAS(MUBLAS_STATUS_INVALID_VALUE, call(this->handle_, MUBLAS_OP_N, 3, 2, 2, 2, 3, &one));
  EXPECT_BLAS(MUBLAS_STATUS_INVALID_VALUE, call(this->handle_, MUBLAS_OP_N, 3, 2, 2, 3, 2, &one));
  EXPECT_BLAS(MUBLAS_STATUS_INVALID_VALUE, call(this->handle_, MUBLAS_OP_N, 2, 2, 2, 2, 2, nullptr));
  EXPECT_BLAS(MUBLAS_STATUS_SUCCESS, call(this->handle_, MUBLAS_OP_N, 0, 2, 2, 1, 1, &one));
  EXPECT_BLAS(MUBLAS_STATUS_SUCCESS, call(this->handle_, MUBLAS_OP_N, 2, 0, 2, 2, 2, &one));
  EXPECT_EQ(memory.fetch(), std::vector<T>(16, one));
}

}  // namespace
}  // namespace musashim::test
