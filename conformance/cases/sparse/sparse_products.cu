// links: cusparse
// Products of two sparse matrices, in the steps that programs take, and steps in the wrong order.
#include "../../framework/sparse_values.h"

CONFORMANCE_CASE("sparse.sparse_products");

static const auto N = CUSPARSE_OPERATION_NON_TRANSPOSE;
static const auto k32 = CUSPARSE_INDEX_32I;
static const float kOne = 1, kNothing = 0;
static cusparseHandle_t handle;

static void product(const std::string& key, int alg, float alpha) {
  const auto g = static_cast<cusparseSpGEMMAlg_t>(alg);
  Csr left, right;
  cusparseSpMatDescr_t a = left.describe(), b = right.describe(), c = nullptr;
  DeviceValues<int> offsets(5);
  OBSERVE(key + ".create_c", code(cusparseCreateCsr(&c, 4, 4, 0, offsets, nullptr, nullptr, k32, k32,
                                                    CUSPARSE_INDEX_BASE_ZERO, CUDA_R_32F)));
  cusparseSpGEMMDescr_t descr = nullptr;
  OBSERVE(key + ".descr", code(cusparseSpGEMM_createDescr(&descr)));
  size_t size1 = 0, size2 = 0, size3 = 0;
  OBSERVE(key + ".estimate_size", code(cusparseSpGEMM_workEstimation(handle, N, N, &alpha, a, b, &kNothing, c,
                                                                     CUDA_R_32F, g, descr, &size1, nullptr)));
  OBSERVE(key + ".estimate_size.some", size1 > 0);
  Buffer buffer1(size1);
  OBSERVE(key + ".estimate", code(cusparseSpGEMM_workEstimation(handle, N, N, &alpha, a, b, &kNothing, c,
                                                                CUDA_R_32F, g, descr, &size1, buffer1)));
  int64_t products = -1;
  OBSERVE(key + ".products", code(cusparseSpGEMM_getNumProducts(descr, &products)));
  OBSERVE(key + ".products.value", products);
  if (alg == CUSPARSE_SPGEMM_ALG2 || alg == CUSPARSE_SPGEMM_ALG3) {
    OBSERVE(key + ".memory_size",
            code(cusparseSpGEMM_estimateMemory(handle, N, N, &alpha, a, b, &kNothing, c, CUDA_R_32F, g, descr,
                                               0.5f, &size3, nullptr, nullptr)));
    Buffer buffer3(size3);
    OBSERVE(key + ".memory",
            code(cusparseSpGEMM_estimateMemory(handle, N, N, &alpha, a, b, &kNothing, c, CUDA_R_32F, g, descr,
                                               0.5f, &size3, buffer3, &size2)));
  } else {
    OBSERVE(key + ".compute_size", code(cusparseSpGEMM_compute(handle, N, N, &alpha, a, b, &kNothing, c,
                                                               CUDA_R_32F, g, descr, &size2, nullptr)));
    OBSERVE(key + ".compute_size.some", size2 > 0);
  }
  Buffer buffer2(size2);
  const int computed = code(cusparseSpGEMM_compute(handle, N, N, &alpha, a, b, &kNothing, c, CUDA_R_32F, g,
                                                   descr, &size2, buffer2));
  OBSERVE(key + ".compute", computed);
  if (computed != 0) return;
  int64_t rows = -1, cols = -1, nnz = -1;
  cusparseSpMatGetSize(c, &rows, &cols, &nnz);
  OBSERVE(key + ".nnz", nnz);
  if (nnz < 0 || nnz > 16) return;
  DeviceValues<int> columns(16);
  DeviceValues<float> values(16);
  OBSERVE(key + ".set_pointers", code(cusparseCsrSetPointers(c, offsets, columns, values)));
  OBSERVE(key + ".copy",
          code(cusparseSpGEMM_copy(handle, N, N, &alpha, a, b, &kNothing, c, CUDA_R_32F, g, descr)));
  OBSERVE(key + ".offsets", text(offsets.get()));
  auto all = columns.get();
  all.resize(static_cast<size_t>(nnz));
  OBSERVE(key + ".columns", text(all));
  auto numbers = values.get();
  numbers.resize(static_cast<size_t>(nnz));
  OBSERVE(key + ".values", text(numbers));
  OBSERVE(key + ".descr.destroy", code(cusparseSpGEMM_destroyDescr(descr)));
  cusparseDestroySpMat(a);
  cusparseDestroySpMat(b);
  cusparseDestroySpMat(c);
}

static void again() {
  Csr left, right;
  cusparseSpMatDescr_t a = left.describe(), b = right.describe(), c = nullptr;
  DeviceValues<int> offsets(5), columns(16);
  DeviceValues<float> values(16);
  cusparseCreateCsr(&c, 4, 4, 0, offsets, nullptr, nullptr, k32, k32, CUSPARSE_INDEX_BASE_ZERO, CUDA_R_32F);
  cusparseSpGEMMDescr_t descr = nullptr;
  cusparseSpGEMM_createDescr(&descr);
  const auto g = CUSPARSE_SPGEMM_DEFAULT;
  size_t size1 = 0, size2 = 0, size3 = 0, size4 = 0, size5 = 0;
  OBSERVE("reuse.estimate_size",
          code(cusparseSpGEMMreuse_workEstimation(handle, N, N, a, b, c, g, descr, &size1, nullptr)));
  Buffer buffer1(size1);
  OBSERVE("reuse.estimate",
          code(cusparseSpGEMMreuse_workEstimation(handle, N, N, a, b, c, g, descr, &size1, buffer1)));
  OBSERVE("reuse.nnz_size", code(cusparseSpGEMMreuse_nnz(handle, N, N, a, b, c, g, descr, &size2, nullptr,
                                                         &size3, nullptr, &size4, nullptr)));
  Buffer buffer2(size2), buffer3(size3), buffer4(size4);
  OBSERVE("reuse.nnz", code(cusparseSpGEMMreuse_nnz(handle, N, N, a, b, c, g, descr, &size2, buffer2, &size3,
                                                    buffer3, &size4, buffer4)));
  int64_t rows = -1, cols = -1, nnz = -1;
  cusparseSpMatGetSize(c, &rows, &cols, &nnz);
  OBSERVE("reuse.nnz.value", nnz);
  cusparseCsrSetPointers(c, offsets, columns, values);
  OBSERVE("reuse.copy_size",
          code(cusparseSpGEMMreuse_copy(handle, N, N, a, b, c, g, descr, &size5, nullptr)));
  Buffer buffer5(size5);
  OBSERVE("reuse.copy", code(cusparseSpGEMMreuse_copy(handle, N, N, a, b, c, g, descr, &size5, buffer5)));
  for (int i = 1; i <= 2; ++i) {
    const float alpha = static_cast<float>(i);
    OBSERVE(
        "reuse.compute." + std::to_string(i),
        code(cusparseSpGEMMreuse_compute(handle, N, N, &alpha, a, b, &kNothing, c, CUDA_R_32F, g, descr)));
    auto numbers = values.get();
    numbers.resize(static_cast<size_t>(nnz > 0 && nnz <= 16 ? nnz : 0));
    OBSERVE("reuse.values." + std::to_string(i), text(numbers));
  }
  cusparseSpGEMM_destroyDescr(descr);
  cusparseDestroySpMat(a);
  cusparseDestroySpMat(b);
  cusparseDestroySpMat(c);
}

static void refusals() {
  Csr left, right;
  cusparseSpMatDescr_t a = left.describe(), b = right.describe(), c = right.describe(), small = nullptr;
  cusparseCreateCsr(&small, 3, 4, 7, left.offsets, left.columns, left.values, k32, k32,
                    CUSPARSE_INDEX_BASE_ZERO, CUDA_R_32F);
  cusparseSpGEMMDescr_t descr = nullptr;
  cusparseSpGEMM_createDescr(&descr);
  size_t size = 0;
  const auto estimate = [&](const char* key, cusparseHandle_t h, cusparseOperation_t op, const float* alpha,
                            cusparseSpMatDescr_t m, cusparseSpMatDescr_t n, cusparseSpMatDescr_t o,
                            cudaDataType type, cusparseSpGEMMDescr_t d) {
    OBSERVE(std::string("refused.") + key,
            code(cusparseSpGEMM_workEstimation(h, op, N, alpha, m, n, &kNothing, o, type,
                                               CUSPARSE_SPGEMM_DEFAULT, d, &size, nullptr)));
  };
  estimate("no_handle", nullptr, N, &kOne, a, b, c, CUDA_R_32F, descr);
  estimate("no_alpha", handle, N, nullptr, a, b, c, CUDA_R_32F, descr);
  estimate("no_a", handle, N, &kOne, nullptr, b, c, CUDA_R_32F, descr);
  estimate("no_c", handle, N, &kOne, a, b, nullptr, CUDA_R_32F, descr);
  estimate("no_descr", handle, N, &kOne, a, b, c, CUDA_R_32F, nullptr);
  estimate("turned", handle, CUSPARSE_OPERATION_TRANSPOSE, &kOne, a, b, c, CUDA_R_32F, descr);
  estimate("small", handle, N, &kOne, a, small, c, CUDA_R_32F, descr);
  estimate("small_c", handle, N, &kOne, a, b, small, CUDA_R_32F, descr);
  estimate("compute", handle, N, &kOne, a, b, c, CUDA_R_64F, descr);
  OBSERVE("refused.descr.no_place", code(cusparseSpGEMM_createDescr(nullptr)));
}

int main() {
  if (cusparseCreate(&handle) != CUSPARSE_STATUS_SUCCESS) return 3;
  for (int alg = 0; alg <= 5; ++alg) product("alg_" + std::to_string(alg), alg, 1);
  product("twice", 0, 2);
  again();
  refusals();
  cusparseDestroy(handle);
}
