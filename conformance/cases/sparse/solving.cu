// links: cusparse
// Triangular solutions: operations, unit diagonals and zeros there, new values, steps in the wrong order.
#include "../../framework/sparse_values.h"

CONFORMANCE_CASE("sparse.solving");

static const auto N = CUSPARSE_OPERATION_NON_TRANSPOSE;
static const auto T = CUSPARSE_OPERATION_TRANSPOSE;
static const auto k32 = CUSPARSE_INDEX_32I;
static const float kOne = 1, kTwo = 2;
static cusparseHandle_t handle;

// 2 9 0
// 4 4 9   elements above the diagonal and below it
// 0 6 8
struct Full {
  explicit Full(bool zero = false)
      : offsets(std::vector<int>{0, 2, 5, 7}),
        columns(std::vector<int>{0, 1, 0, 1, 2, 1, 2}),
        values(std::vector<float>{2, 9, 4, zero ? 0.0f : 4.0f, 9, 6, 8}) {
    cusparseCreateCsr(&descr, 3, 3, 7, offsets, columns, values, k32, k32, CUSPARSE_INDEX_BASE_ZERO,
                      CUDA_R_32F);
  }
  ~Full() { cusparseDestroySpMat(descr); }
  void be(cusparseFillMode_t fill, cusparseDiagType_t diagonal) {
    cusparseSpMatSetAttribute(descr, CUSPARSE_SPMAT_FILL_MODE, &fill, sizeof fill);
    cusparseSpMatSetAttribute(descr, CUSPARSE_SPMAT_DIAG_TYPE, &diagonal, sizeof diagonal);
  }
  DeviceValues<int> offsets, columns;
  DeviceValues<float> values;
  cusparseSpMatDescr_t descr = nullptr;
};

static void spsv(const std::string& key, Full& a, cusparseOperation_t op, bool renew = false) {
  DenseVector x({2, 8, 40}), y({0, 0, 0});
  cusparseSpSVDescr_t descr = nullptr;
  cusparseSpSV_createDescr(&descr);
  size_t size = 0;
  const auto alg = CUSPARSE_SPSV_ALG_DEFAULT;
  OBSERVE(key + ".size",
          code(cusparseSpSV_bufferSize(handle, op, &kTwo, a.descr, x, y, CUDA_R_32F, alg, descr, &size)));
  Buffer buffer(size);
  OBSERVE(key + ".analysis",
          code(cusparseSpSV_analysis(handle, op, &kTwo, a.descr, x, y, CUDA_R_32F, alg, descr, buffer)));
  OBSERVE(key + ".solve", code(cusparseSpSV_solve(handle, op, &kTwo, a.descr, x, y, CUDA_R_32F, alg, descr)));
  OBSERVE(key + ".y", text(y.values.get()));
  if (renew) {
    a.values.set({4, 9, 4, 8, 9, 6, 16});
    OBSERVE(key + ".changed",
            code(cusparseSpSV_solve(handle, op, &kTwo, a.descr, x, y, CUDA_R_32F, alg, descr)));
    OBSERVE(key + ".changed.y", text(y.values.get()));
    OBSERVE(key + ".updated",
            code(cusparseSpSV_updateMatrix(handle, descr, a.values, CUSPARSE_SPSV_UPDATE_GENERAL)));
    cusparseSpSV_solve(handle, op, &kTwo, a.descr, x, y, CUDA_R_32F, alg, descr);
    OBSERVE(key + ".updated.y", text(y.values.get()));
    DeviceValues<float> diagonal(std::vector<float>{1, 2, 4});
    OBSERVE(key + ".updated_diagonal",
            code(cusparseSpSV_updateMatrix(handle, descr, diagonal, CUSPARSE_SPSV_UPDATE_DIAGONAL)));
    cusparseSpSV_solve(handle, op, &kTwo, a.descr, x, y, CUDA_R_32F, alg, descr);
    OBSERVE(key + ".updated_diagonal.y", text(y.values.get()));
    OBSERVE(key + ".update.none",
            code(cusparseSpSV_updateMatrix(handle, descr, nullptr, CUSPARSE_SPSV_UPDATE_GENERAL)));
    a.values.set({2, 9, 4, 4, 9, 6, 8});
  }
  OBSERVE(key + ".destroy", code(cusparseSpSV_destroyDescr(descr)));
}

static void spsm(const std::string& key, Full& a, cusparseOperation_t op, cusparseOperation_t opB,
                 bool rows) {
  const std::vector<float> six = {2, 8, 40, 4, 16, 80};
  const bool turned = opB != N;
  const auto order = rows ? CUSPARSE_ORDER_ROW : CUSPARSE_ORDER_COL;
  DenseMatrix b(turned ? 2 : 3, turned ? 3 : 2, rows == turned ? 3 : 2, six, order),
      c(3, 2, rows ? 2 : 3, std::vector<float>(6, 0), order);
  cusparseSpSMDescr_t descr = nullptr;
  cusparseSpSM_createDescr(&descr);
  size_t size = 0;
  const auto alg = CUSPARSE_SPSM_ALG_DEFAULT;
  OBSERVE(key + ".size", code(cusparseSpSM_bufferSize(handle, op, opB, &kTwo, a.descr, b, c, CUDA_R_32F, alg,
                                                      descr, &size)));
  Buffer buffer(size);
  OBSERVE(key + ".analysis",
          code(cusparseSpSM_analysis(handle, op, opB, &kTwo, a.descr, b, c, CUDA_R_32F, alg, descr, buffer)));
  OBSERVE(key + ".solve",
          code(cusparseSpSM_solve(handle, op, opB, &kTwo, a.descr, b, c, CUDA_R_32F, alg, descr)));
  OBSERVE(key + ".c", text(c.values.get()));
  OBSERVE(key + ".destroy", code(cusparseSpSM_destroyDescr(descr)));
}

int main() {
  if (cusparseCreate(&handle) != CUSPARSE_STATUS_SUCCESS) return 3;
  const auto lower = CUSPARSE_FILL_MODE_LOWER, upper = CUSPARSE_FILL_MODE_UPPER;
  const auto plain = CUSPARSE_DIAG_TYPE_NON_UNIT, unit = CUSPARSE_DIAG_TYPE_UNIT;
  {
    Full a;
    spsv("default", a, N);
    for (auto fill : {lower, upper})
      for (auto diagonal : {plain, unit})
        for (auto op : {N, T, CUSPARSE_OPERATION_CONJUGATE_TRANSPOSE}) {
          a.be(fill, diagonal);
          const std::string key = ".fill_" + std::to_string(fill) + ".unit_" + std::to_string(diagonal) +
                                  ".op_" + std::to_string(op);
          spsv("spsv" + key, a, op, diagonal == plain && op == N && fill == lower);
          spsm("spsm" + key, a, op, N, false);
        }
    a.be(lower, plain);
    spsm("spsm.rows", a, N, N, true);
    spsm("spsm.turned_b", a, N, T, false);
  }
  {
    Full a(true);
    a.be(lower, plain);
    spsv("spsv.zero", a, N);
  }
  Full a;
  a.be(lower, plain);
  DenseVector x({2, 8, 40}), y({0, 0, 0}), small({1, 2});
  cusparseSpSVDescr_t descr = nullptr;
  OBSERVE("descr.no_place", code(cusparseSpSV_createDescr(nullptr)));
  OBSERVE("descr", code(cusparseSpSV_createDescr(&descr)));
  size_t size = 0;
  const auto alg = CUSPARSE_SPSV_ALG_DEFAULT;
  OBSERVE("refused.no_handle",
          code(cusparseSpSV_bufferSize(nullptr, N, &kOne, a.descr, x, y, CUDA_R_32F, alg, descr, &size)));
  OBSERVE("refused.no_alpha",
          code(cusparseSpSV_bufferSize(handle, N, nullptr, a.descr, x, y, CUDA_R_32F, alg, descr, &size)));
  OBSERVE("refused.no_matrix",
          code(cusparseSpSV_bufferSize(handle, N, &kOne, nullptr, x, y, CUDA_R_32F, alg, descr, &size)));
  OBSERVE("refused.no_descr",
          code(cusparseSpSV_bufferSize(handle, N, &kOne, a.descr, x, y, CUDA_R_32F, alg, nullptr, &size)));
  OBSERVE("refused.no_place",
          code(cusparseSpSV_bufferSize(handle, N, &kOne, a.descr, x, y, CUDA_R_32F, alg, descr, nullptr)));
  OBSERVE("refused.small_x",
          code(cusparseSpSV_bufferSize(handle, N, &kOne, a.descr, small, y, CUDA_R_32F, alg, descr, &size)));
  OBSERVE("refused.small_y",
          code(cusparseSpSV_bufferSize(handle, N, &kOne, a.descr, x, small, CUDA_R_32F, alg, descr, &size)));
  OBSERVE("refused.compute",
          code(cusparseSpSV_bufferSize(handle, N, &kOne, a.descr, x, y, CUDA_R_64F, alg, descr, &size)));
  OBSERVE("refused.operation",
          code(cusparseSpSV_bufferSize(handle, static_cast<cusparseOperation_t>(9), &kOne, a.descr, x, y,
                                       CUDA_R_32F, alg, descr, &size)));
  OBSERVE("refused.algorithm",
          code(cusparseSpSV_bufferSize(handle, N, &kOne, a.descr, x, y, CUDA_R_32F,
                                       static_cast<cusparseSpSVAlg_t>(9), descr, &size)));
  OBSERVE("destroy", code(cusparseSpSV_destroyDescr(descr)));
  OBSERVE("destroy.none", code(cusparseSpSV_destroyDescr(nullptr)));
  cusparseDestroy(handle);
}
