// Forms with sizes of 64 bits, groups of products, and vectors and matrices by types.
#include <cstdint>

#include "mublas/support.h"

namespace musashim::test {
namespace {

TEST_F(MublasTest, LongSizes) {
  const std::vector<float> x{3, -7, 2, 5}, y{1, 2, 3, 4};
  const OnDevice<float> dx(x), dy(y);
  int64_t place = 0;
  float sum = 0;
  EXPECT_BLAS(MUBLAS_STATUS_SUCCESS, mublasIsamax_64(handle_, 4, dx.get(), 1, &place));
  EXPECT_EQ(place, 2);
  EXPECT_BLAS(MUBLAS_STATUS_SUCCESS, mublasSdot_64(handle_, 4, dx.get(), 1, dy.get(), -1, &sum));
  EXPECT_EQ(sum, 3 * 4 - 7 * 3 + 2 * 2 + 5);
  EXPECT_BLAS(MUBLAS_STATUS_NOT_SUPPORTED,
              mublasSdot_64(handle_, int64_t{1} << 40, dx.get(), 1, dy.get(), 1, &sum));
  EXPECT_BLAS(MUBLAS_STATUS_NOT_INITIALIZED, mublasSdot_64(nullptr, 4, dx.get(), 1, dy.get(), 1, &sum));
  std::vector<float> back(4);
  EXPECT_BLAS(MUBLAS_STATUS_SUCCESS, mublasGetVector_64(4, sizeof(float), dx.get(), 1, back.data(), 1));
  EXPECT_EQ(back, x);
}

TEST_F(MublasTest, GroupsOfProducts) {
  // Two groups: one product of 2 x 2, two of 3 x 3; every matrix has room for 9.
  const auto a = randomNumbers<double>(27, 1), b = randomNumbers<double>(27, 2),
             c = randomNumbers<double>(27, 3);
  const OnDevice<double> da(a), db(b), dc(c);
  const auto listed = [](double* first) { return std::vector<double*>{first, first + 9, first + 18}; };
  const OnDevice<double*> as(listed(da.get())), bs(listed(db.get())), cs(listed(dc.get()));
  const mublasOperation_t transa[] = {MUBLAS_OP_N, MUBLAS_OP_T}, transb[] = {MUBLAS_OP_N, MUBLAS_OP_N};
  const int sizes[] = {2, 3}, members[] = {1, 2};
  const double alpha[] = {2, 0.5}, beta[] = {1, -1};
  ASSERT_BLAS(MUBLAS_STATUS_SUCCESS,
              mublasDgemmGroupedBatched(handle_, transa, transb, sizes, sizes, sizes, alpha, as.get(), sizes,
                                        bs.get(), sizes, beta, cs.get(), sizes, 2, members));
  const auto got = dc.fetch();
  for (size_t i = 0; i < 3; ++i) {
    const size_t group = i == 0 ? 0 : 1;
    const int n = sizes[group];
    const auto part = [&](const std::vector<double>& all) {
      return std::vector<double>(all.begin() + static_cast<ptrdiff_t>(9 * i),
                                 all.begin() + static_cast<ptrdiff_t>(9 * i) + n * n);
    };
    expectNear(part(got),
               referenceGemm(transa[group], transb[group], n, n, n, alpha[group], part(a), n, part(b), n,
                             beta[group], part(c), n),
               20, "member " + std::to_string(i));
  }
  const int wrong[] = {-1, 3};
  EXPECT_BLAS(MUBLAS_STATUS_INVALID_VALUE,
              mublasDgemmGroupedBatched(handle_, transa, transb, wrong, sizes, sizes, alpha, as.get(), sizes,
                                        bs.get(), sizes, beta, cs.get(), sizes, 2, members));
}

TEST_F(MublasTest, VectorsByTypes) {
  const std::vector<float> x{3, -7, 2, 5}, y{1, 2, 3, 4};
  const OnDevice<float> dx(x), dy(y);
  float sum = 0;
  int place = 0;
  EXPECT_BLAS(MUBLAS_STATUS_SUCCESS,
              mublasAsumEx(handle_, 4, dx.get(), MUSA_R_32F, 1, &sum, MUSA_R_32F, MUSA_R_32F));
  EXPECT_EQ(sum, 17);
  EXPECT_BLAS(MUBLAS_STATUS_SUCCESS, mublasIaminEx(handle_, 4, dx.get(), MUSA_R_32F, 1, &place));
  EXPECT_EQ(place, 3);
  const float c = 0.5f, s = 2;
  EXPECT_BLAS(MUBLAS_STATUS_SUCCESS, mublasRotEx(handle_, 4, dx.get(), MUSA_R_32F, 1, dy.get(), MUSA_R_32F, 1,
                                                 &c, &s, MUSA_R_32F, MUSA_R_32F));
  const auto gotX = dx.fetch(), gotY = dy.fetch();
  for (size_t i = 0; i < 4; ++i) {
    EXPECT_EQ(gotX[i], c * x[i] + s * y[i]);
    EXPECT_EQ(gotY[i], c * y[i] - s * x[i]);
  }
  EXPECT_BLAS(MUBLAS_STATUS_SUCCESS,
              mublasSwapEx(handle_, 4, dx.get(), MUSA_R_32F, 1, dy.get(), MUSA_R_32F, -1));
  EXPECT_EQ(dx.fetch()[0], gotY[3]);
  EXPECT_BLAS(MUBLAS_STATUS_NOT_SUPPORTED,
              mublasCopyEx(handle_, 4, dx.get(), MUSA_R_32F, 1, dy.get(), MUSA_R_64F, 1));
}

TEST_F(MublasTest, HalvesTimesVectors) {
  std::vector<__half> a, x;
  for (int i = 0; i < 12; ++i) a.push_back(__half(static_cast<float>(i % 5 - 2)));
  for (int i = 0; i < 4; ++i) x.push_back(__half(static_cast<float>(i + 1)));
  const OnDevice<__half> da(a), dx(x);
  const OnDevice<float> dy(std::vector<float>{1, 1, 1});
  const float alpha = 2, beta = 3;
  ASSERT_BLAS(MUBLAS_STATUS_SUCCESS,
              mublasHSSgemvStridedBatched(handle_, MUBLAS_OP_N, 3, 4, &alpha, da.get(), 3, 0, dx.get(), -1, 0,
                                          &beta, dy.get(), 1, 0, 1));
  const auto got = dy.fetch();
  for (size_t row = 0; row < 3; ++row) {
    float sum = 0;
    for (size_t k = 0; k < 4; ++k) sum += static_cast<float>(a[k * 3 + row]) * static_cast<float>(x[3 - k]);
    EXPECT_EQ(got[row], 2 * sum + 3);
  }
}

}  // namespace
}  // namespace musashim::test
