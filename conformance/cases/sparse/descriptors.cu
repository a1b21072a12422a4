// links: cusparse
// Descriptors of the generic interface: what they refuse, and what they tell.
#include "../../framework/sparse_values.h"

CONFORMANCE_CASE("sparse.descriptors");

static const auto k32 = CUSPARSE_INDEX_32I;
static const auto k64 = CUSPARSE_INDEX_64I;
static const auto kZero = CUSPARSE_INDEX_BASE_ZERO;
static const int kNone = 99;

struct Sizes {
  const char* name;
  int64_t rows, cols, nnz;
};
static const Sizes kSizes[] = {{"plain", 4, 4, 7},          {"empty", 0, 0, 0},
                               {"no_elements", 4, 4, 0},    {"too_many", 2, 2, 5},
                               {"negative_rows", -1, 4, 7}, {"negative_cols", 4, -1, 7},
                               {"negative_nnz", 4, 4, -1},  {"no_rows", 0, 4, 0}};

static void done(cusparseSpMatDescr_t& matrix) {
  if (matrix) cusparseDestroySpMat(matrix);
  matrix = nullptr;
}

static void compressed(int* offsets, int* indices, float* values) {
  cusparseSpMatDescr_t m = nullptr;
  for (const Sizes& s : kSizes) {
    const std::string key = std::string(".") + s.name;
    OBSERVE("csr" + key, code(cusparseCreateCsr(&m, s.rows, s.cols, s.nnz, offsets, indices, values, k32, k32,
                                                kZero, CUDA_R_32F)));
    done(m);
    OBSERVE("csc" + key, code(cusparseCreateCsc(&m, s.rows, s.cols, s.nnz, offsets, indices, values, k32, k32,
                                                kZero, CUDA_R_32F)));
    done(m);
    OBSERVE("coo" + key, code(cusparseCreateCoo(&m, s.rows, s.cols, s.nnz, offsets, indices, values, k32,
                                                kZero, CUDA_R_32F)));
    done(m);
    OBSERVE("bsr" + key, code(cusparseCreateBsr(&m, s.rows, s.cols, s.nnz, 2, 2, offsets, indices, values,
                                                k32, k32, kZero, CUDA_R_32F, CUSPARSE_ORDER_ROW)));
    done(m);
  }
  const auto csr = [&](const char* key, int* o, int* i, float* v, cusparseIndexType_t ot,
                       cusparseIndexType_t it, int base, int type, int64_t nnz = 7) {
    OBSERVE(std::string("csr.") + key,
            code(cusparseCreateCsr(&m, 4, 4, nnz, o, i, v, ot, it, static_cast<cusparseIndexBase_t>(base),
                                   static_cast<cudaDataType>(type))));
    done(m);
  };
  csr("no_offsets", nullptr, indices, values, k32, k32, 0, CUDA_R_32F);
  csr("no_columns", offsets, nullptr, values, k32, k32, 0, CUDA_R_32F);
  csr("no_values", offsets, indices, nullptr, k32, k32, 0, CUDA_R_32F);
  csr("nothing", offsets, nullptr, nullptr, k32, k32, 0, CUDA_R_32F, 0);
  csr("nothing_at_all", nullptr, nullptr, nullptr, k32, k32, 0, CUDA_R_32F, 0);
  csr("mixed_index", offsets, indices, values, k64, k32, 0, CUDA_R_32F);
  csr("other_mixed_index", offsets, indices, values, k32, k64, 0, CUDA_R_32F);
  csr("wide_index", offsets, indices, values, k64, k64, 0, CUDA_R_32F);
  csr("short_index", offsets, indices, values, CUSPARSE_INDEX_16U, CUSPARSE_INDEX_16U, 0, CUDA_R_32F);
  csr("unknown_index", offsets, indices, values, static_cast<cusparseIndexType_t>(kNone), k32, 0, CUDA_R_32F);
  csr("unknown_base", offsets, indices, values, k32, k32, kNone, CUDA_R_32F);
  csr("unknown_type", offsets, indices, values, k32, k32, 0, kNone);
  for (int type :
       {CUDA_R_16F, CUDA_R_16BF, CUDA_R_64F, CUDA_C_32F, CUDA_C_64F, CUDA_R_8I, CUDA_R_32I, CUDA_C_16F,
        CUDA_C_16BF, CUDA_R_8U, CUDA_C_8I, CUDA_R_16I, CUDA_R_64I, CUDA_R_4I, CUDA_R_8F_E4M3})
    csr(("type_" + std::to_string(type)).c_str(), offsets, indices, values, k32, k32, 0, type);
  OBSERVE("csr.no_place",
          code(cusparseCreateCsr(nullptr, 4, 4, 7, offsets, indices, values, k32, k32, kZero, CUDA_R_32F)));
  OBSERVE("bsr.no_block", code(cusparseCreateBsr(&m, 2, 2, 1, 0, 2, offsets, indices, values, k32, k32, kZero,
                                                 CUDA_R_32F, CUSPARSE_ORDER_ROW)));
  done(m);
  OBSERVE("bsr.unknown_order",
          code(cusparseCreateBsr(&m, 2, 2, 1, 2, 2, offsets, indices, values, k32, k32, kZero, CUDA_R_32F,
                                 static_cast<cusparseOrder_t>(kNone))));
  done(m);
  const auto ell = [&](const char* key, int64_t rows, int64_t cols, int64_t block, int64_t width) {
    OBSERVE(std::string("blocked_ell.") + key,
            code(cusparseCreateBlockedEll(&m, rows, cols, block, width, indices, values, k32, kZero,
                                          CUDA_R_32F)));
    done(m);
  };
  ell("plain", 4, 4, 2, 2);
  ell("no_block", 4, 4, 0, 2);
  ell("odd_width", 4, 4, 2, 3);
  ell("odd_rows", 5, 4, 2, 2);
  ell("wide", 4, 4, 2, 6);
  ell("empty", 0, 0, 2, 0);
  const auto sell = [&](const char* key, int64_t nnz, int64_t size, int64_t slice) {
    OBSERVE(std::string("sliced_ell.") + key,
            code(cusparseCreateSlicedEll(&m, 4, 4, nnz, size, slice, offsets, indices, values, k32, k32,
                                         kZero, CUDA_R_32F)));
    done(m);
  };
  sell("plain", 7, 8, 2);
  sell("no_slice", 7, 8, 0);
  sell("few_values", 7, 6, 2);
  sell("negative", 7, -8, 2);
}

static void told(int* offsets, int* indices, float* values) {
  cusparseSpMatDescr_t m = nullptr;
  cusparseCreateCsr(&m, 4, 5, 7, offsets, indices, values, k32, k32, CUSPARSE_INDEX_BASE_ONE, CUDA_R_32F);
  int64_t rows = -1, cols = -1, nnz = -1;
  void *o = nullptr, *i = nullptr, *v = nullptr;
  cusparseIndexType_t ot, it;
  cusparseIndexBase_t base;
  cudaDataType type;
  OBSERVE("get.csr", code(cusparseCsrGet(m, &rows, &cols, &nnz, &o, &i, &v, &ot, &it, &base, &type)));
  OBSERVE("get.csr.values", std::to_string(rows) + " " + std::to_string(cols) + " " + std::to_string(nnz) +
                                " " + std::to_string(ot) + " " + std::to_string(it) + " " +
                                std::to_string(base) + " " + std::to_string(type));
  OBSERVE("get.csr.pointers", o == offsets && i == indices && v == values);
  OBSERVE("get.csr.no_place",
          code(cusparseCsrGet(m, nullptr, &cols, &nnz, &o, &i, &v, &ot, &it, &base, &type)));
  OBSERVE("get.csr_as_csc", code(cusparseCscGet(m, &rows, &cols, &nnz, &o, &i, &v, &ot, &it, &base, &type)));
  OBSERVE("get.csr_as_coo", code(cusparseCooGet(m, &rows, &cols, &nnz, &o, &i, &v, &it, &base, &type)));
  cusparseFormat_t format;
  OBSERVE("get.format", code(cusparseSpMatGetFormat(m, &format)));
  OBSERVE("get.format.value", static_cast<int>(format));
  OBSERVE("get.format.no_place", code(cusparseSpMatGetFormat(m, nullptr)));
  OBSERVE("get.base", code(cusparseSpMatGetIndexBase(m, &base)));
  OBSERVE("get.size", code(cusparseSpMatGetSize(m, &rows, &cols, &nnz)));
  OBSERVE("get.size.no_place", code(cusparseSpMatGetSize(m, &rows, nullptr, &nnz)));
  OBSERVE("get.values", code(cusparseSpMatGetValues(m, &v)));
  OBSERVE("get.values.none", code(cusparseSpMatGetValues(m, nullptr)));
  OBSERVE("set.values", code(cusparseSpMatSetValues(m, values)));
  OBSERVE("set.values.none", code(cusparseSpMatSetValues(m, nullptr)));
  OBSERVE("set.pointers", code(cusparseCsrSetPointers(m, offsets, indices, values)));
  OBSERVE("set.pointers.none", code(cusparseCsrSetPointers(m, nullptr, indices, values)));
  OBSERVE("set.pointers.csc", code(cusparseCscSetPointers(m, offsets, indices, values)));
  OBSERVE("set.pointers.coo", code(cusparseCooSetPointers(m, offsets, indices, values)));
  int fill = 1, diagonal = 1;
  OBSERVE("attribute.fill", code(cusparseSpMatSetAttribute(m, CUSPARSE_SPMAT_FILL_MODE, &fill, sizeof fill)));
  OBSERVE("attribute.diagonal",
          code(cusparseSpMatSetAttribute(m, CUSPARSE_SPMAT_DIAG_TYPE, &diagonal, sizeof diagonal)));
  fill = diagonal = 7;
  OBSERVE("attribute.get", code(cusparseSpMatGetAttribute(m, CUSPARSE_SPMAT_FILL_MODE, &fill, sizeof fill)));
  OBSERVE("attribute.get.value", fill);
  OBSERVE("attribute.size", code(cusparseSpMatSetAttribute(m, CUSPARSE_SPMAT_FILL_MODE, &fill, 2)));
  OBSERVE("attribute.none",
          code(cusparseSpMatSetAttribute(m, CUSPARSE_SPMAT_FILL_MODE, nullptr, sizeof fill)));
  OBSERVE("attribute.unknown", code(cusparseSpMatSetAttribute(m, static_cast<cusparseSpMatAttribute_t>(kNone),
                                                              &fill, sizeof fill)));
  OBSERVE("attribute.value",
          code(cusparseSpMatSetAttribute(m, CUSPARSE_SPMAT_FILL_MODE, &diagonal, sizeof fill)));
  int count = -1;
  OBSERVE("batch.get", code(cusparseSpMatGetStridedBatch(m, &count)));
  OBSERVE("batch.default", count);
  OBSERVE("batch.set", code(cusparseCsrSetStridedBatch(m, 2, 0, 7)));
  OBSERVE("batch.set.none", code(cusparseCsrSetStridedBatch(m, 0, 0, 7)));
  OBSERVE("batch.set.negative", code(cusparseCsrSetStridedBatch(m, 2, -1, 7)));
  OBSERVE("batch.set.coo", code(cusparseCooSetStridedBatch(m, 2, 7)));
  OBSERVE("batch.set.small", code(cusparseCsrSetStridedBatch(m, 2, 1, 1)));
  OBSERVE("destroy", code(cusparseDestroySpMat(m)));
  OBSERVE("destroy.none", code(cusparseDestroySpMat(nullptr)));
}

static void dense(int* indices, float* values) {
  cusparseDnVecDescr_t v = nullptr;
  const auto vector = [&](const char* key, int64_t size, float* data, int type) {
    OBSERVE(std::string("vector.") + key,
            code(cusparseCreateDnVec(&v, size, data, static_cast<cudaDataType>(type))));
    if (v) cusparseDestroyDnVec(v);
    v = nullptr;
  };
  vector("plain", 4, values, CUDA_R_32F);
  vector("empty", 0, values, CUDA_R_32F);
  vector("empty_none", 0, nullptr, CUDA_R_32F);
  vector("none", 4, nullptr, CUDA_R_32F);
  vector("negative", -1, values, CUDA_R_32F);
  vector("unknown_type", 4, values, kNone);
  OBSERVE("vector.no_place", code(cusparseCreateDnVec(nullptr, 4, values, CUDA_R_32F)));
  OBSERVE("vector.destroy.none", code(cusparseDestroyDnVec(nullptr)));
  cusparseDnMatDescr_t m = nullptr;
  const auto matrix = [&](const char* key, int64_t rows, int64_t cols, int64_t ld, float* data, int order) {
    OBSERVE(std::string("matrix.") + key, code(cusparseCreateDnMat(&m, rows, cols, ld, data, CUDA_R_32F,
                                                                   static_cast<cusparseOrder_t>(order))));
    if (m) cusparseDestroyDnMat(m);
    m = nullptr;
  };
  matrix("plain", 3, 2, 3, values, CUSPARSE_ORDER_COL);
  matrix("rows", 3, 2, 2, values, CUSPARSE_ORDER_ROW);
  matrix("narrow", 3, 2, 2, values, CUSPARSE_ORDER_COL);
  matrix("narrow_rows", 3, 2, 1, values, CUSPARSE_ORDER_ROW);
  matrix("empty", 0, 0, 0, values, CUSPARSE_ORDER_COL);
  matrix("none", 3, 2, 3, nullptr, CUSPARSE_ORDER_COL);
  matrix("negative", -3, 2, 3, values, CUSPARSE_ORDER_COL);
  matrix("unknown_order", 3, 2, 3, values, kNone);
  cusparseCreateDnMat(&m, 3, 2, 3, values, CUDA_R_32F, CUSPARSE_ORDER_COL);
  int count = -1;
  int64_t stride = -1;
  OBSERVE("matrix.batch.get", code(cusparseDnMatGetStridedBatch(m, &count, &stride)));
  OBSERVE("matrix.batch.default", std::to_string(count) + " " + std::to_string(stride));
  OBSERVE("matrix.batch.set", code(cusparseDnMatSetStridedBatch(m, 2, 6)));
  OBSERVE("matrix.batch.small", code(cusparseDnMatSetStridedBatch(m, 2, 5)));
  OBSERVE("matrix.batch.none", code(cusparseDnMatSetStridedBatch(m, 0, 6)));
  OBSERVE("matrix.batch.zero_stride", code(cusparseDnMatSetStridedBatch(m, 2, 0)));
  OBSERVE("matrix.set_values.none", code(cusparseDnMatSetValues(m, nullptr)));
  cusparseDestroyDnMat(m);
  cusparseSpVecDescr_t s = nullptr;
  const auto sparse = [&](const char* key, int64_t size, int64_t nnz, int* i, float* data, int type,
                          int base) {
    OBSERVE(std::string("sparse_vector.") + key,
            code(cusparseCreateSpVec(&s, size, nnz, i, data, static_cast<cusparseIndexType_t>(type),
                                     static_cast<cusparseIndexBase_t>(base), CUDA_R_32F)));
    if (s) cusparseDestroySpVec(s);
    s = nullptr;
  };
  sparse("plain", 8, 3, indices, values, k32, 0);
  sparse("empty", 0, 0, indices, values, k32, 0);
  sparse("too_many", 2, 3, indices, values, k32, 0);
  sparse("no_elements", 8, 0, nullptr, nullptr, k32, 0);
  sparse("no_indices", 8, 3, nullptr, values, k32, 0);
  sparse("no_values", 8, 3, indices, nullptr, k32, 0);
  sparse("short_index", 8, 3, indices, values, CUSPARSE_INDEX_16U, 0);
  sparse("unknown_index", 8, 3, indices, values, kNone, 0);
  sparse("unknown_base", 8, 3, indices, values, k32, kNone);
  sparse("negative", -8, 3, indices, values, k32, 0);
}

int main() {
  DeviceValues<int> offsets(64), indices(64);
  DeviceValues<float> values(64);
  compressed(offsets, indices, values);
  told(offsets, indices, values);
  dense(indices, values);
}
