#include "musparse/support.h"

namespace musashim::test {
namespace {

TYPED_TEST_SUITE(MusparseTyped, MusparseTypes);

TYPED_TEST(MusparseTyped, ColumnsAndBack) {
  using T = TypeParam;
  for (const int base : {0, 1}) {
    const auto a = HostCsr<T>::random(13, 17, 1, base);
    const auto nnz = static_cast<size_t>(a.nnz());
    const DeviceCsr<T> csr(a);
    const OnDevice<int> offsets(std::vector<int>(18)), rows(std::vector<int>{std::vector<int>(nnz)}),
        back(a.offsets), columns{std::vector<int>(nnz)};
    const OnDevice<T> values{std::vector<T>(nnz)}, again{std::vector<T>(nnz)};
    const auto from = static_cast<musparseIndexBase_t>(base);
    EXPECT_SPARSE(
        MUSPARSE_STATUS_SUCCESS,
        musparseCsr2cscEx2(this->handle_, 13, 17, static_cast<int>(nnz), csr.values.get(), csr.offsets.get(),
                           csr.indices.get(), values.get(), offsets.get(), rows.get(), kType<T>,
                           MUSPARSE_ACTION_NUMERIC, from, MUSPARSE_CSR2CSC_ALG1, this->buffer_.get()));
    EXPECT_SPARSE(
        MUSPARSE_STATUS_SUCCESS,
        musparseCsr2cscEx2(this->handle_, 17, 13, static_cast<int>(nnz), values.get(), offsets.get(),
                           rows.get(), again.get(), back.get(), columns.get(), kType<T>,
                           MUSPARSE_ACTION_NUMERIC, from, MUSPARSE_CSR2CSC_ALG1, this->buffer_.get()));
    EXPECT_EQ(back.fetch(), a.offsets);
    EXPECT_EQ(columns.fetch(), a.indices);
    EXPECT_EQ(again.fetch(), a.values);
  }
}

TYPED_TEST(MusparseTyped, BlocksAndBack) {
  using T = TypeParam;
  const int m = 12, n = 8, block = 4;
  const auto a = HostCsr<T>::random(m, n, 2);
  const DeviceCsr<T> csr(a);
  musparseMatDescr_t descr = nullptr;
  musparseCreateMatDescr(&descr);
  for (const auto direction : {MUSPARSE_DIRECTION_ROW, MUSPARSE_DIRECTION_COLUMN}) {
    const OnDevice<int> offsets(std::vector<int>(4)), columns(std::vector<int>(6)),
        back(std::vector<int>(13)), backColumns(std::vector<int>(96));
    const OnDevice<T> values(std::vector<T>(96)), backValues(std::vector<T>(96));
    int blocks = 0;
    EXPECT_SPARSE(MUSPARSE_STATUS_SUCCESS,
                  musparseXcsr2bsrNnz(this->handle_, direction, m, n, descr, csr.offsets.get(),
                                      csr.indices.get(), block, descr, offsets.get(), &blocks));
    EXPECT_EQ(blocks, offsets.fetch().back());
    EXPECT_SPARSE(MUSPARSE_STATUS_SUCCESS,
                  MUSPARSE_CALL(T, csr2bsr)(this->handle_, direction, m, n, descr, csr.values.api(),
                                            csr.offsets.get(), csr.indices.get(), block, descr, values.api(),
                                            offsets.get(), columns.get()));
    // The product by blocks is that of the matrix.
    const auto x = randomNumbers<T>(n, 3);
    const OnDevice<T> in(x), out{std::vector<T>(m)};
    const T one(1), zero(0);
    EXPECT_SPARSE(MUSPARSE_STATUS_SUCCESS,
                  MUSPARSE_CALL(T, bsrmv)(this->handle_, direction, MUSPARSE_OPERATION_NON_TRANSPOSE, 3, 2,
                                          blocks, api(&one), descr, values.api(), offsets.get(),
                                          columns.get(), block, in.api(), api(&zero), out.api()));
    expectNear(
        out.fetch(),
        referenceGemm<T>(MUBLAS_OP_N, MUBLAS_OP_N, m, 1, n, 1, a.dense(), m, x, n, 0, std::vector<T>(m), m),
        20, "bsrmv");
    EXPECT_SPARSE(MUSPARSE_STATUS_SUCCESS,
                  MUSPARSE_CALL(T, bsr2csr)(this->handle_, direction, 3, 2, descr, values.api(),
                                            offsets.get(), columns.get(), block, descr, backValues.api(),
                                            back.get(), backColumns.get()));
    const HostCsr<T> again{m, n, 0, back.fetch(), backColumns.fetch(), backValues.fetch()};
    EXPECT_EQ(again.dense(), a.dense());
  }
  musparseDestroyMatDescr(descr);
}

TYPED_TEST(MusparseTyped, SumsOfMatrices) {
  using T = TypeParam;
  const auto a = HostCsr<T>::random(9, 11, 4), b = HostCsr<T>::random(9, 11, 5);
  const DeviceCsr<T> left(a), right(b);
  musparseMatDescr_t descr = nullptr;
  musparseCreateMatDescr(&descr);
  const OnDevice<int> offsets(std::vector<int>(10)), columns(std::vector<int>(99));
  const OnDevice<T> values(std::vector<T>(99));
  const T alpha(2), beta(-1);
  int count = 0;
  void* const buffer = this->buffer_.get();
  EXPECT_SPARSE(
      MUSPARSE_STATUS_SUCCESS,
      musparseXcsrgeam2Nnz(this->handle_, 9, 11, descr, static_cast<int>(a.nnz()), left.offsets.get(),
                           left.indices.get(), descr, static_cast<int>(b.nnz()), right.offsets.get(),
                           right.indices.get(), descr, offsets.get(), &count, buffer));
  EXPECT_SPARSE(MUSPARSE_STATUS_SUCCESS,
                MUSPARSE_CALL(T, csrgeam2)(this->handle_, 9, 11, api(&alpha), descr,
                                           static_cast<int>(a.nnz()), left.values.api(), left.offsets.get(),
                                           left.indices.get(), api(&beta), descr, static_cast<int>(b.nnz()),
                                           right.values.api(), right.offsets.get(), right.indices.get(),
                                           descr, values.api(), offsets.get(), columns.get(), buffer));
  const HostCsr<T> sum{9, 11, 0, offsets.fetch(), columns.fetch(), values.fetch()};
  EXPECT_EQ(sum.offsets.back(), count);
  const auto denseA = a.dense(), denseB = b.dense(), dense = sum.dense();
  for (size_t i = 0; i < dense.size(); ++i) EXPECT_EQ(dense[i], denseA[i] * T(2) - denseB[i]);
  musparseDestroyMatDescr(descr);
}

TYPED_TEST(MusparseTyped, DenseToSparseAndBack) {
  using T = TypeParam;
  const auto a = HostCsr<T>::random(10, 7, 6);
  const Dense<T> dense(10, 7, a.dense()), back(10, 7, std::vector<T>(70, T(9)));
  const OnDevice<int> offsets(std::vector<int>(11)), columns(std::vector<int>(70));
  const OnDevice<T> values(std::vector<T>(70));
  musparseSpMatDescr_t b = nullptr;
  musparseCreateCsr(&b, 10, 7, 0, offsets.get(), nullptr, nullptr, MUSPARSE_INDEX_32I, MUSPARSE_INDEX_32I,
                    MUSPARSE_INDEX_BASE_ZERO, kType<T>);
  const auto alg = MUSPARSE_DENSETOSPARSE_ALG_DEFAULT;
  EXPECT_SPARSE(MUSPARSE_STATUS_SUCCESS,
                musparseDenseToSparse_analysis(this->handle_, dense.describe, b, alg, this->buffer_.get()));
  int64_t rows = 0, cols = 0, nnz = 0;
  musparseSpMatGetSize(b, &rows, &cols, &nnz);
  EXPECT_EQ(nnz, a.nnz());
  musparseCsrSetPointers(b, offsets.get(), columns.get(), values.get());
  EXPECT_SPARSE(MUSPARSE_STATUS_SUCCESS,
                musparseDenseToSparse_convert(this->handle_, dense.describe, b, alg, this->buffer_.get()));
  EXPECT_EQ(offsets.fetch(), a.offsets);
  EXPECT_SPARSE(MUSPARSE_STATUS_SUCCESS,
                musparseSparseToDense(this->handle_, b, back.describe, MUSPARSE_SPARSETODENSE_ALG_DEFAULT,
                                      this->buffer_.get()));
  EXPECT_EQ(back.values.fetch(), a.dense());
  musparseDestroySpMat(b);
}

TEST_F(MusparseTest, SortingTakesThePermutationAlong) {
  const std::vector<int> rows{2, 0, 1, 0, 2, 0}, columns{1, 3, 2, 1, 0, 0};
  const OnDevice<int> first(rows), second(columns), order(std::vector<int>(6));
  EXPECT_SPARSE(MUSPARSE_STATUS_SUCCESS, musparseCreateIdentityPermutation(handle_, 6, order.get()));
  EXPECT_SPARSE(MUSPARSE_STATUS_SUCCESS, musparseXcoosortByRow(handle_, 3, 4, 6, first.get(), second.get(),
                                                               order.get(), buffer_.get()));
  EXPECT_EQ(first.fetch(), (std::vector<int>{0, 0, 0, 1, 2, 2}));
  EXPECT_EQ(second.fetch(), (std::vector<int>{0, 1, 3, 2, 0, 1}));
  EXPECT_EQ(order.fetch(), (std::vector<int>{5, 3, 1, 2, 4, 0}));
}

}  // namespace
}  // namespace musashim::test
