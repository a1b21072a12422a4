// links: cusparse
// Sparse vectors with dense ones; sparse matrices from dense ones and back.
#include <math.h>

#include "../../framework/sparse_values.h"

CONFORMANCE_CASE("sparse.vectors");

static const auto k32 = CUSPARSE_INDEX_32I;
static const float kTwo = 2, kThree = 3, kNothing = 0;
static cusparseHandle_t handle;

struct SparseVector {
  explicit SparseVector(int base = 0, int64_t size = 6)
      : indices(Csr::shifted({1, 3, 4}, base)), values(std::vector<float>{1, 2, 3}) {
    cusparseCreateSpVec(&descr, size, 3, indices, values, k32, static_cast<cusparseIndexBase_t>(base),
                        CUDA_R_32F);
  }
  ~SparseVector() { cusparseDestroySpVec(descr); }
  operator cusparseSpVecDescr_t() const { return descr; }
  DeviceValues<int> indices;
  DeviceValues<float> values;
  cusparseSpVecDescr_t descr = nullptr;
};

static void vectors() {
  const std::vector<float> six = {1, 2, 3, 4, 5, 6};
  for (int base = 0; base < 2; ++base) {
    const std::string at = base ? ".from_1" : "";
    SparseVector x(base);
    DenseVector y(six), nans(std::vector<float>(6, NAN));
    OBSERVE("axpby" + at, code(cusparseAxpby(handle, &kTwo, x, &kThree, y)));
    OBSERVE("axpby.y" + at, text(y.values.get()));
    OBSERVE("axpby.over_nan" + at, code(cusparseAxpby(handle, &kTwo, x, &kNothing, nans)));
    OBSERVE("axpby.over_nan.y" + at, text(nans.values.get()));
    y.values.set(six);
    OBSERVE("rot" + at, code(cusparseRot(handle, &kTwo, &kThree, x, y)));
    OBSERVE("rot.x" + at, text(x.values.get()));
    OBSERVE("rot.y" + at, text(y.values.get()));
    OBSERVE("gather" + at, code(cusparseGather(handle, y, x)));
    OBSERVE("gather.x" + at, text(x.values.get()));
    x.values.set({7, 8, 9});
    OBSERVE("scatter" + at, code(cusparseScatter(handle, x, y)));
    OBSERVE("scatter.y" + at, text(y.values.get()));
    for (int op = 0; op < 3; ++op) {
      const std::string key = at + ".op_" + std::to_string(op);
      float result = -1;
      size_t size = 0;
      OBSERVE("spvv_size" + key, code(cusparseSpVV_bufferSize(handle, static_cast<cusparseOperation_t>(op), x,
                                                              y, &result, CUDA_R_32F, &size)));
      Buffer buffer(size);
      OBSERVE("spvv" + key, code(cusparseSpVV(handle, static_cast<cusparseOperation_t>(op), x, y, &result,
                                              CUDA_R_32F, buffer)));
      SETUP(cudaDeviceSynchronize());
      OBSERVE("spvv.result" + key, result);
    }
  }
  SparseVector x;
  DenseVector y(six), small({1, 2, 3});
  Buffer buffer(4096);
  float result = 0;
  OBSERVE("refused.axpby.no_handle", code(cusparseAxpby(nullptr, &kTwo, x, &kThree, y)));
  OBSERVE("refused.axpby.no_alpha", code(cusparseAxpby(handle, nullptr, x, &kThree, y)));
  OBSERVE("refused.axpby.no_beta", code(cusparseAxpby(handle, &kTwo, x, nullptr, y)));
  OBSERVE("refused.axpby.no_x", code(cusparseAxpby(handle, &kTwo, nullptr, &kThree, y)));
  OBSERVE("refused.axpby.small", code(cusparseAxpby(handle, &kTwo, x, &kThree, small)));
  OBSERVE("refused.gather.small", code(cusparseGather(handle, small, x)));
  OBSERVE("refused.gather.none", code(cusparseGather(handle, nullptr, x)));
  OBSERVE("refused.scatter.small", code(cusparseScatter(handle, x, small)));
  OBSERVE("refused.rot.small", code(cusparseRot(handle, &kTwo, &kThree, x, small)));
  OBSERVE("refused.rot.no_c", code(cusparseRot(handle, nullptr, &kThree, x, y)));
  const auto N = CUSPARSE_OPERATION_NON_TRANSPOSE;
  OBSERVE("refused.spvv.no_result", code(cusparseSpVV(handle, N, x, y, nullptr, CUDA_R_32F, buffer)));
  OBSERVE("refused.spvv.small", code(cusparseSpVV(handle, N, x, small, &result, CUDA_R_32F, buffer)));
  OBSERVE("refused.spvv.compute", code(cusparseSpVV(handle, N, x, y, &result, CUDA_R_64F, buffer)));
  OBSERVE("refused.spvv.operation",
          code(cusparseSpVV(handle, static_cast<cusparseOperation_t>(9), x, y, &result, CUDA_R_32F, buffer)));
}

// 1 0 0 2
// 0 0 0 0
// 0 -0 3 nan
static void conversions() {
  const std::vector<float> twelve = {1, 0, 0, 0, 0, -0.0f, 0, 0, 3, 2, 0, NAN};
  for (auto order : {CUSPARSE_ORDER_COL, CUSPARSE_ORDER_ROW})
    for (int base = 0; base < 2; ++base)
      for (auto format : {CUSPARSE_FORMAT_CSR, CUSPARSE_FORMAT_CSC, CUSPARSE_FORMAT_COO}) {
        const std::string key =
            ".format_" + std::to_string(format) + ".order_" + std::to_string(order) + (base ? ".from_1" : "");
        const auto b = static_cast<cusparseIndexBase_t>(base);
        DenseMatrix dense(3, 4, order == CUSPARSE_ORDER_COL ? 3 : 4, twelve, order);
        DeviceValues<int> offsets(std::vector<int>(8, -7)), indices(std::vector<int>(12, -7));
        DeviceValues<float> values(std::vector<float>(12, -7));
        cusparseSpMatDescr_t m = nullptr;
        if (format == CUSPARSE_FORMAT_CSR)
          cusparseCreateCsr(&m, 3, 4, 0, offsets, nullptr, nullptr, k32, k32, b, CUDA_R_32F);
        if (format == CUSPARSE_FORMAT_CSC)
          cusparseCreateCsc(&m, 3, 4, 0, offsets, nullptr, nullptr, k32, k32, b, CUDA_R_32F);
        if (format == CUSPARSE_FORMAT_COO)
          cusparseCreateCoo(&m, 3, 4, 0, nullptr, nullptr, nullptr, k32, b, CUDA_R_32F);
        OBSERVE("created" + key, m != nullptr);
        if (!m) continue;
        size_t size = 0;
        const auto alg = CUSPARSE_DENSETOSPARSE_ALG_DEFAULT;
        OBSERVE("to_sparse_size" + key, code(cusparseDenseToSparse_bufferSize(handle, dense, m, alg, &size)));
        Buffer buffer(size);
        OBSERVE("to_sparse_analysis" + key,
                code(cusparseDenseToSparse_analysis(handle, dense, m, alg, buffer)));
        int64_t rows = -1, cols = -1, nnz = -1;
        cusparseSpMatGetSize(m, &rows, &cols, &nnz);
        OBSERVE("to_sparse.nnz" + key, nnz);
        if (format == CUSPARSE_FORMAT_CSR) cusparseCsrSetPointers(m, offsets, indices, values);
        if (format == CUSPARSE_FORMAT_CSC) cusparseCscSetPointers(m, offsets, indices, values);
        if (format == CUSPARSE_FORMAT_COO) cusparseCooSetPointers(m, offsets, indices, values);
        OBSERVE("to_sparse" + key, code(cusparseDenseToSparse_convert(handle, dense, m, alg, buffer)));
        OBSERVE("to_sparse.offsets" + key, text(offsets.get()));
        OBSERVE("to_sparse.indices" + key, text(indices.get()));
        OBSERVE("to_sparse.values" + key, text(values.get()));
        dense.values.set(std::vector<float>(12, 9));
        OBSERVE("to_dense_size" + key, code(cusparseSparseToDense_bufferSize(
                                           handle, m, dense, CUSPARSE_SPARSETODENSE_ALG_DEFAULT, &size)));
        Buffer other(size);
        OBSERVE("to_dense" + key,
                code(cusparseSparseToDense(handle, m, dense, CUSPARSE_SPARSETODENSE_ALG_DEFAULT, other)));
        OBSERVE("to_dense.values" + key, text(dense.values.get()));
        cusparseDestroySpMat(m);
      }
  Csr csr;
  cusparseSpMatDescr_t m = csr.describe();
  DenseMatrix small(3, 4, 3, twelve);
  size_t size = 0;
  OBSERVE("to_dense.small", code(cusparseSparseToDense_bufferSize(
                                handle, m, small, CUSPARSE_SPARSETODENSE_ALG_DEFAULT, &size)));
  OBSERVE("to_dense.none", code(cusparseSparseToDense_bufferSize(handle, nullptr, small,
                                                                 CUSPARSE_SPARSETODENSE_ALG_DEFAULT, &size)));
  OBSERVE("to_sparse.small", code(cusparseDenseToSparse_bufferSize(
                                 handle, small, m, CUSPARSE_DENSETOSPARSE_ALG_DEFAULT, &size)));
  OBSERVE("to_sparse.algorithm", code(cusparseDenseToSparse_bufferSize(
                                     handle, small, m, static_cast<cusparseDenseToSparseAlg_t>(9), &size)));
  cusparseDestroySpMat(m);
}

int main() {
  if (cusparseCreate(&handle) != CUSPARSE_STATUS_SUCCESS) return 3;
  vectors();
  conversions();
  cusparseDestroy(handle);
}
