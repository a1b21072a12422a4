// 8-bit integers in tiles.
#include "mublasLt/support.h"

namespace musashim::test {
namespace {

constexpr int kM = 24, kN = 17, kK = 32;

// Elements of tiles, found by the row and the column that they hold.
TEST_F(MublasLtTest, OrdersInTiles) {
  constexpr int kRows = 40, kColumns = 70;
  mublasLtMatrixTransformDescOpaque_t transform;
  ASSERT_BLAS(MUBLAS_STATUS_SUCCESS, mublasLtMatrixTransformDescInit(&transform, MUSA_R_32F));
  const float one = 1, zero = 0;
  const auto run = [&](const void* from, Layout& source, void* to, Layout& target) {
    return mublasLtMatrixTransform(handle_, &transform, &one, from, &source.memory, &zero, nullptr, nullptr,
                                   to, &target.memory, nullptr);
  };
  for (const auto order : {MUBLASLT_ORDER_COL32, MUBLASLT_ORDER_COL4_4R2_8C, MUBLASLT_ORDER_COL32_2R_4R4}) {
    constexpr int kLd = 32 * 64;
    Layout plain(MUSA_R_8I, kRows, kColumns, kRows), tiled(MUSA_R_8I, kRows, kColumns, kLd);
    tiled.set(MUBLASLT_MATRIX_LAYOUT_ORDER, static_cast<int32_t>(order));
    std::vector<int8_t> rows, columns;
    for (int column = 0; column < kColumns; ++column)
      for (int row = 0; row < kRows; ++row) {
        rows.push_back(static_cast<int8_t>(row));
        columns.push_back(static_cast<int8_t>(column));
      }
    const OnDevice<int8_t> ofRows(rows), ofColumns(columns), tiledRows(std::vector<int8_t>(3 * kLd, -1)),
        tiledColumns(std::vector<int8_t>(3 * kLd, -1)), back(rows);
    ASSERT_BLAS(MUBLAS_STATUS_SUCCESS, run(ofRows.get(), plain, tiledRows.get(), tiled));
    ASSERT_BLAS(MUBLAS_STATUS_SUCCESS, run(ofColumns.get(), plain, tiledColumns.get(), tiled));
    const auto foundRows = tiledRows.fetch(), foundColumns = tiledColumns.fetch();
    int elements = 0;
    for (size_t i = 0; i < foundRows.size(); ++i) {
      if (foundRows[i] <= 0 && foundColumns[i] <= 0) continue;  // what fills the tiles, and the first element
      ++elements;
      EXPECT_EQ(static_cast<size_t>(foundColumns[i]) / 32, i / kLd);  // 32 columns a tile
    }
    EXPECT_EQ(elements, kRows * kColumns - 1);
    EXPECT_EQ(foundRows[0], 0);
    EXPECT_EQ(foundRows[2 * kLd + (order == MUBLASLT_ORDER_COL4_4R2_8C ? 40 : 8)], 0);  // columns 70 and on
    const bool isRead = order == MUBLASLT_ORDER_COL32;
    EXPECT_EQ(run(tiledColumns.get(), tiled, back.get(), plain),
              isRead ? MUBLAS_STATUS_SUCCESS : MUBLAS_STATUS_NOT_SUPPORTED);
    if (isRead) EXPECT_EQ(back.fetch(), columns);
    Layout floats(MUSA_R_32F, kRows, kColumns, kLd);
    floats.set(MUBLASLT_MATRIX_LAYOUT_ORDER, static_cast<int32_t>(order));
    EXPECT_BLAS(MUBLAS_STATUS_NOT_SUPPORTED, run(ofRows.get(), plain, tiledRows.get(), floats));
  }
}

TEST_F(MublasLtTest, ProductsInTiles) {
  const auto a = integers<int8_t>(kM * kK, 1, 100), b = integers<int8_t>(kN * kK, 2, 100);
  const OnDevice<int8_t> plainA(a), plainB(b), tiledA{std::vector<int8_t>(2 * 32 * 32)},
      tiledB{std::vector<int8_t>(2 * 64 * 32)};
  const OnDevice<int32_t> tiledC{std::vector<int32_t>(2 * 32 * 32)}, c{std::vector<int32_t>(kM * kN)};
  Layout ofA(MUSA_R_8I, kM, kK, kM), ofB(MUSA_R_8I, kN, kK, kN), ofC(MUSA_R_32I, kM, kN, kM);
  Layout inTilesA(MUSA_R_8I, kM, kK, 32 * 32), inTilesB(MUSA_R_8I, kN, kK, 64 * 32),
      inTilesC(MUSA_R_32I, kM, kN, 32 * 32);
  const auto transformed = [&](musaDataType scale, const void* from, Layout& source, void* to,
                               Layout& target) {
    mublasLtMatrixTransformDescOpaque_t transform;
    EXPECT_BLAS(MUBLAS_STATUS_SUCCESS, mublasLtMatrixTransformDescInit(&transform, scale));
    const float one = 1;
    const int32_t whole = 1;
    const void* const factor = scale == MUSA_R_32F ? static_cast<const void*>(&one) : &whole;
    EXPECT_BLAS(MUBLAS_STATUS_SUCCESS,
                mublasLtMatrixTransform(handle_, &transform, factor, from, &source.memory, nullptr, nullptr,
                                        nullptr, to, &target.memory, nullptr));
  };
  inTilesA.set(MUBLASLT_MATRIX_LAYOUT_ORDER, static_cast<int32_t>(MUBLASLT_ORDER_COL32));
  inTilesC.set(MUBLASLT_MATRIX_LAYOUT_ORDER, static_cast<int32_t>(MUBLASLT_ORDER_COL32));
  transformed(MUSA_R_32F, plainA.get(), ofA, tiledA.get(), inTilesA);
  for (const auto order : {MUBLASLT_ORDER_COL4_4R2_8C, MUBLASLT_ORDER_COL32_2R_4R4}) {
    inTilesB.set(MUBLASLT_MATRIX_LAYOUT_ORDER, static_cast<int32_t>(order));
    transformed(MUSA_R_32F, plainB.get(), ofB, tiledB.get(), inTilesB);
    Operation operation(MUBLAS_COMPUTE_32I, MUSA_R_32I);
    const int32_t alpha = 2, beta = 0;
    const auto product = [&] {
      return multiply(operation, &alpha, tiledA.get(), inTilesA, tiledB.get(), inTilesB, &beta, tiledC.get(),
                      inTilesC, tiledC.get(), inTilesC);
    };
    EXPECT_NE(MUBLAS_STATUS_SUCCESS, product());  // B is turned
    operation.set(MUBLASLT_MATMUL_DESC_TRANSB, static_cast<int32_t>(MUBLAS_OP_T));
    ASSERT_BLAS(MUBLAS_STATUS_SUCCESS, product());
    transformed(MUSA_R_32I, tiledC.get(), inTilesC, c.get(), ofC);
    const auto got = c.fetch();
    for (size_t column = 0; column < kN; ++column)
      for (size_t row = 0; row < kM; ++row) {
        int sum = 0;
        for (size_t k = 0; k < kK; ++k) sum += a[k * kM + row] * b[k * kN + column];
        ASSERT_EQ(2 * sum, got[column * kM + row]);
      }
  }
}

}  // namespace
}  // namespace musashim::test
