// Blocks of other shapes, and colours of rows.
#include <set>

#include "musparse/support.h"

namespace musashim::test {
namespace {

TYPED_TEST_SUITE(MusparseTyped, MusparseTypes);

TYPED_TEST(MusparseTyped, BlocksOfOtherShapes) {
  using T = TypeParam;
  const int m = 12, n = 12;
  const auto a = HostCsr<T>::random(m, n, 19);
  const DeviceCsr<T> csr(a);
  const Description zero, one(1);
  void* const buffer = this->buffer_.get();
  for (const auto direction : {MUSPARSE_DIRECTION_ROW, MUSPARSE_DIRECTION_COLUMN}) {
    const auto space = static_cast<size_t>(m * n * 4);
    const OnDevice<int> first(std::vector<int>(7)), firstColumns(std::vector<int>(72)),
        second(std::vector<int>(5)), secondColumns(std::vector<int>(72)), back(std::vector<int>(m + 1)),
        backColumns{std::vector<int>(space)};
    const OnDevice<T> firstValues{std::vector<T>(space)}, secondValues{std::vector<T>(space)},
        backValues{std::vector<T>(space)};
    int count = 0, counted = 0;
    EXPECT_SPARSE(MUSPARSE_STATUS_SUCCESS,
                  musparseXcsr2gebsrNnz(this->handle_, direction, m, n, zero, csr.offsets.get(),
                                        csr.indices.get(), zero, first.get(), 2, 3, &count, buffer));
    EXPECT_SPARSE(
        MUSPARSE_STATUS_SUCCESS,
        MUSPARSE_CALL(T, csr2gebsr)(this->handle_, direction, m, n, zero.descr, csr.values.api(),
                                    csr.offsets.get(), csr.indices.get(), zero.descr, firstValues.api(),
                                    first.get(), firstColumns.get(), 2, 3, buffer));
    EXPECT_SPARSE(
        MUSPARSE_STATUS_SUCCESS,
        musparseXgebsr2gebsrNnz(this->handle_, direction, 6, 4, count, zero, first.get(), firstColumns.get(),
                                2, 3, one, second.get(), 3, 2, &counted, buffer));
    EXPECT_EQ(counted, second.fetch().back() - 1);
    EXPECT_SPARSE(
        MUSPARSE_STATUS_SUCCESS,
        MUSPARSE_CALL(T, gebsr2gebsr)(this->handle_, direction, 6, 4, count, zero.descr, firstValues.api(),
                                      first.get(), firstColumns.get(), 2, 3, one.descr, secondValues.api(),
                                      second.get(), secondColumns.get(), 3, 2, buffer));
    EXPECT_SPARSE(MUSPARSE_STATUS_SUCCESS,
                  MUSPARSE_CALL(T, gebsr2csr)(this->handle_, direction, 4, 6, one.descr, secondValues.api(),
                                              second.get(), secondColumns.get(), 3, 2, zero.descr,
                                              backValues.api(), back.get(), backColumns.get()));
    const HostCsr<T> again{m, n, 0, back.fetch(), backColumns.fetch(), backValues.fetch()};
    EXPECT_EQ(again.dense(), a.dense());
    // By columns, a block is as it was.
    const OnDevice<int> rows{std::vector<int>(static_cast<size_t>(count))}, offsets(std::vector<int>(5));
    const OnDevice<T> turned{std::vector<T>(static_cast<size_t>(count) * 6)};
    EXPECT_SPARSE(
        MUSPARSE_STATUS_SUCCESS,
        MUSPARSE_CALL(T, gebsr2gebsc)(this->handle_, 6, 4, count, firstValues.api(), first.get(),
                                      firstColumns.get(), 2, 3, turned.api(), rows.get(), offsets.get(),
                                      MUSPARSE_ACTION_NUMERIC, MUSPARSE_INDEX_BASE_ZERO, buffer));
    const auto columnBegins = offsets.fetch(), blockRows = rows.fetch(), rowBegins = first.fetch(),
               blockColumns = firstColumns.fetch();
    const auto old = firstValues.fetch(), now = turned.fetch();
    EXPECT_EQ(columnBegins.back(), count);
    for (size_t column = 0; column < 4; ++column)
      for (int j = columnBegins[column]; j < columnBegins[column + 1]; ++j) {
        const auto row = static_cast<size_t>(blockRows[static_cast<size_t>(j)]);
        int from = rowBegins[row];
        while (blockColumns[static_cast<size_t>(from)] != static_cast<int>(column)) ++from;
        for (int i = 0; i < 6; ++i)
          EXPECT_EQ(now[static_cast<size_t>(j * 6 + i)], old[static_cast<size_t>(from * 6 + i)]);
      }
  }
}

TYPED_TEST(MusparseTyped, NeighboursHaveOtherColors) {
  using T = TypeParam;
  using Real =
      std::conditional_t<std::is_same_v<T, double> || std::is_same_v<T, ComplexDouble>, double, float>;
  const int n = 40;
  // A ring with chords.
  HostCsr<T> a{n, n, 1, {1}, {}, {}};
  for (int row = 0; row < n; ++row) {
    std::set<int> joined{row, (row + 1) % n, (row + n - 1) % n, (row + 7) % n, (row + n - 7) % n};
    for (const int column : joined) {
      a.indices.push_back(column + 1);
      a.values.push_back(T(1));
    }
    a.offsets.push_back(static_cast<int>(a.indices.size()) + 1);
  }
  const DeviceCsr<T> csr(a);
  const Description descr(1);
  musparseColorInfo_t info = nullptr;
  ASSERT_SPARSE(MUSPARSE_STATUS_SUCCESS, musparseCreateColorInfo(&info));
  for (const Real fraction : {Real(1), Real(0.5), Real(0)}) {
    const OnDevice<int> coloring(std::vector<int>(n, -1)), reordering(std::vector<int>(n, -1));
    int count = -1;
    EXPECT_SPARSE(MUSPARSE_STATUS_SUCCESS,
                  MUSPARSE_CALL(T, csrcolor)(this->handle_, n, static_cast<int>(a.nnz()), descr.descr,
                                             csr.values.api(), csr.offsets.get(), csr.indices.get(),
                                             &fraction, &count, coloring.get(), reordering.get(), info));
    const auto colors = coloring.fetch(), order = reordering.fetch();
    EXPECT_EQ(std::set<int>(colors.begin(), colors.end()).size(), static_cast<size_t>(count));
    EXPECT_EQ(*std::min_element(colors.begin(), colors.end()), 1);
    EXPECT_EQ(*std::max_element(colors.begin(), colors.end()), count);
    if (fraction == 1) EXPECT_LE(count, 5);  // no row has more than four neighbours
    if (fraction == 0) EXPECT_EQ(count, n);
    for (size_t row = 0; row < n; ++row)
      for (int k = a.offsets[row] - 1; k < a.offsets[row + 1] - 1; ++k) {
        const auto column = static_cast<size_t>(a.indices[static_cast<size_t>(k)] - 1);
        if (column != row) EXPECT_NE(colors[row], colors[column]);
      }
    EXPECT_EQ(std::set<int>(order.begin(), order.end()).size(), static_cast<size_t>(n));
    for (size_t i = 1; i < n; ++i)
      EXPECT_LE(colors[static_cast<size_t>(order[i - 1] - 1)], colors[static_cast<size_t>(order[i] - 1)]);
  }
  musparseDestroyColorInfo(info);
}

TEST_F(MusparseTest, AlgorithmsOfColors) {
  musparseColorInfo_t info = nullptr;
  ASSERT_SPARSE(MUSPARSE_STATUS_SUCCESS, musparseCreateColorInfo(&info));
  auto algorithm = MUSPARSE_COLOR_ALG1;
  EXPECT_SPARSE(MUSPARSE_STATUS_SUCCESS, musparseGetColorAlgs(info, &algorithm));
  EXPECT_EQ(algorithm, MUSPARSE_COLOR_ALG0);
  EXPECT_SPARSE(MUSPARSE_STATUS_SUCCESS, musparseSetColorAlgs(info, MUSPARSE_COLOR_ALG1));
  EXPECT_SPARSE(MUSPARSE_STATUS_SUCCESS, musparseGetColorAlgs(info, &algorithm));
  EXPECT_EQ(algorithm, MUSPARSE_COLOR_ALG1);
  EXPECT_SPARSE(MUSPARSE_STATUS_INVALID_VALUE,
                musparseSetColorAlgs(info, static_cast<musparseColorAlg_t>(5)));
  // Of no rows there are no colours: the count stays as it was.
  musparseMatDescr_t descr = nullptr;
  musparseCreateMatDescr(&descr);
  const float whole = 1;
  int count = 7;
  EXPECT_SPARSE(MUSPARSE_STATUS_SUCCESS, musparseScsrcolor(handle_, 0, 0, descr, nullptr, nullptr, nullptr,
                                                           &whole, &count, nullptr, nullptr, info));
  EXPECT_EQ(count, 7);
  musparseDestroyMatDescr(descr);
  musparseDestroyColorInfo(info);
}

}  // namespace
}  // namespace musashim::test
