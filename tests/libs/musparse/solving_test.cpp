#include "musparse/support.h"

namespace musashim::test {
namespace {

TYPED_TEST_SUITE(MusparseTyped, MusparseTypes);

// The triangle of a matrix that solutions see.
template <class T>
std::vector<T> triangle(const HostCsr<T>& a, bool lower, bool unit) {
  auto dense = a.dense();
  for (int column = 0; column < a.columns; ++column)
    for (int row = 0; row < a.rows; ++row) {
      T& element = dense[static_cast<size_t>(column * a.rows + row)];
      if (row == column && unit) element = T(1);
      if (lower ? row < column : row > column) element = T(0);
    }
  return dense;
}

TYPED_TEST(MusparseTyped, TriangularSolutions) {
  using T = TypeParam;
  const int n = 24, columns = 3;
  const auto a = HostCsr<T>::random(n, n, 1, 0, true);
  const DeviceCsr<T> matrix(a);
  const auto b = randomNumbers<T>(n, 2), many = randomNumbers<T>(static_cast<size_t>(n * columns), 3);
  const T alpha(2);
  for (auto fill : {MUSPARSE_FILL_MODE_LOWER, MUSPARSE_FILL_MODE_UPPER})
    for (const auto op : {MUSPARSE_OPERATION_NON_TRANSPOSE, MUSPARSE_OPERATION_TRANSPOSE}) {
      musparseSpMatSetAttribute(matrix.describe, MUSPARSE_SPMAT_FILL_MODE, &fill, sizeof fill);
      const auto dense = triangle(a, fill == MUSPARSE_FILL_MODE_LOWER, false);
      const Vector<T> in(b), out(std::vector<T>(static_cast<size_t>(n)));
      musparseSpSVDescr_t descr = nullptr;
      musparseSpSV_createDescr(&descr);
      EXPECT_SPARSE(
          MUSPARSE_STATUS_SUCCESS,
          musparseSpSV_analysis(this->handle_, op, &alpha, matrix.describe, in.describe, out.describe,
                                kType<T>, MUSPARSE_SPSV_ALG_DEFAULT, descr, this->buffer_.get()));
      EXPECT_SPARSE(MUSPARSE_STATUS_SUCCESS,
                    musparseSpSV_solve(this->handle_, op, &alpha, matrix.describe, in.describe, out.describe,
                                       kType<T>, MUSPARSE_SPSV_ALG_DEFAULT, descr));
      std::vector<Wide> expected;
      for (const T& value : b) expected.push_back(wide(value) * Wide(2));
      const auto product = referenceGemm<T>(blasOf(op), MUBLAS_OP_N, n, 1, n, 1, dense, n, out.values.fetch(),
                                            n, 0, std::vector<T>(static_cast<size_t>(n)), n);
      for (int i = 0; i < n; ++i)
        EXPECT_LE(std::abs(product[static_cast<size_t>(i)] - expected[static_cast<size_t>(i)]),
                  kUlp<T> * 200);
      musparseSpSV_destroyDescr(descr);

      const Dense<T> right(n, columns, many),
          solution(n, columns, std::vector<T>(static_cast<size_t>(n * columns)));
      musparseSpSMDescr_t other = nullptr;
      musparseSpSM_createDescr(&other);
      const auto N = MUSPARSE_OPERATION_NON_TRANSPOSE;
      EXPECT_SPARSE(MUSPARSE_STATUS_SUCCESS,
                    musparseSpSM_analysis(this->handle_, op, N, &alpha, matrix.describe, right.describe,
                                          solution.describe, kType<T>, MUSPARSE_SPSM_ALG_DEFAULT, other,
                                          this->buffer_.get()));
      EXPECT_SPARSE(MUSPARSE_STATUS_SUCCESS,
                    musparseSpSM_solve(this->handle_, op, N, &alpha, matrix.describe, right.describe,
                                       solution.describe, kType<T>, MUSPARSE_SPSM_ALG_DEFAULT, other));
      const auto products = referenceGemm<T>(blasOf(op), MUBLAS_OP_N, n, columns, n, 1, dense, n,
                                             solution.values.fetch(), n, 0, many, n);
      for (size_t i = 0; i < many.size(); ++i)
        EXPECT_LE(std::abs(products[i] - wide(many[i]) * Wide(2)), kUlp<T> * 200);
      musparseSpSM_destroyDescr(other);
    }
}

// With every element stored, incomplete factors are whole ones.
TYPED_TEST(MusparseTyped, IncompleteFactorsOfAFullPattern) {
  using T = TypeParam;
  const int n = 12, nnz = n * n;
  HostCsr<T> a{n, n, 0, {0}, {}, {}};
  const auto x = randomNumbers<T>(static_cast<size_t>(nnz), 4);
  const auto definite = referenceGemm<T>(MUBLAS_OP_C, MUBLAS_OP_N, n, n, n, 1, x, n, x, n, 0, x, n);
  for (int row = 0; row < n; ++row) {
    for (int column = 0; column < n; ++column) {
      a.indices.push_back(column);
      const Wide value =
          definite[static_cast<size_t>(column * n + row)] + (row == column ? Wide(n) : Wide(0));
      if constexpr (kIsComplex<T>)
        a.values.push_back(T(static_cast<typename T::value_type>(value.real()),
                             static_cast<typename T::value_type>(value.imag())));
      else
        a.values.push_back(static_cast<T>(value.real()));
    }
    a.offsets.push_back((row + 1) * n);
  }
  musparseMatDescr_t descr = nullptr;
  musparseCreateMatDescr(&descr);
  const auto policy = MUSPARSE_SOLVE_POLICY_NO_LEVEL;
  int position = 7;
  {
    const DeviceCsr<T> factor(a);
    csrilu02Info_t info = nullptr;
    musparseCreateCsrilu02Info(&info);
    EXPECT_SPARSE(MUSPARSE_STATUS_SUCCESS,
                  MUSPARSE_CALL(T, csrilu02_analysis)(this->handle_, n, nnz, descr, factor.values.api(),
                                                      factor.offsets.get(), factor.indices.get(), info,
                                                      policy, static_cast<void*>(this->buffer_.get())));
    EXPECT_SPARSE(MUSPARSE_STATUS_SUCCESS,
                  MUSPARSE_CALL(T, csrilu02)(this->handle_, n, nnz, descr, factor.values.api(),
                                             factor.offsets.get(), factor.indices.get(), info, policy,
                                             static_cast<void*>(this->buffer_.get())));
    EXPECT_SPARSE(MUSPARSE_STATUS_SUCCESS, musparseXcsrilu02_zeroPivot(this->handle_, info, &position));
    EXPECT_EQ(position, -1);
    HostCsr<T> lu = a;
    lu.values = factor.values.fetch();
    const auto lower = triangle(lu, true, true), upper = triangle(lu, false, false);
    const auto product =
        referenceGemm<T>(MUBLAS_OP_N, MUBLAS_OP_N, n, n, n, 1, lower, n, upper, n, 0, lower, n);
    expectNear(a.dense(), product, 400, "L U");
    musparseDestroyCsrilu02Info(info);
  }
  {
    const DeviceCsr<T> factor(a);
    csric02Info_t info = nullptr;
    musparseCreateCsric02Info(&info);
    EXPECT_SPARSE(MUSPARSE_STATUS_SUCCESS,
                  MUSPARSE_CALL(T, csric02_analysis)(this->handle_, n, nnz, descr, factor.values.api(),
                                                     factor.offsets.get(), factor.indices.get(), info, policy,
                                                     static_cast<void*>(this->buffer_.get())));
    EXPECT_SPARSE(MUSPARSE_STATUS_SUCCESS,
                  MUSPARSE_CALL(T, csric02)(this->handle_, n, nnz, descr, factor.values.api(),
                                            factor.offsets.get(), factor.indices.get(), info, policy,
                                            static_cast<void*>(this->buffer_.get())));
    HostCsr<T> l = a;
    l.values = factor.values.fetch();
    const auto lower = triangle(l, true, false);
    expectNear(a.dense(),
               referenceGemm<T>(MUBLAS_OP_N, MUBLAS_OP_C, n, n, n, 1, lower, n, lower, n, 0, lower, n), 400,
               "L L^H");
    musparseDestroyCsric02Info(info);
  }
  musparseDestroyMatDescr(descr);
}

TYPED_TEST(MusparseTyped, SystemsOfThreeAndFiveDiagonals) {
  using T = TypeParam;
  const int m = 20, n = 3;
  auto dl = randomNumbers<T>(m, 1), d = randomNumbers<T>(m, 2), du = randomNumbers<T>(m, 3);
  auto ds = randomNumbers<T>(m, 4), dw = randomNumbers<T>(m, 5);
  for (T& value : d) value += T(5);
  const auto b = randomNumbers<T>(static_cast<size_t>(m * n), 6);
  std::vector<T> three(static_cast<size_t>(m * m)), five;
  for (int i = 0; i < m; ++i) {
    const auto at = [&](int column) -> T& { return three[static_cast<size_t>(column * m + i)]; };
    at(i) = d[static_cast<size_t>(i)];
    if (i > 0) at(i - 1) = dl[static_cast<size_t>(i)];
    if (i + 1 < m) at(i + 1) = du[static_cast<size_t>(i)];
  }
  five = three;
  for (int i = 0; i < m; ++i) {
    if (i > 1) five[static_cast<size_t>((i - 2) * m + i)] = ds[static_cast<size_t>(i)];
    if (i + 2 < m) five[static_cast<size_t>((i + 2) * m + i)] = dw[static_cast<size_t>(i)];
  }
  const auto expectSolved = [&](const std::vector<T>& matrix, const std::vector<T>& x, int columns) {
    const auto product =
        referenceGemm<T>(MUBLAS_OP_N, MUBLAS_OP_N, m, columns, m, 1, matrix, m, x, m, 0, x, m);
    for (size_t i = 0; i < x.size(); ++i) EXPECT_LE(std::abs(product[i] - wide(b[i])), kUlp<T> * 100) << i;
  };
  void* const buffer = this->buffer_.get();
  const OnDevice<T> lower(dl), middle(d), upper(du), lowest(ds), highest(dw);
  const OnDevice<T> pivoted(b), plain(b), strided(std::vector<T>(b.begin(), b.begin() + m)),
      interleaved(std::vector<T>(b.begin(), b.begin() + m)), penta(std::vector<T>(b.begin(), b.begin() + m));
  EXPECT_SPARSE(MUSPARSE_STATUS_SUCCESS,
                MUSPARSE_CALL(T, gtsv2)(this->handle_, m, n, lower.api(), middle.api(), upper.api(),
                                        pivoted.api(), m, buffer));
  expectSolved(three, pivoted.fetch(), n);
  EXPECT_SPARSE(MUSPARSE_STATUS_SUCCESS,
                MUSPARSE_CALL(T, gtsv2_nopivot)(this->handle_, m, n, lower.api(), middle.api(), upper.api(),
                                                plain.api(), m, buffer));
  expectSolved(three, plain.fetch(), n);
  EXPECT_SPARSE(MUSPARSE_STATUS_SUCCESS,
                MUSPARSE_CALL(T, gtsv2StridedBatch)(this->handle_, m, lower.api(), middle.api(), upper.api(),
                                                    strided.api(), 1, m, buffer));
  expectSolved(three, strided.fetch(), 1);
  EXPECT_SPARSE(MUSPARSE_STATUS_SUCCESS,
                MUSPARSE_CALL(T, gtsvInterleavedBatch)(this->handle_, 1, m, lower.api(), middle.api(),
                                                       upper.api(), interleaved.api(), 1, buffer));
  expectSolved(three, interleaved.fetch(), 1);
  EXPECT_SPARSE(MUSPARSE_STATUS_SUCCESS, MUSPARSE_CALL(T, gpsvInterleavedBatch)(
                                             this->handle_, 0, m, lowest.api(), lower.api(), middle.api(),
                                             upper.api(), highest.api(), penta.api(), 1, buffer));
  expectSolved(five, penta.fetch(), 1);
}

}  // namespace
}  // namespace musashim::test
