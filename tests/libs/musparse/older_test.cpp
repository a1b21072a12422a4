// Calls of cuSPARSE before 12.
#include "musparse/support.h"

namespace musashim::test {
namespace {

TYPED_TEST_SUITE(MusparseTyped, MusparseTypes);

const auto N = MUSPARSE_OPERATION_NON_TRANSPOSE;
const auto kOps = {MUSPARSE_OPERATION_NON_TRANSPOSE, MUSPARSE_OPERATION_TRANSPOSE,
                   MUSPARSE_OPERATION_CONJUGATE_TRANSPOSE};

size_t sizeOf(int rows, int columns) { return static_cast<size_t>(rows) * static_cast<size_t>(columns); }

TYPED_TEST(MusparseTyped, SparseVectors) {
  using T = TypeParam;
  for (const int base : {0, 1}) {
    const auto from = static_cast<musparseIndexBase_t>(base);
    const auto y = randomNumbers<T>(6, 1), x = randomNumbers<T>(3, 2);
    const std::vector<int> indices{4, 0, 3};
    std::vector<int> shifted;
    for (const int index : indices) shifted.push_back(index + base);
    const OnDevice<int> at(shifted);
    const OnDevice<T> dense(y), values(x);
    const T alpha(3);
    EXPECT_SPARSE(
        MUSPARSE_STATUS_SUCCESS,
        MUSPARSE_CALL(T, axpyi)(this->handle_, 3, api(&alpha), values.api(), at.get(), dense.api(), from));
    auto expected = y;
    for (size_t k = 0; k < 3; ++k) expected[static_cast<size_t>(indices[k])] += alpha * x[k];
    EXPECT_EQ(dense.fetch(), expected);
    EXPECT_SPARSE(MUSPARSE_STATUS_SUCCESS,
                  MUSPARSE_CALL(T, gthr)(this->handle_, 3, dense.api(), values.api(), at.get(), from));
    EXPECT_EQ(values.fetch(), (std::vector<T>{expected[4], expected[0], expected[3]}));
    EXPECT_EQ(dense.fetch(), expected);
    EXPECT_SPARSE(MUSPARSE_STATUS_SUCCESS,
                  MUSPARSE_CALL(T, gthrz)(this->handle_, 3, dense.api(), values.api(), at.get(), from));
    EXPECT_EQ(values.fetch(), (std::vector<T>{expected[4], expected[0], expected[3]}));
    EXPECT_EQ(dense.fetch(), (std::vector<T>{0, expected[1], expected[2], 0, 0, expected[5]}));
    EXPECT_SPARSE(MUSPARSE_STATUS_SUCCESS,
                  MUSPARSE_CALL(T, sctr)(this->handle_, 3, values.api(), at.get(), dense.api(), from));
    EXPECT_EQ(dense.fetch(), expected);
    EXPECT_SPARSE(MUSPARSE_STATUS_INVALID_VALUE,
                  MUSPARSE_CALL(T, sctr)(this->handle_, -1, values.api(), at.get(), dense.api(), from));
    if constexpr (!kIsComplex<T>) {
      const T cosine(2), sine(-1);
      EXPECT_SPARSE(MUSPARSE_STATUS_SUCCESS, MUSPARSE_CALL(T, roti)(this->handle_, 3, values.api(), at.get(),
                                                                    dense.api(), &cosine, &sine, from));
      for (size_t k = 0; k < 3; ++k) {
        const T old = expected[static_cast<size_t>(indices[k])];
        EXPECT_EQ(values.fetch()[k], cosine * old + sine * old);
        EXPECT_EQ(dense.fetch()[static_cast<size_t>(indices[k])], cosine * old - sine * old);
      }
    }
  }
}

TYPED_TEST(MusparseTyped, DenseByRowsAndByColumns) {
  using T = TypeParam;
  const int m = 7, n = 5, lda = 9;
  for (const int base : {0, 1}) {
    const auto a = HostCsr<T>::random(m, n, 3, base);
    const auto compact = a.dense();
    std::vector<T> padded(sizeOf(lda, n), T(7));
    for (int column = 0; column < n; ++column)
      std::copy_n(compact.begin() + column * m, m, padded.begin() + column * lda);
    const OnDevice<T> dense(padded);
    const auto nnz = static_cast<size_t>(a.nnz());
    const Description descr(base);
    const OnDevice<int> offsets(std::vector<int>(8)), indices{std::vector<int>(nnz)},
        lengths(std::vector<int>(8));
    const OnDevice<T> values{std::vector<T>(nnz)};
    int total = 0;
    for (const auto direction : {MUSPARSE_DIRECTION_ROW, MUSPARSE_DIRECTION_COLUMN}) {
      const bool rows = direction == MUSPARSE_DIRECTION_ROW;
      EXPECT_SPARSE(MUSPARSE_STATUS_SUCCESS,
                    MUSPARSE_CALL(T, nnz)(this->handle_, direction, m, n, descr.descr, dense.api(), lda,
                                          lengths.get(), &total));
      EXPECT_EQ(static_cast<size_t>(total), nnz);
      const OnDevice<T> back(std::vector<T>(padded.size(), T(7)));
      if (rows) {
        EXPECT_SPARSE(MUSPARSE_STATUS_SUCCESS,
                      MUSPARSE_CALL(T, dense2csr)(this->handle_, m, n, descr.descr, dense.api(), lda,
                                                  lengths.get(), values.api(), offsets.get(), indices.get()));
        EXPECT_EQ(indices.fetch(), a.indices);
        EXPECT_EQ(values.fetch(), a.values);
        EXPECT_SPARSE(MUSPARSE_STATUS_SUCCESS,
                      MUSPARSE_CALL(T, csr2dense)(this->handle_, m, n, descr.descr, values.api(),
                                                  offsets.get(), indices.get(), back.api(), lda));
      } else {
        EXPECT_SPARSE(MUSPARSE_STATUS_SUCCESS,
                      MUSPARSE_CALL(T, dense2csc)(this->handle_, m, n, descr.descr, dense.api(), lda,
                                                  lengths.get(), values.api(), indices.get(), offsets.get()));
        EXPECT_SPARSE(MUSPARSE_STATUS_SUCCESS,
                      MUSPARSE_CALL(T, csc2dense)(this->handle_, m, n, descr.descr, values.api(),
                                                  indices.get(), offsets.get(), back.api(), lda));
      }
      EXPECT_EQ(back.fetch(), padded);
    }
    // The columns of the matrix by another way.
    const DeviceCsr<T> csr(a);
    const OnDevice<T> other{std::vector<T>(nnz)};
    const OnDevice<int> otherRows{std::vector<int>(nnz)}, otherOffsets(std::vector<int>(n + 1));
    EXPECT_SPARSE(MUSPARSE_STATUS_SUCCESS,
                  MUSPARSE_CALL(T, csr2csc)(this->handle_, m, n, static_cast<int>(nnz), csr.values.api(),
                                            csr.offsets.get(), csr.indices.get(), other.api(),
                                            otherRows.get(), otherOffsets.get(), MUSPARSE_ACTION_NUMERIC,
                                            static_cast<musparseIndexBase_t>(base)));
    EXPECT_EQ(other.fetch(), values.fetch());
    EXPECT_EQ(otherRows.fetch(), indices.fetch());
  }
}

TYPED_TEST(MusparseTyped, ProductsOfCsr) {
  using T = TypeParam;
  const int m = 9, k = 7, n = 4;
  const auto a = HostCsr<T>::random(m, k, 4, 1);
  const auto nnz = static_cast<int>(a.nnz());
  const DeviceCsr<T> csr(a);
  const Description descr(1);
  const T alpha(2), beta(-1);
  for (const auto op : kOps) {
    const int rows = op == N ? m : k, inner = op == N ? k : m;
    const auto x = randomNumbers<T>(static_cast<size_t>(inner), 5),
               y = randomNumbers<T>(static_cast<size_t>(rows), 6);
    const OnDevice<T> in(x), out(y);
    EXPECT_SPARSE(
        MUSPARSE_STATUS_SUCCESS,
        MUSPARSE_CALL(T, csrmv)(this->handle_, op, m, k, nnz, api(&alpha), descr.descr, csr.values.api(),
                                csr.offsets.get(), csr.indices.get(), in.api(), api(&beta), out.api()));
    expectNear(out.fetch(),
               referenceGemm<T>(blasOf(op), MUBLAS_OP_N, rows, 1, inner, Wide(2), a.dense(), m, x, inner,
                                Wide(-1), y, rows),
               50, "csrmv");
    for (const bool turned : {false, true}) {
      const int ldb = turned ? n : inner;
      const auto b = randomNumbers<T>(sizeOf(inner, n), 7), c = randomNumbers<T>(sizeOf(rows, n), 8);
      const OnDevice<T> right(b), result(c);
      EXPECT_SPARSE(
          MUSPARSE_STATUS_SUCCESS,
          MUSPARSE_CALL(T, csrmm2)(this->handle_, op, turned ? MUSPARSE_OPERATION_TRANSPOSE : N, m, n, k, nnz,
                                   api(&alpha), descr.descr, csr.values.api(), csr.offsets.get(),
                                   csr.indices.get(), right.api(), ldb, api(&beta), result.api(), rows));
      expectNear(result.fetch(),
                 referenceGemm<T>(blasOf(op), turned ? MUBLAS_OP_T : MUBLAS_OP_N, rows, n, inner, Wide(2),
                                  a.dense(), m, b, ldb, Wide(-1), c, rows),
                 50, "csrmm2");
    }
  }
  // Columns of a dense matrix, put together.
  const auto dense = randomNumbers<T>(sizeOf(n, k), 9), c = randomNumbers<T>(sizeOf(n, m), 10);
  HostCsr<T> fromZero = a;  // by columns: the matrix turned
  for (int& index : fromZero.indices) --index;
  for (int& offset : fromZero.offsets) --offset;
  const OnDevice<int> offsets(fromZero.offsets), indices(fromZero.indices);
  const OnDevice<T> left(dense), result(c);
  EXPECT_SPARSE(
      MUSPARSE_STATUS_SUCCESS,
      MUSPARSE_CALL(T, gemmi)(this->handle_, n, m, k, nnz, api(&alpha), left.api(), n, csr.values.api(),
                              offsets.get(), indices.get(), api(&beta), result.api(), n));
  expectNear(
      result.fetch(),
      referenceGemm<T>(MUBLAS_OP_N, MUBLAS_OP_T, n, m, k, Wide(2), dense, n, a.dense(), m, Wide(-1), c, n),
      50, "gemmi");
}

TYPED_TEST(MusparseTyped, OneTriangleStandsForBoth) {
  using T = TypeParam;
  const int n = 8;
  const auto a = HostCsr<T>::random(n, n, 11, 0, true);
  const auto half = a.dense();
  std::vector<T> whole = half;
  for (size_t column = 0; column < n; ++column)
    for (size_t row = 0; row < column; ++row) whole[column * n + row] = half[row * n + column];
  const DeviceCsr<T> csr(a);
  const Description descr;
  musparseSetMatType(descr, MUSPARSE_MATRIX_TYPE_SYMMETRIC);
  const T alpha(1), beta(0);
  const auto x = randomNumbers<T>(n, 12);
  const OnDevice<T> in(x), out(std::vector<T>(n, T(std::numeric_limits<float>::quiet_NaN())));
  const auto run = [&](musparseOperation_t op) {
    return MUSPARSE_CALL(T, csrmv)(this->handle_, op, n, n, static_cast<int>(a.nnz()), api(&alpha),
                                   descr.descr, csr.values.api(), csr.offsets.get(), csr.indices.get(),
                                   in.api(), api(&beta), out.api());
  };
  EXPECT_SPARSE(MUSPARSE_STATUS_SUCCESS, run(N));
  expectNear(out.fetch(), referenceGemm<T>(MUBLAS_OP_N, MUBLAS_OP_N, n, 1, n, 1, whole, n, x, n, 0, x, n), 50,
             "symmetric");
  EXPECT_SPARSE(MUSPARSE_STATUS_MATRIX_TYPE_NOT_SUPPORTED, run(MUSPARSE_OPERATION_TRANSPOSE));
}

TYPED_TEST(MusparseTyped, SparseProductsAndSums) {
  using T = TypeParam;
  const int m = 6, k = 5, n = 7;
  const auto a = HostCsr<T>::random(m, k, 13), b = HostCsr<T>::random(k, n, 14, 1),
             d = HostCsr<T>::random(m, n, 15);
  const DeviceCsr<T> left(a), right(b), old(d);
  const Description zero, one(1);
  const T alpha(2), beta(-3);
  const auto count = [](const auto& matrix) { return static_cast<int>(matrix.nnz()); };
  for (const int parts : {1, 2, 3}) {
    const T* const factor = parts & 1 ? &alpha : nullptr;
    const T* const added = parts & 2 ? &beta : nullptr;
    csrgemm2Info_t info = nullptr;
    musparseCreateCsrgemm2Info(&info);
    size_t size = 0;
    int total = -1;
    const OnDevice<int> offsets(std::vector<int>(m + 1)), indices(std::vector<int>(m * n));
    const OnDevice<T> values{std::vector<T>(m * n)};
    const void* const buffer = this->buffer_.get();
    EXPECT_SPARSE(MUSPARSE_STATUS_SUCCESS,
                  MUSPARSE_CALL(T, csrgemm2_bufferSizeExt)(
                      this->handle_, m, n, k, api(factor), zero.descr, count(a), left.offsets.get(),
                      left.indices.get(), one.descr, count(b), right.offsets.get(), right.indices.get(),
                      api(added), zero.descr, count(d), old.offsets.get(), old.indices.get(), info, &size));
    EXPECT_SPARSE(MUSPARSE_STATUS_SUCCESS,
                  musparseXcsrgemm2Nnz(
                      this->handle_, m, n, k, zero, count(a), left.offsets.get(), left.indices.get(), one,
                      count(b), right.offsets.get(), right.indices.get(), zero, count(d), old.offsets.get(),
                      old.indices.get(), one, offsets.get(), &total, info, const_cast<void*>(buffer)));
    EXPECT_SPARSE(MUSPARSE_STATUS_SUCCESS,
                  MUSPARSE_CALL(T, csrgemm2)(
                      this->handle_, m, n, k, api(factor), zero.descr, count(a), left.values.api(),
                      left.offsets.get(), left.indices.get(), one.descr, count(b), right.values.api(),
                      right.offsets.get(), right.indices.get(), api(added), zero.descr, count(d),
                      old.values.api(), old.offsets.get(), old.indices.get(), one.descr, values.api(),
                      offsets.get(), indices.get(), info, const_cast<void*>(buffer)));
    HostCsr<T> c{m, n, 1, offsets.fetch(), indices.fetch(), values.fetch()};
    EXPECT_EQ(c.offsets.back() - 1, total);
    c.indices.resize(static_cast<size_t>(total));
    c.values.resize(static_cast<size_t>(total));
    expectNear(c.dense(),
               referenceGemm<T>(MUBLAS_OP_N, MUBLAS_OP_N, m, n, k, factor ? Wide(2) : Wide(0), a.dense(), m,
                                b.dense(), k, added ? Wide(-3) : Wide(0), d.dense(), m),
               50, "csrgemm2");
    musparseDestroyCsrgemm2Info(info);
  }
}

TYPED_TEST(MusparseTyped, OlderTriangularSolutions) {
  using T = TypeParam;
  const int n = 10, columns = 3;
  const auto a = HostCsr<T>::random(n, n, 16, 0, true);
  const int nnz = static_cast<int>(a.nnz());
  const DeviceCsr<T> csr(a);
  const Description descr;
  const auto policy = MUSPARSE_SOLVE_POLICY_USE_LEVEL;
  void* const buffer = this->buffer_.get();
  const T alpha(2);
  for (const auto fill : {MUSPARSE_FILL_MODE_LOWER, MUSPARSE_FILL_MODE_UPPER})
    for (const auto op : kOps) {
      musparseSetMatFillMode(descr, fill);
      auto dense = a.dense();
      for (int column = 0; column < n; ++column)
        for (int row = 0; row < n; ++row)
          if (fill == MUSPARSE_FILL_MODE_LOWER ? row < column : row > column)
            dense[static_cast<size_t>(column * n + row)] = T(0);
      const auto f = randomNumbers<T>(n, 17);
      const OnDevice<T> in(f), out{std::vector<T>(n)};
      csrsv2Info_t info = nullptr;
      musparseCreateCsrsv2Info(&info);
      int bytes = 0, position = 7;
      EXPECT_SPARSE(MUSPARSE_STATUS_SUCCESS, MUSPARSE_CALL(T, csrsv2_bufferSize)(
                                                 this->handle_, op, n, nnz, descr.descr, csr.values.api(),
                                                 csr.offsets.get(), csr.indices.get(), info, &bytes));
      EXPECT_SPARSE(MUSPARSE_STATUS_SUCCESS, MUSPARSE_CALL(T, csrsv2_analysis)(
                                                 this->handle_, op, n, nnz, descr.descr, csr.values.api(),
                                                 csr.offsets.get(), csr.indices.get(), info, policy, buffer));
      EXPECT_SPARSE(MUSPARSE_STATUS_SUCCESS,
                    MUSPARSE_CALL(T, csrsv2_solve)(this->handle_, op, n, nnz, api(&alpha), descr.descr,
                                                   csr.values.api(), csr.offsets.get(), csr.indices.get(),
                                                   info, in.api(), out.api(), policy, buffer));
      EXPECT_SPARSE(MUSPARSE_STATUS_SUCCESS, musparseXcsrsv2_zeroPivot(this->handle_, info, &position));
      EXPECT_EQ(position, -1);
      std::vector<Wide> expected;
      for (const T& value : f) expected.push_back(wide(value) * Wide(2));
      const auto product =
          referenceGemm<T>(blasOf(op), MUBLAS_OP_N, n, 1, n, 1, dense, n, out.fetch(), n, 0, f, n);
      for (size_t i = 0; i < n; ++i) EXPECT_LE(std::abs(product[i] - expected[i]), kUlp<T> * 200);
      musparseDestroyCsrsv2Info(info);

      // Many at once, of a right-hand side that is stored by rows.
      const auto many = randomNumbers<T>(sizeOf(n, columns), 18);
      const OnDevice<T> both(many);
      csrsm2Info_t other = nullptr;
      musparseCreateCsrsm2Info(&other);
      const auto turned = MUSPARSE_OPERATION_TRANSPOSE;
      EXPECT_SPARSE(
          MUSPARSE_STATUS_SUCCESS,
          MUSPARSE_CALL(T, csrsm2_analysis)(this->handle_, 0, op, turned, n, columns, nnz, api(&alpha),
                                            descr.descr, csr.values.api(), csr.offsets.get(),
                                            csr.indices.get(), both.api(), columns, other, policy, buffer));
      EXPECT_SPARSE(
          MUSPARSE_STATUS_SUCCESS,
          MUSPARSE_CALL(T, csrsm2_solve)(this->handle_, 0, op, turned, n, columns, nnz, api(&alpha),
                                         descr.descr, csr.values.api(), csr.offsets.get(), csr.indices.get(),
                                         both.api(), columns, other, policy, buffer));
      const auto products = referenceGemm<T>(blasOf(op), MUBLAS_OP_T, n, columns, n, 1, dense, n,
                                             both.fetch(), columns, 0, many, n);
      for (size_t column = 0; column < columns; ++column)
        for (size_t row = 0; row < n; ++row)
          EXPECT_LE(std::abs(products[column * n + row] - wide(many[row * columns + column]) * Wide(2)),
                    kUlp<T> * 200);
      musparseDestroyCsrsm2Info(other);
    }
}

TEST_F(MusparseTest, MissingPivotsAreTold) {
  const OnDevice<int> offsets({0, 1, 2, 4}), columns({0, 0, 1, 2});
  const OnDevice<float> values({2, 1, 1, 3}), f({1, 1, 1}), x(std::vector<float>(3));
  const Description descr;
  csrsv2Info_t info = nullptr;
  musparseCreateCsrsv2Info(&info);
  EXPECT_SPARSE(MUSPARSE_STATUS_SUCCESS,
                musparseScsrsv2_analysis(handle_, N, 3, 4, descr, values.get(), offsets.get(), columns.get(),
                                         info, MUSPARSE_SOLVE_POLICY_NO_LEVEL, buffer_.get()));
  int position = -1;
  EXPECT_SPARSE(MUSPARSE_STATUS_ZERO_PIVOT, musparseXcsrsv2_zeroPivot(handle_, info, &position));
  EXPECT_EQ(position, 1);
  musparseSetMatDiagType(descr, MUSPARSE_DIAG_TYPE_UNIT);
  EXPECT_SPARSE(MUSPARSE_STATUS_SUCCESS,
                musparseScsrsv2_analysis(handle_, N, 3, 4, descr, values.get(), offsets.get(), columns.get(),
                                         info, MUSPARSE_SOLVE_POLICY_NO_LEVEL, buffer_.get()));
  EXPECT_SPARSE(MUSPARSE_STATUS_SUCCESS, musparseXcsrsv2_zeroPivot(handle_, info, &position));
  const float alpha = 1;
  EXPECT_SPARSE(
      MUSPARSE_STATUS_SUCCESS,
      musparseScsrsv2_solve(handle_, N, 3, 4, &alpha, descr, values.get(), offsets.get(), columns.get(), info,
                            f.get(), x.get(), MUSPARSE_SOLVE_POLICY_NO_LEVEL, buffer_.get()));
  EXPECT_EQ(x.fetch(), (std::vector<float>{1, 0, 1}));
  musparseDestroyCsrsv2Info(info);
}

TEST_F(MusparseTest, ProductsByTypesOfData) {
  const auto a = HostCsr<double>::random(6, 5, 20);
  const DeviceCsr<double> csr(a);
  const auto x = randomNumbers<double>(5, 21);
  const OnDevice<double> in(x), out(std::vector<double>(6));
  const Description descr;
  const double alpha = 2, beta = 0;
  const auto run = [&](musaDataType ofY, musparseAlgMode_t algorithm) {
    return musparseCsrmvEx(handle_, algorithm, N, 6, 5, static_cast<int>(a.nnz()), &alpha, MUSA_R_64F, descr,
                           csr.values.get(), MUSA_R_64F, csr.offsets.get(), csr.indices.get(), in.get(),
                           MUSA_R_64F, &beta, MUSA_R_64F, out.get(), ofY, MUSA_R_64F, buffer_.get());
  };
  EXPECT_SPARSE(MUSPARSE_STATUS_SUCCESS, run(MUSA_R_64F, MUSPARSE_ALG_MERGE_PATH));
  expectNear(out.fetch(),
             referenceGemm<double>(MUBLAS_OP_N, MUBLAS_OP_N, 6, 1, 5, Wide(2), a.dense(), 6, x, 5, 0,
                                   std::vector<double>(6), 6),
             50, "csrmvEx");
  EXPECT_SPARSE(MUSPARSE_STATUS_NOT_SUPPORTED, run(MUSA_R_32F, MUSPARSE_ALG_MERGE_PATH));
  EXPECT_SPARSE(MUSPARSE_STATUS_INVALID_VALUE, run(MUSA_R_64F, static_cast<musparseAlgMode_t>(9)));
}

TEST_F(MusparseTest, DescriptionsAreCopied) {
  const Description from(1), to;
  musparseSetMatFillMode(from, MUSPARSE_FILL_MODE_UPPER);
  musparseSetMatDiagType(from, MUSPARSE_DIAG_TYPE_UNIT);
  EXPECT_SPARSE(MUSPARSE_STATUS_SUCCESS, musparseCopyMatDescr(to, from));
  EXPECT_EQ(musparseGetMatFillMode(to), MUSPARSE_FILL_MODE_UPPER);
  EXPECT_EQ(musparseGetMatDiagType(to), MUSPARSE_DIAG_TYPE_UNIT);
  EXPECT_EQ(musparseGetMatIndexBase(to), MUSPARSE_INDEX_BASE_ONE);
  EXPECT_SPARSE(MUSPARSE_STATUS_INVALID_VALUE, musparseCopyMatDescr(to, nullptr));
}

}  // namespace
}  // namespace musashim::test
