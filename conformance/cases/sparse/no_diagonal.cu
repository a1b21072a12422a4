// links: cusparse
// Triangular solutions where the matrix stores no element on its diagonal.
#include "../../framework/sparse_values.h"

CONFORMANCE_CASE("sparse.no_diagonal");

int main() {
  cusparseHandle_t handle = nullptr;
  if (cusparseCreate(&handle) != CUSPARSE_STATUS_SUCCESS) return 3;
  DeviceValues<int> offsets(std::vector<int>{0, 1, 2, 4}), columns(std::vector<int>{0, 0, 1, 2});
  DeviceValues<float> values(std::vector<float>{2, 4, 6, 8});
  for (int unit = 0; unit < 2; ++unit) {
    const std::string key = unit ? "unit" : "plain";
    cusparseSpMatDescr_t a = nullptr;
    cusparseCreateCsr(&a, 3, 3, 4, offsets, columns, values, CUSPARSE_INDEX_32I, CUSPARSE_INDEX_32I,
                      CUSPARSE_INDEX_BASE_ZERO, CUDA_R_32F);
    const auto diagonal = static_cast<cusparseDiagType_t>(unit);
    cusparseSpMatSetAttribute(a, CUSPARSE_SPMAT_DIAG_TYPE, const_cast<cusparseDiagType_t*>(&diagonal),
                              sizeof diagonal);
    DenseVector x({2, 8, 40}), y({0, 0, 0});
    cusparseSpSVDescr_t descr = nullptr;
    cusparseSpSV_createDescr(&descr);
    size_t size = 0;
    const float one = 1;
    const auto N = CUSPARSE_OPERATION_NON_TRANSPOSE;
    OBSERVE(key + ".size", code(cusparseSpSV_bufferSize(handle, N, &one, a, x, y, CUDA_R_32F,
                                                        CUSPARSE_SPSV_ALG_DEFAULT, descr, &size)));
    Buffer buffer(size);
    OBSERVE(key + ".analysis", code(cusparseSpSV_analysis(handle, N, &one, a, x, y, CUDA_R_32F,
                                                          CUSPARSE_SPSV_ALG_DEFAULT, descr, buffer)));
    OBSERVE(key + ".solve",
            code(cusparseSpSV_solve(handle, N, &one, a, x, y, CUDA_R_32F, CUSPARSE_SPSV_ALG_DEFAULT, descr)));
    OBSERVE(key + ".y", text(y.values.get()));
    cusparseSpSV_destroyDescr(descr);
    cusparseDestroySpMat(a);
  }
  cusparseDestroy(handle);
}
