#include <gtest/gtest.h>
#include <musolverSp.h>

#include <array>
#include <set>

#include "mublas/support.h"

namespace musashim::test {
namespace {

class MusolverSparse : public ::testing::Test {
 protected:
  // Laplace's equation on a grid of side * side points, column by column.
  static constexpr int side = 9, n = side * side;

  void SetUp() override {
    ASSERT_EQ(musolverSpCreate(&handle_), MUSOLVER_STATUS_SUCCESS);
    ASSERT_EQ(musparseCreateMatDescr(&descr_), MUSPARSE_STATUS_SUCCESS);
    offsets_.push_back(0);
    for (int point = 0; point < n; ++point) {
      const int row = point / side, column = point % side;
      const auto add = [&](bool inside, int other, double value) {
        if (!inside) return;
        columns_.push_back(other);
        values_.push_back(value);
      };
      add(row > 0, point - side, -1);
      add(column > 0, point - 1, -1);
      add(true, point, 4.5);
      add(column + 1 < side, point + 1, -1);
      add(row + 1 < side, point + side, -1);
      offsets_.push_back(static_cast<int>(columns_.size()));
    }
    b_ = randomNumbers<double>(n, 1);
  }
  void TearDown() override {
    EXPECT_EQ(musolverSpDestroy(handle_), MUSOLVER_STATUS_SUCCESS);
    EXPECT_EQ(musparseDestroyMatDescr(descr_), MUSPARSE_STATUS_SUCCESS);
  }
  int nnz() const { return static_cast<int>(values_.size()); }
  void expectSolved(const std::vector<double>& x) {
    for (int row = 0; row < n; ++row) {
      double sum = 0;
      for (int k = offsets_[static_cast<size_t>(row)]; k < offsets_[static_cast<size_t>(row) + 1]; ++k)
        sum += values_[static_cast<size_t>(k)] * x[static_cast<size_t>(columns_[static_cast<size_t>(k)])];
      ASSERT_NEAR(sum, b_[static_cast<size_t>(row)], 1e-11) << row;
    }
  }

  musolverSpHandle_t handle_ = nullptr;
  musparseMatDescr_t descr_ = nullptr;
  std::vector<int> offsets_, columns_;
  std::vector<double> values_, b_;
};

TEST_F(MusolverSparse, AllMethodsSolveInAllOrders) {
  const OnDevice<double> values(values_), b(b_);
  const OnDevice<int> offsets(offsets_), columns(columns_);
  for (int reorder = 0; reorder <= 3; ++reorder) {
    int singular = 7;
    std::vector<double> x(n);
    const OnDevice<double> onDevice(x);
    ASSERT_EQ(musolverSpDcsrlsvluHost(handle_, n, nnz(), descr_, values_.data(), offsets_.data(),
                                      columns_.data(), b_.data(), 1e-12, reorder, x.data(), &singular),
              MUSOLVER_STATUS_SUCCESS);
    EXPECT_EQ(singular, -1);
    expectSolved(x);
    ASSERT_EQ(musolverSpDcsrlsvqr(handle_, n, nnz(), descr_, values.get(), offsets.get(), columns.get(),
                                  b.get(), 1e-12, reorder, onDevice.get(), &singular),
              MUSOLVER_STATUS_SUCCESS);
    EXPECT_EQ(singular, -1);
    expectSolved(onDevice.fetch());
    ASSERT_EQ(musolverSpDcsrlsvchol(handle_, n, nnz(), descr_, values.get(), offsets.get(), columns.get(),
                                    b.get(), 1e-12, reorder, onDevice.get(), &singular),
              MUSOLVER_STATUS_SUCCESS);
    EXPECT_EQ(singular, -1);
    expectSolved(onDevice.fetch());
  }
}

TEST_F(MusolverSparse, ComplexMatrices) {
  const std::vector<muDoubleComplex> values{{2, 0}, {0, 1}, {0, -1}, {3, 0}}, b{{2, 1}, {3, -1}};
  const std::vector<int> offsets{0, 2, 4}, columns{0, 1, 0, 1};
  for (const bool cholesky : {false, true}) {
    std::vector<muDoubleComplex> x(2);
    int singular = 7;
    ASSERT_EQ(cholesky ? musolverSpZcsrlsvcholHost(handle_, 2, 4, descr_, values.data(), offsets.data(),
                                                   columns.data(), b.data(), 1e-12, 0, x.data(), &singular)
                       : musolverSpZcsrlsvqrHost(handle_, 2, 4, descr_, values.data(), offsets.data(),
                                                 columns.data(), b.data(), 1e-12, 0, x.data(), &singular),
              MUSOLVER_STATUS_SUCCESS);
    EXPECT_EQ(singular, -1);
    // 2 x + i y = 2 + i, -i x + 3 y = 3 - i: x = 1, y = 1.
    EXPECT_NEAR(x[0].x, 1, 1e-12);
    EXPECT_NEAR(x[0].y, 0, 1e-12);
    EXPECT_NEAR(x[1].x, 1, 1e-12);
    EXPECT_NEAR(x[1].y, 0, 1e-12);
  }
}

TEST_F(MusolverSparse, OrdersArePermutations) {
  for (const auto order : {musolverSpXcsrsymrcmHost, musolverSpXcsrsymmdqHost, musolverSpXcsrsymamdHost}) {
    std::vector<int> p(n);
    ASSERT_EQ(order(handle_, n, nnz(), descr_, offsets_.data(), columns_.data(), p.data()),
              MUSOLVER_STATUS_SUCCESS);
    EXPECT_EQ(std::set<int>(p.begin(), p.end()).size(), static_cast<size_t>(n));
  }
  // Near the diagonal: no row reaches much farther than the grid is wide.
  std::vector<int> p(n), place(n);
  musolverSpXcsrsymrcmHost(handle_, n, nnz(), descr_, offsets_.data(), columns_.data(), p.data());
  for (int i = 0; i < n; ++i) place[static_cast<size_t>(p[static_cast<size_t>(i)])] = i;
  int width = 0;
  for (int row = 0; row < n; ++row)
    for (int k = offsets_[static_cast<size_t>(row)]; k < offsets_[static_cast<size_t>(row) + 1]; ++k)
      width = std::max(width, std::abs(place[static_cast<size_t>(row)] -
                                       place[static_cast<size_t>(columns_[static_cast<size_t>(k)])]));
  EXPECT_LE(width, side + 1);
}

TEST_F(MusolverSparse, EigenvalueNextToAGuess) {
  const std::vector<double> start(n, 1);
  std::vector<double> vector(n);
  double value = 0;
  ASSERT_EQ(musolverSpDcsreigvsiHost(handle_, n, nnz(), descr_, values_.data(), offsets_.data(),
                                     columns_.data(), 0.0, start.data(), 200, 1e-10, &value, vector.data()),
            MUSOLVER_STATUS_SUCCESS);
  EXPECT_NEAR(value, 4.5 - 4 * std::cos(3.14159265358979 / (side + 1)), 1e-9);
}

TEST_F(MusolverSparse, HandlesThatAreNone) {
  EXPECT_EQ(musolverSpDestroy(nullptr), MUSOLVER_STATUS_NOT_INITIALIZED);
  EXPECT_EQ(musolverSpSetStream(nullptr, nullptr), MUSOLVER_STATUS_NOT_INITIALIZED);
}

}  // namespace
}  // namespace musashim::test
