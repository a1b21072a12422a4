// links: cusparse
// The older calls: incomplete factors and their pivots, products and solutions by blocks, several diagonals.
#include "../../framework/sparse_values.h"

CONFORMANCE_CASE("sparse.factors");

static const auto N = CUSPARSE_OPERATION_NON_TRANSPOSE;
static const auto T = CUSPARSE_OPERATION_TRANSPOSE;
static const auto kLevels = CUSPARSE_SOLVE_POLICY_USE_LEVEL;
static cusparseHandle_t handle;
static cusparseMatDescr_t descr;

// 4 2 0 2
// 2 5 4 0
// 0 4 9 0   symmetric, definite
// 2 0 0 9
struct System {
  explicit System(int base, const std::vector<float>& from)
      : offsets(Csr::shifted({0, 3, 6, 8, 10}, base)),
        columns(Csr::shifted({0, 1, 3, 0, 1, 2, 1, 2, 0, 3}, base)),
        values(from) {}
  DeviceValues<int> offsets, columns;
  DeviceValues<float> values;
};
static const std::vector<float> kDefinite = {4, 2, 2, 2, 5, 4, 4, 8, 2, 5};
static const std::vector<float> kZero = {4, 2, 2, 2, 1, 4, 4, 8, 2, 5};
static const std::vector<float> kIndefinite = {4, 2, 2, 2, -5, 4, 4, 8, 2, 5};

static void incomplete(int base) {
  const std::string at = base ? ".from_1" : "";
  cusparseSetMatIndexBase(descr, static_cast<cusparseIndexBase_t>(base));
  for (const auto* values : {&kDefinite, &kZero, &kIndefinite}) {
    const std::string key = at + (values == &kDefinite ? ".definite"
                                  : values == &kZero   ? ".zero"
                                                       : ".indefinite");
    System a(base, *values);
    int size = 0, position = -7;
    csrilu02Info_t lu = nullptr;
    OBSERVE("ilu_info" + key, code(cusparseCreateCsrilu02Info(&lu)));
    OBSERVE("ilu_size" + key, code(cusparseScsrilu02_bufferSize(handle, 4, 10, descr, a.values, a.offsets,
                                                                a.columns, lu, &size)));
    Buffer buffer(static_cast<size_t>(size));
    OBSERVE("ilu_analysis" + key, code(cusparseScsrilu02_analysis(handle, 4, 10, descr, a.values, a.offsets,
                                                                  a.columns, lu, kLevels, buffer)));
    OBSERVE("ilu_structure" + key, code(cusparseXcsrilu02_zeroPivot(handle, lu, &position)));
    OBSERVE("ilu_structure.position" + key, position);
    OBSERVE("ilu" + key, code(cusparseScsrilu02(handle, 4, 10, descr, a.values, a.offsets, a.columns, lu,
                                                kLevels, buffer)));
    OBSERVE("ilu_pivot" + key, code(cusparseXcsrilu02_zeroPivot(handle, lu, &position)));
    OBSERVE("ilu_pivot.position" + key, position);
    if (values != &kZero) OBSERVE("ilu.values" + key, text(a.values.get()));
    double tolerance = 0.5;
    float boost = 2;
    OBSERVE("ilu_boost" + key, code(cusparseScsrilu02_numericBoost(handle, lu, 1, &tolerance, &boost)));
    a.values.set(*values);
    OBSERVE("ilu.boosted" + key, code(cusparseScsrilu02(handle, 4, 10, descr, a.values, a.offsets, a.columns,
                                                        lu, kLevels, buffer)));
    OBSERVE("ilu_pivot.boosted" + key, code(cusparseXcsrilu02_zeroPivot(handle, lu, &position)));
    OBSERVE("ilu.boosted.values" + key, text(a.values.get()));
    OBSERVE("ilu_info.destroy" + key, code(cusparseDestroyCsrilu02Info(lu)));

    a.values.set(*values);
    csric02Info_t cholesky = nullptr;
    OBSERVE("ic_info" + key, code(cusparseCreateCsric02Info(&cholesky)));
    OBSERVE("ic_size" + key, code(cusparseScsric02_bufferSize(handle, 4, 10, descr, a.values, a.offsets,
                                                              a.columns, cholesky, &size)));
    Buffer other(static_cast<size_t>(size));
    OBSERVE("ic_analysis" + key, code(cusparseScsric02_analysis(handle, 4, 10, descr, a.values, a.offsets,
                                                                a.columns, cholesky, kLevels, other)));
    OBSERVE("ic_structure" + key, code(cusparseXcsric02_zeroPivot(handle, cholesky, &position)));
    OBSERVE("ic" + key, code(cusparseScsric02(handle, 4, 10, descr, a.values, a.offsets, a.columns, cholesky,
                                              kLevels, other)));
    OBSERVE("ic_pivot" + key, code(cusparseXcsric02_zeroPivot(handle, cholesky, &position)));
    OBSERVE("ic_pivot.position" + key, position);
    if (values == &kDefinite) OBSERVE("ic.values" + key, text(a.values.get()));
    cusparseDestroyCsric02Info(cholesky);
  }
  // Without an element on the diagonal of the second row.
  DeviceValues<int> offsets(Csr::shifted({0, 2, 3, 5}, base)), columns(Csr::shifted({0, 1, 0, 1, 2}, base));
  DeviceValues<float> values(std::vector<float>{4, 2, 2, 4, 8});
  csrilu02Info_t lu = nullptr;
  cusparseCreateCsrilu02Info(&lu);
  int size = 0, position = -7;
  cusparseScsrilu02_bufferSize(handle, 3, 5, descr, values, offsets, columns, lu, &size);
  Buffer buffer(static_cast<size_t>(size));
  OBSERVE("ilu_analysis.missing" + at, code(cusparseScsrilu02_analysis(handle, 3, 5, descr, values, offsets,
                                                                       columns, lu, kLevels, buffer)));
  OBSERVE("ilu_structure.missing" + at, code(cusparseXcsrilu02_zeroPivot(handle, lu, &position)));
  OBSERVE("ilu_structure.missing.position" + at, position);
  cusparseDestroyCsrilu02Info(lu);
}

static void blocks() {
  cusparseSetMatIndexBase(descr, CUSPARSE_INDEX_BASE_ZERO);
  // 4 2 | 0 2
  // 2 5 | 4 0
  // ----+----
  // 0 4 | 8 0
  // 2 0 | 0 5
  DeviceValues<int> offsets(std::vector<int>{0, 2, 4}), columns(std::vector<int>{0, 1, 0, 1});
  const std::vector<float> all = {4, 2, 2, 5, 0, 2, 4, 0, 0, 4, 2, 0, 8, 0, 0, 5};
  DeviceValues<float> values(all), x(std::vector<float>{1, 2, 3, 4}), y(std::vector<float>{1, 1, 1, 1});
  const float one = 1, two = 2, zero = 0;
  for (auto direction : {CUSPARSE_DIRECTION_ROW, CUSPARSE_DIRECTION_COLUMN}) {
    const std::string key = ".direction_" + std::to_string(direction);
    values.set(all);
    y.set({1, 1, 1, 1});
    OBSERVE("bsrmv" + key, code(cusparseSbsrmv(handle, direction, N, 2, 2, 4, &two, descr, values, offsets,
                                               columns, 2, x, &one, y)));
    OBSERVE("bsrmv.y" + key, text(y.get()));
    OBSERVE("bsrmv.turned" + key, code(cusparseSbsrmv(handle, direction, T, 2, 2, 4, &two, descr, values,
                                                      offsets, columns, 2, x, &one, y)));
    DeviceValues<float> b(8), c(8);
    OBSERVE("bsrmm" + key, code(cusparseSbsrmm(handle, direction, N, N, 2, 2, 2, 4, &one, descr, values,
                                               offsets, columns, 2, b, 4, &zero, c, 4)));
    OBSERVE("bsrmm.c" + key, text(c.get()));
    OBSERVE("bsrmm.turned_b" + key, code(cusparseSbsrmm(handle, direction, N, T, 2, 2, 2, 4, &one, descr,
                                                        values, offsets, columns, 2, b, 2, &zero, c, 4)));
    OBSERVE("bsrmm.turned_b.c" + key, text(c.get()));
    OBSERVE("bsrmm.turned_a" + key, code(cusparseSbsrmm(handle, direction, T, N, 2, 2, 2, 4, &one, descr,
                                                        values, offsets, columns, 2, b, 4, &zero, c, 4)));
    OBSERVE("bsrmm.narrow" + key, code(cusparseSbsrmm(handle, direction, N, N, 2, 2, 2, 4, &one, descr,
                                                      values, offsets, columns, 2, b, 3, &zero, c, 4)));
    DeviceValues<int> mask(std::vector<int>{1}), ends(std::vector<int>{2, 4});
    y.set({1, 1, 1, 1});
    OBSERVE("bsrxmv" + key, code(cusparseSbsrxmv(handle, direction, N, 1, 2, 2, 4, &two, descr, values, mask,
                                                 offsets, ends, columns, 2, x, &one, y)));
    OBSERVE("bsrxmv.y" + key, text(y.get()));

    int size = 0, position = -7;
    bsrilu02Info_t lu = nullptr;
    cusparseCreateBsrilu02Info(&lu);
    OBSERVE("bsrilu_size" + key, code(cusparseSbsrilu02_bufferSize(handle, direction, 2, 4, descr, values,
                                                                   offsets, columns, 2, lu, &size)));
    Buffer buffer(static_cast<size_t>(size));
    OBSERVE("bsrilu_analysis" + key,
            code(cusparseSbsrilu02_analysis(handle, direction, 2, 4, descr, values, offsets, columns, 2, lu,
                                            kLevels, buffer)));
    OBSERVE("bsrilu" + key, code(cusparseSbsrilu02(handle, direction, 2, 4, descr, values, offsets, columns,
                                                   2, lu, kLevels, buffer)));
    OBSERVE("bsrilu_pivot" + key, code(cusparseXbsrilu02_zeroPivot(handle, lu, &position)));
    OBSERVE("bsrilu.values" + key, text(values.get()));
    cusparseDestroyBsrilu02Info(lu);

    values.set(all);
    bsrsv2Info_t solve = nullptr;
    cusparseCreateBsrsv2Info(&solve);
    for (auto op : {N, T}) {
      const std::string which = key + ".op_" + std::to_string(op);
      OBSERVE("bsrsv_size" + which,
              code(cusparseSbsrsv2_bufferSize(handle, direction, op, 2, 4, descr, values, offsets, columns, 2,
                                              solve, &size)));
      Buffer some(static_cast<size_t>(size));
      OBSERVE("bsrsv_analysis" + which,
              code(cusparseSbsrsv2_analysis(handle, direction, op, 2, 4, descr, values, offsets, columns, 2,
                                            solve, kLevels, some)));
      x.set({8, 16, 32, 40});
      OBSERVE("bsrsv" + which, code(cusparseSbsrsv2_solve(handle, direction, op, 2, 4, &two, descr, values,
                                                          offsets, columns, 2, solve, x, y, kLevels, some)));
      OBSERVE("bsrsv_pivot" + which, code(cusparseXbsrsv2_zeroPivot(handle, solve, &position)));
      OBSERVE("bsrsv_pivot.position" + which, position);
      std::vector<float> solution = y.get();
      for (float& value : solution)
        value = static_cast<float>(static_cast<int>(value * 1000 + (value < 0 ? -0.5f : 0.5f)));
      OBSERVE("bsrsv.x" + which, text(solution));
    }
    cusparseDestroyBsrsv2Info(solve);
    x.set({1, 2, 3, 4});
  }
  // y = alpha A x + beta y with a dense A and a sparse x.
  DeviceValues<float> dense(std::vector<float>{1, 2, 3, 4, 5, 6}), few(std::vector<float>{2}),
      result(std::vector<float>{1, 1, 1});
  DeviceValues<int> place(std::vector<int>{1});
  int size = 0;
  OBSERVE("gemvi_size", code(cusparseSgemvi_bufferSize(handle, N, 3, 2, 1, &size)));
  Buffer buffer(static_cast<size_t>(size));
  OBSERVE("gemvi", code(cusparseSgemvi(handle, N, 3, 2, &two, dense, 3, 1, few, place, &one, result,
                                       CUSPARSE_INDEX_BASE_ZERO, buffer)));
  OBSERVE("gemvi.y", text(result.get()));
}

static void diagonals() {
  DeviceValues<float> dl(std::vector<float>{0, 1, 1, 1}), d(std::vector<float>{2, 4, 4, 2}),
      du(std::vector<float>{1, 1, 1, 0}), b(8);
  const std::vector<float> right = {4, 12, 18, 11, 8, 24, 36, 22};
  size_t size = 0;
  const auto rounded = [&] {
    std::vector<float> solution = b.get();
    for (float& value : solution)
      value = static_cast<float>(static_cast<int>(value * 1000 + (value < 0 ? -0.5f : 0.5f)));
    return text(solution);
  };
  b.set(right);
  OBSERVE("gtsv_size", code(cusparseSgtsv2_bufferSizeExt(handle, 4, 2, dl, d, du, b, 4, &size)));
  Buffer buffer(size + 65536);
  OBSERVE("gtsv", code(cusparseSgtsv2(handle, 4, 2, dl, d, du, b, 4, buffer)));
  OBSERVE("gtsv.x", rounded());
  b.set(right);
  OBSERVE("gtsv_nopivot_size",
          code(cusparseSgtsv2_nopivot_bufferSizeExt(handle, 4, 2, dl, d, du, b, 4, &size)));
  OBSERVE("gtsv_nopivot", code(cusparseSgtsv2_nopivot(handle, 4, 2, dl, d, du, b, 4, buffer)));
  OBSERVE("gtsv_nopivot.x", rounded());
  for (int m : {-1, 0, 1, 2, 3}) {
    const std::string key = "." + std::to_string(m);
    OBSERVE("gtsv_size.rows" + key, code(cusparseSgtsv2_bufferSizeExt(handle, m, 2, dl, d, du, b, 4, &size)));
    OBSERVE("gtsv_nopivot_size.rows" + key,
            code(cusparseSgtsv2_nopivot_bufferSizeExt(handle, m, 2, dl, d, du, b, 4, &size)));
    OBSERVE("gtsv_batch_size.rows" + key,
            code(cusparseSgtsv2StridedBatch_bufferSizeExt(handle, m, dl, d, du, b, 1, 4, &size)));
    OBSERVE("gtsv_interleaved_size.rows" + key,
            code(cusparseSgtsvInterleavedBatch_bufferSizeExt(handle, 0, m, dl, d, du, b, 1, &size)));
  }
  OBSERVE("gtsv_size.narrow", code(cusparseSgtsv2_bufferSizeExt(handle, 4, 2, dl, d, du, b, 3, &size)));
  OBSERVE("gtsv_size.negative", code(cusparseSgtsv2_bufferSizeExt(handle, 4, -2, dl, d, du, b, 4, &size)));
  OBSERVE("gtsv_size.none", code(cusparseSgtsv2_bufferSizeExt(handle, 4, 0, dl, d, du, b, 4, &size)));
  b.set(right);
  OBSERVE("gtsv_batch_size",
          code(cusparseSgtsv2StridedBatch_bufferSizeExt(handle, 4, dl, d, du, b, 1, 4, &size)));
  OBSERVE("gtsv_batch", code(cusparseSgtsv2StridedBatch(handle, 4, dl, d, du, b, 1, 4, buffer)));
  OBSERVE("gtsv_batch.x", rounded());
  OBSERVE("gtsv_batch_size.stride",
          code(cusparseSgtsv2StridedBatch_bufferSizeExt(handle, 4, dl, d, du, b, 2, 3, &size)));
  for (int algo = -1; algo <= 3; ++algo) {
    const std::string key = ".algo_" + std::to_string(algo);
    DeviceValues<float> l(std::vector<float>{0, 1, 1, 1}), m(std::vector<float>{2, 4, 4, 2}),
        u(std::vector<float>{1, 1, 1, 0});
    b.set(right);
    OBSERVE("gtsv_interleaved_size" + key,
            code(cusparseSgtsvInterleavedBatch_bufferSizeExt(handle, algo, 4, l, m, u, b, 1, &size)));
    if (algo < 0 || algo > 2) continue;
    Buffer other(size);
    OBSERVE("gtsv_interleaved" + key,
            code(cusparseSgtsvInterleavedBatch(handle, algo, 4, l, m, u, b, 1, other)));
    OBSERVE("gtsv_interleaved.x" + key, rounded());
  }
  DeviceValues<float> ds(std::vector<float>{0, 0, 1, 1}), dw(std::vector<float>{1, 1, 0, 0}),
      middle(std::vector<float>{8, 8, 8, 8}), low(std::vector<float>{0, 1, 1, 1}),
      up(std::vector<float>{1, 1, 1, 0});
  b.set(right);
  OBSERVE("gpsv_size", code(cusparseSgpsvInterleavedBatch_bufferSizeExt(handle, 0, 4, ds, low, middle, up, dw,
                                                                        b, 1, &size)));
  Buffer other(size);
  OBSERVE("gpsv", code(cusparseSgpsvInterleavedBatch(handle, 0, 4, ds, low, middle, up, dw, b, 1, other)));
  OBSERVE("gpsv.x", rounded());
  OBSERVE("gpsv_size.algo", code(cusparseSgpsvInterleavedBatch_bufferSizeExt(handle, 1, 4, ds, low, middle,
                                                                             up, dw, b, 1, &size)));
}

int main() {
  if (cusparseCreate(&handle) != CUSPARSE_STATUS_SUCCESS) return 3;
  cusparseCreateMatDescr(&descr);
  incomplete(0);
  incomplete(1);
  blocks();
  diagonals();
  cusparseDestroyMatDescr(descr);
  cusparseDestroy(handle);
}
