// links: cusparse
// Products of sparse matrices with vectors and dense matrices: formats, operations, types, pointer modes,
// empty rows, repeated elements, beta of zero over NaN, sizes that do not fit.
#include <math.h>

#include "../../framework/sparse_values.h"

CONFORMANCE_CASE("sparse.products");

static const auto N = CUSPARSE_OPERATION_NON_TRANSPOSE;
static const auto T = CUSPARSE_OPERATION_TRANSPOSE;
static const auto H = CUSPARSE_OPERATION_CONJUGATE_TRANSPOSE;
static const auto k32 = CUSPARSE_INDEX_32I;
static const auto kZero = CUSPARSE_INDEX_BASE_ZERO;
static const float kOne = 1, kNothing = 0, kTwo = 2;
static const int kNone = 99;
static cusparseHandle_t handle;

static void spmv(const std::string& key, cusparseSpMatDescr_t a, cusparseOperation_t op, int rows, int cols,
                 float alpha = 1, float beta = 0, cusparseSpMVAlg_t alg = CUSPARSE_SPMV_ALG_DEFAULT) {
  std::vector<float> from(static_cast<size_t>(cols)), to(static_cast<size_t>(rows), beta == 0 ? NAN : 1.0f);
  for (size_t i = 0; i < from.size(); ++i) from[i] = static_cast<float>(i + 1);
  DenseVector x(from), y(to);
  size_t size = 0;
  OBSERVE("spmv_size." + key,
          code(cusparseSpMV_bufferSize(handle, op, &alpha, a, x, &beta, y, CUDA_R_32F, alg, &size)));
  Buffer buffer(size);
  OBSERVE("spmv." + key, code(cusparseSpMV(handle, op, &alpha, a, x, &beta, y, CUDA_R_32F, alg, buffer)));
  OBSERVE("spmv." + key + ".y", text(y.values.get()));
}

static void formats() {
  for (int base = 0; base < 2; ++base) {
    const std::string at = base ? ".from_1" : "";
    const auto b = static_cast<cusparseIndexBase_t>(base);
    Csr csr(base);
    cusparseSpMatDescr_t a = csr.describe(base);
    for (auto op : {N, T, H}) spmv("csr" + at + ".op_" + std::to_string(op), a, op, 4, 4);
    spmv("csr" + at + ".factors", a, N, 4, 4, 2, 3);
    for (int alg = 0; alg <= 6; ++alg)
      spmv("csr" + at + ".alg_" + std::to_string(alg), a, N, 4, 4, 1, 0, static_cast<cusparseSpMVAlg_t>(alg));
    cusparseDestroySpMat(a);
    cusparseCreateCsc(&a, 4, 4, 7, csr.offsets, csr.columns, csr.values, k32, k32, b, CUDA_R_32F);
    for (auto op : {N, T, H}) spmv("csc" + at + ".op_" + std::to_string(op), a, op, 4, 4);
    cusparseDestroySpMat(a);
    DeviceValues<int> rows(Csr::shifted({0, 0, 2, 2, 2, 3, 3}, base));
    cusparseCreateCoo(&a, 4, 4, 7, rows, csr.columns, csr.values, k32, b, CUDA_R_32F);
    for (auto op : {N, T, H}) spmv("coo" + at + ".op_" + std::to_string(op), a, op, 4, 4);
    for (int alg = 0; alg <= 6; ++alg)
      spmv("coo" + at + ".alg_" + std::to_string(alg), a, N, 4, 4, 1, 0, static_cast<cusparseSpMVAlg_t>(alg));
    cusparseDestroySpMat(a);
    DeviceValues<int> blockOffsets(Csr::shifted({0, 1, 3}, base)), blocks(Csr::shifted({1, 0, 1}, base));
    DeviceValues<float> blockValues(std::vector<float>{1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12});
    for (auto order : {CUSPARSE_ORDER_ROW, CUSPARSE_ORDER_COL}) {
      cusparseCreateBsr(&a, 2, 2, 3, 2, 2, blockOffsets, blocks, blockValues, k32, k32, b, CUDA_R_32F, order);
      spmv("bsr" + at + ".order_" + std::to_string(order), a, N, 4, 4);
      cusparseDestroySpMat(a);
    }
    // Slices of two rows; -1 fills.
    DeviceValues<int> slices(Csr::shifted({0, 4, 10}, base));
    std::vector<int> columns = Csr::shifted({0, 0, 2, 0, 1, 0, 2, 3, 3, 0}, base);
    columns[1] = columns[3] = columns[9] = -1;
    DeviceValues<int> sliced(columns);
    DeviceValues<float> slicedValues(std::vector<float>{1, 0, 2, 0, 3, 6, 4, 7, 5, 0});
    cusparseCreateSlicedEll(&a, 4, 4, 7, 10, 2, slices, sliced, slicedValues, k32, k32, b, CUDA_R_32F);
    spmv("sliced_ell" + at, a, N, 4, 4);
    cusparseDestroySpMat(a);
  }
  // Elements that come twice, and rows in no order.
  DeviceValues<int> offsets(std::vector<int>{0, 3, 4}), columns(std::vector<int>{1, 1, 0, 1});
  DeviceValues<float> values(std::vector<float>{1, 2, 3, 4});
  cusparseSpMatDescr_t a;
  cusparseCreateCsr(&a, 2, 2, 4, offsets, columns, values, k32, k32, kZero, CUDA_R_32F);
  spmv("repeated", a, N, 2, 2);
  cusparseDestroySpMat(a);
  DeviceValues<int64_t> wideOffsets(std::vector<int64_t>{0, 3, 4}),
      wideColumns(std::vector<int64_t>{1, 1, 0, 1});
  cusparseCreateCsr(&a, 2, 2, 4, wideOffsets, wideColumns, values, CUSPARSE_INDEX_64I, CUSPARSE_INDEX_64I,
                    kZero, CUDA_R_32F);
  spmv("wide_index", a, N, 2, 2);
  cusparseDestroySpMat(a);
  cusparseCreateCsr(&a, 2, 2, 0, wideOffsets, nullptr, nullptr, CUSPARSE_INDEX_64I, CUSPARSE_INDEX_64I, kZero,
                    CUDA_R_32F);
  DeviceValues<int64_t> zeros(std::vector<int64_t>{0, 0, 0});
  wideOffsets.set({0, 0, 0});
  spmv("no_elements", a, N, 2, 2);
  spmv("no_elements.old", a, N, 2, 2, 1, 2);
  cusparseDestroySpMat(a);
}

static void refusals() {
  Csr csr;
  cusparseSpMatDescr_t a = csr.describe();
  DenseVector x({1, 2, 3, 4}), y({0, 0, 0, 0}), small({1, 2, 3});
  size_t size = 0;
  Buffer buffer(4096);
  const auto alg = CUSPARSE_SPMV_ALG_DEFAULT;
  const auto call = [&](const char* key, cusparseHandle_t h, int op, const float* alpha,
                        cusparseSpMatDescr_t m, cusparseDnVecDescr_t from, const float* beta,
                        cusparseDnVecDescr_t to, int type, int which) {
    const auto o = static_cast<cusparseOperation_t>(op);
    const auto t = static_cast<cudaDataType>(type);
    const auto g = static_cast<cusparseSpMVAlg_t>(which);
    OBSERVE(std::string("spmv_size.refused.") + key,
            code(cusparseSpMV_bufferSize(h, o, alpha, m, from, beta, to, t, g, &size)));
    OBSERVE(std::string("spmv.refused.") + key,
            code(cusparseSpMV(h, o, alpha, m, from, beta, to, t, g, buffer)));
  };
  call("no_handle", nullptr, N, &kOne, a, x, &kNothing, y, CUDA_R_32F, alg);
  call("no_alpha", handle, N, nullptr, a, x, &kNothing, y, CUDA_R_32F, alg);
  call("no_beta", handle, N, &kOne, a, x, nullptr, y, CUDA_R_32F, alg);
  call("no_matrix", handle, N, &kOne, nullptr, x, &kNothing, y, CUDA_R_32F, alg);
  call("no_x", handle, N, &kOne, a, nullptr, &kNothing, y, CUDA_R_32F, alg);
  call("no_y", handle, N, &kOne, a, x, &kNothing, nullptr, CUDA_R_32F, alg);
  call("small_x", handle, N, &kOne, a, small, &kNothing, y, CUDA_R_32F, alg);
  call("small_y", handle, N, &kOne, a, x, &kNothing, small, CUDA_R_32F, alg);
  call("operation", handle, kNone, &kOne, a, x, &kNothing, y, CUDA_R_32F, alg);
  call("compute", handle, N, &kOne, a, x, &kNothing, y, CUDA_R_64F, alg);
  call("compute_half", handle, N, &kOne, a, x, &kNothing, y, CUDA_R_16F, alg);
  call("compute_unknown", handle, N, &kOne, a, x, &kNothing, y, kNone, alg);
  call("algorithm", handle, N, &kOne, a, x, &kNothing, y, CUDA_R_32F, kNone);
  OBSERVE("spmv_size.refused.no_place",
          code(cusparseSpMV_bufferSize(handle, N, &kOne, a, x, &kNothing, y, CUDA_R_32F, alg, nullptr)));
  OBSERVE("spmv.preprocess", code(cusparseSpMV_preprocess(handle, N, &kOne, a, x, &kNothing, y, CUDA_R_32F,
                                                          CUSPARSE_SPMV_CSR_ALG1, buffer)));
  DeviceValues<float> alpha(std::vector<float>{2}), beta(std::vector<float>{0});
  cusparseSetPointerMode(handle, CUSPARSE_POINTER_MODE_DEVICE);
  OBSERVE("spmv.device_scalars",
          code(cusparseSpMV(handle, N, alpha, a, x, beta, y, CUDA_R_32F, alg, buffer)));
  OBSERVE("spmv.device_scalars.y", text(y.values.get()));
  cusparseSetPointerMode(handle, CUSPARSE_POINTER_MODE_HOST);
  cusparseDestroySpMat(a);
}

// Which types go together: small integers as elements of any type, results as float.
template <typename A, typename Y>
static void types(const char* key, int typeA, int typeY, int compute, const void* one, const void* zero) {
  DeviceValues<int> offsets(std::vector<int>{0, 2, 3}), columns(std::vector<int>{0, 1, 1});
  DeviceValues<A> values(3), xs(2);
  DeviceValues<Y> ys(2);
  cusparseSpMatDescr_t a = nullptr;
  cusparseDnVecDescr_t x = nullptr, y = nullptr;
  const auto ta = static_cast<cudaDataType>(typeA), ty = static_cast<cudaDataType>(typeY),
             tc = static_cast<cudaDataType>(compute);
  cusparseCreateCsr(&a, 2, 2, 3, offsets, columns, values, k32, k32, kZero, ta);
  cusparseCreateDnVec(&x, 2, xs, ta);
  cusparseCreateDnVec(&y, 2, ys, ty);
  size_t size = 0;
  OBSERVE(std::string("types_size.") + key,
          code(cusparseSpMV_bufferSize(handle, N, one, a, x, zero, y, tc, CUSPARSE_SPMV_ALG_DEFAULT, &size)));
  Buffer buffer(size);
  OBSERVE(std::string("types.") + key,
          code(cusparseSpMV(handle, N, one, a, x, zero, y, tc, CUSPARSE_SPMV_ALG_DEFAULT, buffer)));
  SETUP(cudaDeviceSynchronize());
  cusparseDestroySpMat(a);
  cusparseDestroyDnVec(x);
  cusparseDestroyDnVec(y);
}

static void spmm(const std::string& key, cusparseSpMatDescr_t a, cusparseOperation_t opA,
                 cusparseOperation_t opB, cusparseDnMatDescr_t b, const DenseMatrix& c, float beta = 0,
                 cusparseSpMMAlg_t alg = CUSPARSE_SPMM_ALG_DEFAULT) {
  size_t size = 0;
  OBSERVE("spmm_size." + key,
          code(cusparseSpMM_bufferSize(handle, opA, opB, &kTwo, a, b, &beta, c, CUDA_R_32F, alg, &size)));
  Buffer buffer(size);
  OBSERVE("spmm." + key,
          code(cusparseSpMM(handle, opA, opB, &kTwo, a, b, &beta, c, CUDA_R_32F, alg, buffer)));
  OBSERVE("spmm." + key + ".c", text(c.values.get()));
}

static void dense() {
  const std::vector<float> eight = {1, 2, 3, 4, 5, 6, 7, 8}, unknown(8, NAN), ones(8, 1);
  Csr csr;
  cusparseSpMatDescr_t a = csr.describe();
  DenseMatrix b(4, 2, 4, eight), bRows(4, 2, 2, eight, CUSPARSE_ORDER_ROW), bTurned(2, 4, 2, eight);
  for (auto op : {N, T}) spmm("csr.op_" + std::to_string(op), a, op, N, b, DenseMatrix(4, 2, 4, unknown));
  spmm("csr.turned_b", a, N, T, bTurned, DenseMatrix(4, 2, 4, unknown));
  spmm("csr.rows", a, N, N, bRows, DenseMatrix(4, 2, 2, unknown, CUSPARSE_ORDER_ROW));
  spmm("csr.orders", a, N, N, b, DenseMatrix(4, 2, 2, unknown, CUSPARSE_ORDER_ROW));
  spmm("csr.old", a, N, N, b, DenseMatrix(4, 2, 4, ones), 3);
  spmm("csr.small_c", a, N, N, b, DenseMatrix(3, 2, 4, unknown));
  spmm("csr.small_b", a, N, N, bTurned, DenseMatrix(4, 2, 4, unknown));
  for (int alg : {1, 4, 5, 6, 12, 13, 14, kNone})
    spmm("csr.alg_" + std::to_string(alg), a, N, N, bRows, DenseMatrix(4, 2, 2, unknown, CUSPARSE_ORDER_ROW),
         0, static_cast<cusparseSpMMAlg_t>(alg));
  // The same matrix for two dense ones.
  const std::vector<float> sixteen = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16};
  DenseMatrix bBatch(4, 2, 4, sixteen), cBatch(4, 2, 4, std::vector<float>(16, NAN));
  cusparseDnMatSetStridedBatch(bBatch, 2, 8);
  cusparseDnMatSetStridedBatch(cBatch, 2, 8);
  cusparseCsrSetStridedBatch(a, 2, 0, 0);
  spmm("csr.batch", a, N, N, bBatch, cBatch, 0, CUSPARSE_SPMM_CSR_ALG1);
  cusparseDestroySpMat(a);
  DeviceValues<int> rows(std::vector<int>{0, 0, 2, 2, 2, 3, 3});
  cusparseCreateCoo(&a, 4, 4, 7, rows, csr.columns, csr.values, k32, kZero, CUDA_R_32F);
  spmm("coo", a, N, N, b, DenseMatrix(4, 2, 4, unknown));
  spmm("coo.turned", a, T, N, b, DenseMatrix(4, 2, 4, unknown));
  cusparseDestroySpMat(a);
  cusparseCreateCsc(&a, 4, 4, 7, csr.offsets, csr.columns, csr.values, k32, k32, kZero, CUDA_R_32F);
  spmm("csc", a, N, N, b, DenseMatrix(4, 2, 4, unknown));
  cusparseDestroySpMat(a);
  DeviceValues<int> blocks(std::vector<int>{1, 0});
  DeviceValues<float> blockValues(std::vector<float>{1, 2, 3, 4, 5, 6, 7, 8});
  cusparseCreateBlockedEll(&a, 4, 4, 2, 2, blocks, blockValues, k32, kZero, CUDA_R_32F);
  spmm("blocked_ell", a, N, N, b, DenseMatrix(4, 2, 4, unknown));
  cusparseDestroySpMat(a);
  DeviceValues<int> bsrOffsets(std::vector<int>{0, 1, 2});
  cusparseCreateBsr(&a, 2, 2, 2, 2, 2, bsrOffsets, blocks, blockValues, k32, k32, kZero, CUDA_R_32F,
                    CUSPARSE_ORDER_ROW);
  spmm("bsr", a, N, N, b, DenseMatrix(4, 2, 4, unknown));
  cusparseDestroySpMat(a);

  // op(A) op(B) where the sparse matrix has elements.
  const auto sddmm = [&](const char* key, cusparseOperation_t opA, cusparseOperation_t opB,
                         const DenseMatrix& left, const DenseMatrix& right, float beta,
                         int compute = CUDA_R_32F) {
    Csr c;
    cusparseSpMatDescr_t m = c.describe();
    size_t size = 0;
    const auto t = static_cast<cudaDataType>(compute);
    OBSERVE(std::string("sddmm_size.") + key,
            code(cusparseSDDMM_bufferSize(handle, opA, opB, &kOne, left, right, &beta, m, t,
                                          CUSPARSE_SDDMM_ALG_DEFAULT, &size)));
    Buffer buffer(size);
    OBSERVE(std::string("sddmm_preprocess.") + key,
            code(cusparseSDDMM_preprocess(handle, opA, opB, &kOne, left, right, &beta, m, t,
                                          CUSPARSE_SDDMM_ALG_DEFAULT, buffer)));
    OBSERVE(std::string("sddmm.") + key, code(cusparseSDDMM(handle, opA, opB, &kOne, left, right, &beta, m, t,
                                                            CUSPARSE_SDDMM_ALG_DEFAULT, buffer)));
    OBSERVE(std::string("sddmm.") + key + ".c", text(c.values.get()));
    cusparseDestroySpMat(m);
  };
  sddmm("plain", N, N, b, bTurned, 0);
  sddmm("old", N, N, b, bTurned, 1);
  sddmm("turned", T, T, bTurned, b, 0);
  sddmm("rows", N, N, bRows, bTurned, 0);
  sddmm("small", N, N, b, b, 0);
  sddmm("compute", N, N, b, bTurned, 0, CUDA_R_64F);
}

int main() {
  if (cusparseCreate(&handle) != CUSPARSE_STATUS_SUCCESS) return 3;
  formats();
  refusals();
  const double oneD = 1, zeroD = 0;
  const float oneC[] = {1, 0}, zeroC[] = {0, 0};
  const double oneZ[] = {1, 0}, zeroZ[] = {0, 0};
  const int oneI = 1, zeroI = 0;
  types<float, float>("S", CUDA_R_32F, CUDA_R_32F, CUDA_R_32F, &kOne, &kNothing);
  types<double, double>("D", CUDA_R_64F, CUDA_R_64F, CUDA_R_64F, &oneD, &zeroD);
  types<float2, float2>("C", CUDA_C_32F, CUDA_C_32F, CUDA_C_32F, oneC, zeroC);
  types<double2, double2>("Z", CUDA_C_64F, CUDA_C_64F, CUDA_C_64F, oneZ, zeroZ);
  types<short, short>("half", CUDA_R_16F, CUDA_R_16F, CUDA_R_32F, &kOne, &kNothing);
  types<short, float>("half_to_float", CUDA_R_16F, CUDA_R_32F, CUDA_R_32F, &kOne, &kNothing);
  types<short, short>("half_in_half", CUDA_R_16F, CUDA_R_16F, CUDA_R_16F, &kOne, &kNothing);
  types<short, short>("bfloat16", CUDA_R_16BF, CUDA_R_16BF, CUDA_R_32F, &kOne, &kNothing);
  types<short, float>("bfloat16_to_float", CUDA_R_16BF, CUDA_R_32F, CUDA_R_32F, &kOne, &kNothing);
  types<signed char, int>("int8", CUDA_R_8I, CUDA_R_32I, CUDA_R_32I, &oneI, &zeroI);
  types<signed char, float>("int8_to_float", CUDA_R_8I, CUDA_R_32F, CUDA_R_32F, &kOne, &kNothing);
  types<float, float>("float_by_double", CUDA_R_32F, CUDA_R_32F, CUDA_R_64F, &oneD, &zeroD);
  types<float, double>("float_to_double", CUDA_R_32F, CUDA_R_64F, CUDA_R_64F, &oneD, &zeroD);
  types<int, int>("int32", CUDA_R_32I, CUDA_R_32I, CUDA_R_32I, &oneI, &zeroI);
  types<int, int>("complex_half", CUDA_C_16F, CUDA_C_16F, CUDA_C_32F, oneC, zeroC);
  types<int, int>("complex_bfloat16", CUDA_C_16BF, CUDA_C_16BF, CUDA_C_32F, oneC, zeroC);
  dense();
  cusparseDestroy(handle);
}
