// Factors that are computed again for matrices of one pattern: one, many at once, and as the host gets them.
#include <musolverRf.h>

#include <cstdlib>

#include "mublas/support.h"

namespace musashim::test {
namespace {

// 4 1 0 2
// 1 5 0 0    and its factors' pattern, with what elimination adds
// 0 0 3 1
// 2 0 1 6
struct System {
  static constexpr int n = 4;
  std::vector<int> offsets{0, 3, 5, 7, 10}, columns{0, 1, 3, 0, 1, 2, 3, 0, 2, 3};
  std::vector<int> offsetsL{0, 0, 1, 1, 4}, columnsL{0, 0, 1, 2};
  std::vector<int> offsetsU{0, 3, 5, 7, 8}, columnsU{0, 1, 3, 1, 3, 2, 3, 3};
  std::vector<double> valuesL = std::vector<double>(4), valuesU = std::vector<double>(8);
  std::vector<int> order{0, 1, 2, 3};

  // Matrix number `which`: the same with another diagonal.
  static std::vector<double> values(int which) {
    const double more = which;
    return {4 + more, 1, 2, 1, 5 + more, 3 + more, 1, 2, 1, 6 + more};
  }
  std::vector<double> times(const std::vector<double>& a, const std::vector<double>& x) const {
    std::vector<double> y(n);
    for (size_t row = 0; row < n; ++row)
      for (int k = offsets[row]; k < offsets[row + 1]; ++k)
        y[row] += a[static_cast<size_t>(k)] * x[static_cast<size_t>(columns[static_cast<size_t>(k)])];
    return y;
  }
};

class Refactorisation : public ::testing::Test {
 protected:
  void SetUp() override { ASSERT_EQ(MUSOLVER_STATUS_SUCCESS, musolverRfCreate(&handle_)); }
  void TearDown() override { EXPECT_EQ(MUSOLVER_STATUS_SUCCESS, musolverRfDestroy(handle_)); }

  System system_;
  musolverRfHandle_t handle_ = nullptr;
};

TEST_F(Refactorisation, ManyMatricesOfOnePattern) {
  System& s = system_;
  std::vector<std::vector<double>> values{s.values(0), s.values(1), s.values(2)};
  double* onHost[] = {values[0].data(), values[1].data(), values[2].data()};
  EXPECT_EQ(MUSOLVER_STATUS_INVALID_VALUE, musolverRfBatchRefactor(handle_));
  ASSERT_EQ(
      MUSOLVER_STATUS_SUCCESS,
      musolverRfBatchSetupHost(3, 4, 10, s.offsets.data(), s.columns.data(), onHost, 4, s.offsetsL.data(),
                               s.columnsL.data(), s.valuesL.data(), 8, s.offsetsU.data(), s.columnsU.data(),
                               s.valuesU.data(), s.order.data(), s.order.data(), handle_));
  ASSERT_EQ(MUSOLVER_STATUS_SUCCESS, musolverRfBatchAnalyze(handle_));
  // Others than those of the set-up; the last is singular in its third row.
  values = {s.values(3), s.values(4), s.values(0)};
  values[2][5] = 0;
  const OnDevice<double> first(values[0]), second(values[1]), third(values[2]);
  const OnDevice<int> offsets(s.offsets), columns(s.columns), order(s.order);
  double* places[] = {first.get(), second.get(), third.get()};
  ASSERT_EQ(MUSOLVER_STATUS_SUCCESS, musolverRfBatchResetValues(3, 4, 10, offsets.get(), columns.get(),
                                                                places, order.get(), order.get(), handle_));
  EXPECT_EQ(MUSOLVER_STATUS_INVALID_VALUE,
            musolverRfBatchResetValues(2, 4, 10, offsets.get(), columns.get(), places, order.get(),
                                       order.get(), handle_));
  ASSERT_EQ(MUSOLVER_STATUS_SUCCESS, musolverRfBatchRefactor(handle_));
  int position[] = {7, 7, 7};
  ASSERT_EQ(MUSOLVER_STATUS_SUCCESS, musolverRfBatchZeroPivot(handle_, position));
  EXPECT_EQ(position[0], -1);
  EXPECT_EQ(position[1], -1);
  EXPECT_EQ(position[2], 2);
  const std::vector<double> x{1, -2, 3, 0.5};
  const OnDevice<double> work(std::vector<double>(8)), b0(s.times(values[0], x)), b1(s.times(values[1], x)),
      b2(s.times(values[2], x));
  double* sides[] = {b0.get(), b1.get(), b2.get()};
  ASSERT_EQ(MUSOLVER_STATUS_SUCCESS,
            musolverRfBatchSolve(handle_, order.get(), order.get(), 1, work.get(), 4, sides, 4));
  for (const auto* solution : {&b0, &b1}) {
    const auto got = solution->fetch();
    for (size_t i = 0; i < 4; ++i) EXPECT_NEAR(got[i], x[i], 1e-14);
  }
}

TEST_F(Refactorisation, FactorsForTheHost) {
  System& s = system_;
  std::vector<double> a = s.values(0);
  int nnz = 0, nnzU = 0, *offsets = nullptr, *columns = nullptr, *offsetsU = nullptr, *columnsU = nullptr;
  double *values = nullptr, *valuesU = nullptr;
  EXPECT_EQ(MUSOLVER_STATUS_INVALID_VALUE,
            musolverRfExtractBundledFactorsHost(handle_, &nnz, &offsets, &columns, &values));
  ASSERT_EQ(MUSOLVER_STATUS_SUCCESS,
            musolverRfSetupHost(4, 10, s.offsets.data(), s.columns.data(), a.data(), 4, s.offsetsL.data(),
                                s.columnsL.data(), s.valuesL.data(), 8, s.offsetsU.data(), s.columnsU.data(),
                                s.valuesU.data(), s.order.data(), s.order.data(), handle_));
  ASSERT_EQ(MUSOLVER_STATUS_SUCCESS, musolverRfRefactor(handle_));
  ASSERT_EQ(MUSOLVER_STATUS_SUCCESS,
            musolverRfExtractBundledFactorsHost(handle_, &nnz, &offsets, &columns, &values));
  EXPECT_EQ(nnz, 12);
  std::free(offsets);
  std::free(columns);
  std::free(values);
  ASSERT_EQ(MUSOLVER_STATUS_SUCCESS,
            musolverRfExtractSplitFactorsHost(handle_, &nnz, &offsets, &columns, &values, &nnzU, &offsetsU,
                                              &columnsU, &valuesU));
  EXPECT_EQ(nnz, 8);  // with ones on the diagonal
  EXPECT_EQ(nnzU, 8);
  // L U is the matrix.
  double product[4][4] = {}, dense[4][4] = {};
  for (int row = 0; row < 4; ++row) {
    for (int k = offsets[row]; k < offsets[row + 1]; ++k)
      for (int j = offsetsU[columns[k]]; j < offsetsU[columns[k] + 1]; ++j)
        product[row][columnsU[j]] += values[k] * valuesU[j];
    for (int k = s.offsets[static_cast<size_t>(row)]; k < s.offsets[static_cast<size_t>(row) + 1]; ++k)
      dense[row][s.columns[static_cast<size_t>(k)]] = a[static_cast<size_t>(k)];
  }
  for (int row = 0; row < 4; ++row)
    for (int column = 0; column < 4; ++column)
      EXPECT_NEAR(product[row][column], dense[row][column], 1e-14) << row << ", " << column;
  for (void* memory :
       {static_cast<void*>(offsets), static_cast<void*>(columns), static_cast<void*>(values),
        static_cast<void*>(offsetsU), static_cast<void*>(columnsU), static_cast<void*>(valuesU)})
    std::free(memory);
}

}  // namespace
}  // namespace musashim::test
