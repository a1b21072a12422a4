#include <cmath>
#include <limits>

#include "mublas/support.h"

namespace musashim::test {
namespace {

// C = alpha A^T B + beta C in floats of other types.
template <class In, class Out, class Factor>
struct Product {
  static constexpr int m = 37, n = 21, k = 40, lda = 40, ldb = 41, ldc = 39;

  explicit Product(double range) {
    std::mt19937 random(1);
    std::uniform_real_distribution<double> uniform(-range, range);
    const auto integers = [&](auto& values, size_t count) {
      for (size_t i = 0; i < count; ++i)
        values.push_back(static_cast<typename std::decay_t<decltype(values)>::value_type>(
            static_cast<float>(std::round(uniform(random)))));
    };
    integers(a, lda * m);
    integers(b, ldb * n);
    integers(c, ldc * n);
  }
  // Sums of integers are exact in all of the types.
  void check(mublasHandle_t handle, musaDataType in, musaDataType out, mublasComputeType_t compute,
             float alpha, float beta) {
    const OnDevice<In> da(a), db(b);
    const OnDevice<Out> dc(c);
    const auto alphaValue = static_cast<Factor>(alpha), betaValue = static_cast<Factor>(beta);
    ASSERT_BLAS(MUBLAS_STATUS_SUCCESS, mublasGemmEx(handle, MUBLAS_OP_T, MUBLAS_OP_N, m, n, k, &alphaValue,
                                                    da.get(), in, lda, db.get(), in, ldb, &betaValue,
                                                    dc.get(), out, ldc, compute, MUBLAS_GEMM_DEFAULT));
    const auto got = dc.fetch();
    for (int column = 0; column < n; ++column) {
      for (int row = 0; row < ldc; ++row) {
        const auto place = static_cast<size_t>(column * ldc + row);
        double sum = 0;
        for (int i = 0; i < k; ++i)
          sum += static_cast<double>(static_cast<float>(a[static_cast<size_t>(row % m * lda + i)])) *
                 static_cast<double>(static_cast<float>(b[static_cast<size_t>(column * ldb + i)]));
        const double old = static_cast<double>(static_cast<float>(c[place]));
        const auto expected = static_cast<Out>(static_cast<float>(row < m ? alpha * sum + beta * old : old));
        ASSERT_EQ(static_cast<double>(static_cast<float>(got[place])),
                  static_cast<double>(static_cast<float>(expected)))
            << row << ", " << column;
      }
    }
  }
  std::vector<In> a, b;
  std::vector<Out> c;
};

TEST_F(MublasTest, GemmExOfEachCombination) {
  Product<__half, __half, __half>(4).check(handle_, MUSA_R_16F, MUSA_R_16F, MUBLAS_COMPUTE_16F, 1, 2);
  Product<__half, __half, float>(4).check(handle_, MUSA_R_16F, MUSA_R_16F, MUBLAS_COMPUTE_32F, 2, 0);
  Product<__half, float, float>(9).check(handle_, MUSA_R_16F, MUSA_R_32F, MUBLAS_COMPUTE_32F, 1, 3);
  Product<__mt_bfloat16, __mt_bfloat16, float>(3).check(handle_, MUSA_R_16BF, MUSA_R_16BF,
                                                        MUBLAS_COMPUTE_32F_FAST_16BF, 1, 1);
  Product<__mt_bfloat16, float, float>(9).check(handle_, MUSA_R_16BF, MUSA_R_32F, MUBLAS_COMPUTE_32F, 1, 0);
  Product<float, float, float>(50).check(handle_, MUSA_R_32F, MUSA_R_32F, MUBLAS_COMPUTE_32F_FAST_TF32, 1, 1);
  Product<double, double, double>(50).check(handle_, MUSA_R_64F, MUSA_R_64F, MUBLAS_COMPUTE_64F, 1, 1);
  Product<int8_t, int32_t, int32_t>(127).check(handle_, MUSA_R_8I, MUSA_R_32I, MUBLAS_COMPUTE_32I, 1, 1);
  Product<int8_t, float, float>(127).check(handle_, MUSA_R_8I, MUSA_R_32F, MUBLAS_COMPUTE_32F, 1, 0);
}

TEST_F(MublasTest, GemmExRefusesWhatIsNoCombination) {
  const OnDevice<float> memory(std::vector<float>(16));
  const float one = 1;
  const auto call = [&](musaDataType a, musaDataType b, musaDataType c, mublasComputeType_t compute) {
    return mublasGemmEx(handle_, MUBLAS_OP_N, MUBLAS_OP_N, 2, 2, 2, &one, memory.get(), a, 2, memory.get(), b,
                        2, &one, memory.get(), c, 2, compute, MUBLAS_GEMM_DEFAULT);
  };
  EXPECT_BLAS(MUBLAS_STATUS_NOT_SUPPORTED, call(MUSA_R_16F, MUSA_R_32F, MUSA_R_32F, MUBLAS_COMPUTE_32F));
  EXPECT_BLAS(MUBLAS_STATUS_NOT_SUPPORTED, call(MUSA_R_32F, MUSA_R_32F, MUSA_R_32F, MUBLAS_COMPUTE_16F));
  EXPECT_BLAS(MUBLAS_STATUS_NOT_SUPPORTED, call(MUSA_R_32F, MUSA_R_32F, MUSA_R_16F, MUBLAS_COMPUTE_32F));
  EXPECT_BLAS(MUBLAS_STATUS_NOT_SUPPORTED, call(MUSA_R_64F, MUSA_R_64F, MUSA_R_64F, MUBLAS_COMPUTE_32F));
}

TEST_F(MublasTest, GemmExByATypeOfData) {
  const OnDevice<float> memory(std::vector<float>(4, 1)), c(std::vector<float>(4));
  const float one = 1, zero = 0;
  ASSERT_BLAS(MUBLAS_STATUS_SUCCESS,
              mublasGemmEx(handle_, MUBLAS_OP_N, MUBLAS_OP_N, 2, 2, 2, &one, memory.get(), MUSA_R_32F, 2,
                           memory.get(), MUSA_R_32F, 2, &zero, c.get(), MUSA_R_32F, 2, MUSA_R_32F,
                           MUBLAS_GEMM_DEFAULT));
  EXPECT_EQ(c.fetch(), std::vector<float>(4, 2));
}

TEST_F(MublasTest, BatchesOfMixedTypes) {
  const int n = 4, count = 3;
  const size_t size = n * n;
  const OnDevice<__half> ones(std::vector<__half>(size * count, __half(1.0f)));
  const OnDevice<float> strided(std::vector<float>(size * count)), listed(std::vector<float>(size * count));
  const float one = 1, zero = 0;
  ASSERT_BLAS(
      MUBLAS_STATUS_SUCCESS,
      mublasGemmStridedBatchedEx(handle_, MUBLAS_OP_N, MUBLAS_OP_N, n, n, n, &one, ones.get(), MUSA_R_16F, n,
                                 size, ones.get(), MUSA_R_16F, n, size, &zero, strided.get(), MUSA_R_32F, n,
                                 size, count, MUBLAS_COMPUTE_32F, MUBLAS_GEMM_DEFAULT_TENSOR_OP));
  EXPECT_EQ(strided.fetch(), std::vector<float>(size * count, 4));
  std::vector<const void*> as;
  std::vector<void*> cs;
  for (size_t i = 0; i < count; ++i) {
    as.push_back(ones.get() + i * size);
    cs.push_back(listed.get() + i * size);
  }
  const OnDevice<const void*> dAs(as);
  const OnDevice<void*> dCs(cs);
  ASSERT_BLAS(MUBLAS_STATUS_SUCCESS,
              mublasGemmBatchedEx(handle_, MUBLAS_OP_N, MUBLAS_OP_N, n, n, n, &one, dAs.get(), MUSA_R_16F, n,
                                  dAs.get(), MUSA_R_16F, n, &zero, dCs.get(), MUSA_R_32F, n, count,
                                  MUBLAS_COMPUTE_32F, MUBLAS_GEMM_DEFAULT));
  EXPECT_EQ(listed.fetch(), std::vector<float>(size * count, 4));
}

TEST_F(MublasTest, HalfPrecision) {
  const int n = 16;
  const OnDevice<__half> a(std::vector<__half>(n * n, __half(0.1f))),
      c(std::vector<__half>(n * n, __half(std::numeric_limits<float>::quiet_NaN())));
  const __half one(1.0f), zero(0.0f), large(60000.0f);
  ASSERT_BLAS(MUBLAS_STATUS_SUCCESS, mublasHgemm(handle_, MUBLAS_OP_N, MUBLAS_OP_T, n, n, n, &one, a.get(), n,
                                                 a.get(), n, &zero, c.get(), n));
  const float tenth = static_cast<float>(__half(0.1f));
  EXPECT_EQ(static_cast<float>(c.fetch()[5]), static_cast<float>(__half(16 * tenth * tenth)));
  // What is too large is infinite.
  const OnDevice<__half> big(std::vector<__half>(n * n, large));
  ASSERT_BLAS(MUBLAS_STATUS_SUCCESS,
              mublasHgemmStridedBatched(handle_, MUBLAS_OP_N, MUBLAS_OP_N, n, n, n, &one, big.get(), n, 0,
                                        a.get(), n, 0, &zero, c.get(), n, 0, 1));
  EXPECT_TRUE(std::isinf(static_cast<float>(c.fetch()[0])));
}

}  // namespace
}  // namespace musashim::test
