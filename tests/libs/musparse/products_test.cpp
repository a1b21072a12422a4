#include "musparse/support.h"

namespace musashim::test {
namespace {

TYPED_TEST_SUITE(MusparseTyped, MusparseTypes);

template <class T>
std::vector<musparseOperation_t> operations() {
  std::vector<musparseOperation_t> all{MUSPARSE_OPERATION_NON_TRANSPOSE, MUSPARSE_OPERATION_TRANSPOSE};
  if (kIsComplex<T>) all.push_back(MUSPARSE_OPERATION_CONJUGATE_TRANSPOSE);
  return all;
}

template <class T, class I>
void multiplyVector(musparseHandle_t handle, int base) {
  const auto a = HostCsr<T, I>::random(37, 29, 1, base);
  const DeviceCsr<T, I> csr(a);
  std::vector<I> rows;
  for (int row = 0; row < a.rows; ++row)
    for (I k = a.offsets[static_cast<size_t>(row)]; k < a.offsets[static_cast<size_t>(row) + 1]; ++k)
      rows.push_back(static_cast<I>(row + base));
  const OnDevice<I> rowIndices(rows);
  musparseSpMatDescr_t coo = nullptr, csc = nullptr;
  const auto from = static_cast<musparseIndexBase_t>(base);
  ASSERT_SPARSE(MUSPARSE_STATUS_SUCCESS,
                musparseCreateCoo(&coo, a.rows, a.columns, a.nnz(), rowIndices.get(), csr.indices.get(),
                                  csr.values.get(), kIndex<I>, from, kType<T>));
  // The same arrays as columns are the transposed matrix.
  ASSERT_SPARSE(MUSPARSE_STATUS_SUCCESS,
                musparseCreateCsc(&csc, a.columns, a.rows, a.nnz(), csr.offsets.get(), csr.indices.get(),
                                  csr.values.get(), kIndex<I>, kIndex<I>, from, kType<T>));
  const auto dense = a.dense();
  const T alpha(2), beta(-3);
  for (const auto op : operations<T>()) {
    const bool turned = op != MUSPARSE_OPERATION_NON_TRANSPOSE;
    const int m = turned ? a.columns : a.rows, k = turned ? a.rows : a.columns;
    const auto x = randomNumbers<T>(static_cast<size_t>(k), 2),
               y = randomNumbers<T>(static_cast<size_t>(m), 3);
    const auto expected =
        referenceGemm<T>(blasOf(op), MUBLAS_OP_N, m, 1, k, 2, dense, a.rows, x, k, -3, y, m);
    for (const auto matrix : {csr.describe, coo}) {
      const Vector<T> in(x), out(y);
      EXPECT_SPARSE(MUSPARSE_STATUS_SUCCESS,
                    musparseSpMV(handle, op, &alpha, matrix, in.describe, &beta, out.describe, kType<T>,
                                 MUSPARSE_SPMV_ALG_DEFAULT, nullptr));
      expectNear(out.values.fetch(), expected, 60, "SpMV");
    }
    if (op == MUSPARSE_OPERATION_CONJUGATE_TRANSPOSE) continue;
    const Vector<T> in(x), out(y);
    EXPECT_SPARSE(
        MUSPARSE_STATUS_SUCCESS,
        musparseSpMV(handle, turned ? MUSPARSE_OPERATION_NON_TRANSPOSE : MUSPARSE_OPERATION_TRANSPOSE, &alpha,
                     csc, in.describe, &beta, out.describe, kType<T>, MUSPARSE_SPMV_ALG_DEFAULT, nullptr));
    expectNear(out.values.fetch(), expected, 60, "SpMV of columns");
  }
  EXPECT_SPARSE(MUSPARSE_STATUS_SUCCESS, musparseDestroySpMat(coo));
  EXPECT_SPARSE(MUSPARSE_STATUS_SUCCESS, musparseDestroySpMat(csc));
}

TYPED_TEST(MusparseTyped, MatrixTimesVector) {
  for (const int base : {0, 1}) {
    multiplyVector<TypeParam, int>(this->handle_, base);
    multiplyVector<TypeParam, int64_t>(this->handle_, base);
  }
}

TYPED_TEST(MusparseTyped, ManyRowsAreSharedAmongThreads) {
  using T = TypeParam;
  const auto a = HostCsr<T>::random(500, 500, 4);
  const DeviceCsr<T> csr(a);
  const auto x = randomNumbers<T>(500, 5);
  const Vector<T> in(x), out(std::vector<T>(500, T(std::numeric_limits<float>::quiet_NaN())));
  const T one(1), zero(0);
  EXPECT_SPARSE(MUSPARSE_STATUS_SUCCESS,
                musparseSpMV(this->handle_, MUSPARSE_OPERATION_NON_TRANSPOSE, &one, csr.describe, in.describe,
                             &zero, out.describe, kType<T>, MUSPARSE_SPMV_CSR_ALG2, this->buffer_.get()));
  expectNear(out.values.fetch(),
             referenceGemm<T>(MUBLAS_OP_N, MUBLAS_OP_N, 500, 1, 500, 1, a.dense(), 500, x, 500, 0,
                              std::vector<T>(500), 500),
             400, "SpMV");
}

TYPED_TEST(MusparseTyped, MatrixTimesMatrix) {
  using T = TypeParam;
  const auto a = HostCsr<T>::random(19, 23, 6);
  const DeviceCsr<T> csr(a);
  const int n = 5;
  const T alpha(2), beta(3);
  for (const auto opA : operations<T>())
    for (const auto opB : operations<T>())
      for (const auto order : {MUSPARSE_ORDER_COL, MUSPARSE_ORDER_ROW}) {
        const bool turnedA = opA != MUSPARSE_OPERATION_NON_TRANSPOSE,
                   turnedB = opB != MUSPARSE_OPERATION_NON_TRANSPOSE;
        const int m = turnedA ? a.columns : a.rows, k = turnedA ? a.rows : a.columns;
        const int rowsB = turnedB ? n : k, columnsB = turnedB ? k : n;
        const auto b = randomNumbers<T>(static_cast<size_t>(n * k), 7),
                   c = randomNumbers<T>(static_cast<size_t>(m * n), 8);
        const Dense<T> right(rowsB, columnsB, b), result(m, n, c, order);
        ASSERT_SPARSE(MUSPARSE_STATUS_SUCCESS, musparseSpMM(this->handle_, opA, opB, &alpha, csr.describe,
                                                            right.describe, &beta, result.describe, kType<T>,
                                                            MUSPARSE_SPMM_ALG_DEFAULT, this->buffer_.get()));
        // Rows of C are columns of the turned one.
        auto old = c;
        if (order == MUSPARSE_ORDER_ROW)
          for (int row = 0; row < m; ++row)
            for (int column = 0; column < n; ++column)
              old[static_cast<size_t>(column * m + row)] = c[static_cast<size_t>(row * n + column)];
        const auto expected =
            referenceGemm<T>(blasOf(opA), blasOf(opB), m, n, k, 2, a.dense(), a.rows, b, rowsB, 3, old, m);
        auto got = result.values.fetch();
        if (order == MUSPARSE_ORDER_ROW) {
          const auto rows = got;
          for (int row = 0; row < m; ++row)
            for (int column = 0; column < n; ++column)
              got[static_cast<size_t>(column * m + row)] = rows[static_cast<size_t>(row * n + column)];
        }
        expectNear(got, expected, 60, "SpMM");
      }
}

TYPED_TEST(MusparseTyped, DenseProductWhereAMatrixHasElements) {
  using T = TypeParam;
  const auto pattern = HostCsr<T>::random(11, 13, 9);
  const int k = 6;
  const auto a = randomNumbers<T>(static_cast<size_t>(11 * k), 10),
             b = randomNumbers<T>(static_cast<size_t>(k * 13), 11);
  const DeviceCsr<T> c(pattern);
  const Dense<T> left(11, k, a), right(k, 13, b);
  const T alpha(2), beta(1);
  EXPECT_SPARSE(MUSPARSE_STATUS_SUCCESS,
                musparseSDDMM(this->handle_, MUSPARSE_OPERATION_NON_TRANSPOSE,
                              MUSPARSE_OPERATION_NON_TRANSPOSE, &alpha, left.describe, right.describe, &beta,
                              c.describe, kType<T>, MUSPARSE_SDDMM_ALG_DEFAULT, this->buffer_.get()));
  const auto whole =
      referenceGemm<T>(MUBLAS_OP_N, MUBLAS_OP_N, 11, 13, k, 2, a, 11, b, k, 0, std::vector<T>(11 * 13), 11);
  std::vector<Wide> expected;
  for (int row = 0; row < 11; ++row)
    for (int at = pattern.offsets[static_cast<size_t>(row)];
         at < pattern.offsets[static_cast<size_t>(row) + 1]; ++at)
      expected.push_back(whole[static_cast<size_t>(pattern.indices[static_cast<size_t>(at)] * 11 + row)] +
                         wide(pattern.values[static_cast<size_t>(at)]));
  expectNear(c.values.fetch(), expected, 40, "SDDMM");
}

TYPED_TEST(MusparseTyped, SparseTimesSparse) {
  using T = TypeParam;
  const auto a = HostCsr<T>::random(17, 21, 12), b = HostCsr<T>::random(21, 15, 13);
  const DeviceCsr<T> left(a), right(b);
  const OnDevice<int> offsets(std::vector<int>(18)), columns(std::vector<int>(17 * 15));
  const OnDevice<T> values(std::vector<T>(17 * 15));
  musparseSpMatDescr_t c = nullptr;
  ASSERT_SPARSE(MUSPARSE_STATUS_SUCCESS,
                musparseCreateCsr(&c, 17, 15, 0, offsets.get(), nullptr, nullptr, MUSPARSE_INDEX_32I,
                                  MUSPARSE_INDEX_32I, MUSPARSE_INDEX_BASE_ZERO, kType<T>));
  musparseSpGEMMDescr_t descr = nullptr;
  ASSERT_SPARSE(MUSPARSE_STATUS_SUCCESS, musparseSpGEMM_createDescr(&descr));
  const auto N = MUSPARSE_OPERATION_NON_TRANSPOSE;
  const T alpha(2), zero(0);
  size_t size = 0;
  const auto alg = MUSPARSE_SPGEMM_DEFAULT;
  EXPECT_SPARSE(MUSPARSE_STATUS_SUCCESS,
                musparseSpGEMM_workEstimation(this->handle_, N, N, &alpha, left.describe, right.describe,
                                              &zero, c, kType<T>, alg, descr, &size, nullptr));
  EXPECT_GT(size, 0u);
  EXPECT_SPARSE(MUSPARSE_STATUS_SUCCESS,
                musparseSpGEMM_workEstimation(this->handle_, N, N, &alpha, left.describe, right.describe,
                                              &zero, c, kType<T>, alg, descr, &size, this->buffer_.get()));
  EXPECT_SPARSE(MUSPARSE_STATUS_SUCCESS,
                musparseSpGEMM_compute(this->handle_, N, N, &alpha, left.describe, right.describe, &zero, c,
                                       kType<T>, alg, descr, &size, this->buffer_.get()));
  int64_t rows = 0, cols = 0, nnz = 0;
  EXPECT_SPARSE(MUSPARSE_STATUS_SUCCESS, musparseSpMatGetSize(c, &rows, &cols, &nnz));
  EXPECT_SPARSE(MUSPARSE_STATUS_SUCCESS,
                musparseCsrSetPointers(c, offsets.get(), columns.get(), values.get()));
  EXPECT_SPARSE(MUSPARSE_STATUS_SUCCESS, musparseSpGEMM_copy(this->handle_, N, N, &alpha, left.describe,
                                                             right.describe, &zero, c, kType<T>, alg, descr));
  HostCsr<T> result{17, 15, 0, offsets.fetch(), columns.fetch(), values.fetch()};
  EXPECT_EQ(result.offsets.back(), nnz);
  expectNear(result.dense(),
             referenceGemm<T>(MUBLAS_OP_N, MUBLAS_OP_N, 17, 15, 21, 2, a.dense(), 17, b.dense(), 21, 0,
                              std::vector<T>(17 * 15), 17),
             60, "SpGEMM");
  EXPECT_SPARSE(MUSPARSE_STATUS_SUCCESS, musparseSpGEMM_destroyDescr(descr));
  EXPECT_SPARSE(MUSPARSE_STATUS_SUCCESS, musparseDestroySpMat(c));
}

// Elements of 8 and 16 bits, sums of 32.
TEST_F(MusparseTest, NarrowElements) {
  const OnDevice<int> offsets(std::vector<int>{0, 2, 3}), columns(std::vector<int>{0, 1, 1});
  const OnDevice<int8_t> bytes(std::vector<int8_t>{100, -100, 7}), x(std::vector<int8_t>{100, 3});
  const OnDevice<int> y(std::vector<int>{1, 1});
  musparseSpMatDescr_t a = nullptr;
  musparseDnVecDescr_t in = nullptr, out = nullptr;
  musparseCreateCsr(&a, 2, 2, 3, offsets.get(), columns.get(), bytes.get(), MUSPARSE_INDEX_32I,
                    MUSPARSE_INDEX_32I, MUSPARSE_INDEX_BASE_ZERO, MUSA_R_8I);
  musparseCreateDnVec(&in, 2, x.get(), MUSA_R_8I);
  musparseCreateDnVec(&out, 2, y.get(), MUSA_R_32I);
  const int alpha = 2, beta = 5;
  EXPECT_SPARSE(MUSPARSE_STATUS_SUCCESS,
                musparseSpMV(handle_, MUSPARSE_OPERATION_NON_TRANSPOSE, &alpha, a, in, &beta, out, MUSA_R_32I,
                             MUSPARSE_SPMV_ALG_DEFAULT, nullptr));
  EXPECT_EQ(y.fetch(), (std::vector<int>{2 * (10000 - 300) + 5, 2 * 21 + 5}));
  musparseDestroySpMat(a);
  musparseDestroyDnVec(in);
  musparseDestroyDnVec(out);
}

}  // namespace
}  // namespace musashim::test
