// links: cusparse
// The older calls between formats: COO, CSR, CSC, blocks; sorting; counting; sums; leaving out small
// elements.
#include "../../framework/sparse_values.h"

CONFORMANCE_CASE("sparse.conversions");

static const auto kRow = CUSPARSE_DIRECTION_ROW;
static const auto kColumn = CUSPARSE_DIRECTION_COLUMN;
static cusparseHandle_t handle;

static cusparseMatDescr_t describe(int base) {
  cusparseMatDescr_t descr = nullptr;
  cusparseCreateMatDescr(&descr);
  cusparseSetMatIndexBase(descr, static_cast<cusparseIndexBase_t>(base));
  return descr;
}

static void formats(int base) {
  const std::string at = base ? ".from_1" : "";
  const auto b = static_cast<cusparseIndexBase_t>(base);
  Csr csr(base);
  DeviceValues<int> rows(std::vector<int>(7, -7)), offsets(std::vector<int>(6, -7)),
      indices(std::vector<int>(7, -7));
  DeviceValues<float> values(std::vector<float>(7, -7));
  OBSERVE("csr2coo" + at, code(cusparseXcsr2coo(handle, csr.offsets, 7, 4, rows, b)));
  OBSERVE("csr2coo.rows" + at, text(rows.get()));
  OBSERVE("coo2csr" + at, code(cusparseXcoo2csr(handle, rows, 7, 4, offsets, b)));
  OBSERVE("coo2csr.offsets" + at, text(offsets.get()));
  OBSERVE("coo2csr.empty" + at, code(cusparseXcoo2csr(handle, rows, 0, 4, offsets, b)));
  OBSERVE("coo2csr.empty.offsets" + at, text(offsets.get()));
  OBSERVE("coo2csr.negative" + at, code(cusparseXcoo2csr(handle, rows, -1, 4, offsets, b)));
  size_t size = 0;
  const auto alg = CUSPARSE_CSR2CSC_ALG1;
  OBSERVE("csr2csc_size" + at, code(cusparseCsr2cscEx2_bufferSize(
                                   handle, 4, 4, 7, csr.values, csr.offsets, csr.columns, values, offsets,
                                   indices, CUDA_R_32F, CUSPARSE_ACTION_NUMERIC, b, alg, &size)));
  Buffer buffer(size);
  OBSERVE("csr2csc" + at,
          code(cusparseCsr2cscEx2(handle, 4, 4, 7, csr.values, csr.offsets, csr.columns, values, offsets,
                                  indices, CUDA_R_32F, CUSPARSE_ACTION_NUMERIC, b, alg, buffer)));
  OBSERVE("csr2csc.offsets" + at, text(offsets.get()));
  OBSERVE("csr2csc.rows" + at, text(indices.get()));
  OBSERVE("csr2csc.values" + at, text(values.get()));
  values.set(std::vector<float>(7, -7));
  OBSERVE("csr2csc.symbolic" + at,
          code(cusparseCsr2cscEx2(handle, 4, 4, 7, csr.values, csr.offsets, csr.columns, values, offsets,
                                  indices, CUDA_R_32F, CUSPARSE_ACTION_SYMBOLIC, b, alg, buffer)));
  OBSERVE("csr2csc.symbolic.values" + at, text(values.get()));

  cusparseMatDescr_t descr = describe(base), other = describe(1 - base);
  for (auto direction : {kRow, kColumn}) {
    const std::string key = at + ".direction_" + std::to_string(direction);
    DeviceValues<int> blockOffsets(std::vector<int>(3, -7)), blocks(std::vector<int>(4, -7)),
        back(std::vector<int>(5, -7)), backColumns(std::vector<int>(16, -7));
    DeviceValues<float> blockValues(std::vector<float>(16, -7)), backValues(std::vector<float>(16, -7));
    int count = -1, bytes = 0;
    OBSERVE("csr2bsr_nnz" + key, code(cusparseXcsr2bsrNnz(handle, direction, 4, 4, descr, csr.offsets,
                                                          csr.columns, 2, other, blockOffsets, &count)));
    OBSERVE("csr2bsr_nnz.count" + key, count);
    OBSERVE("csr2bsr" + key,
            code(cusparseScsr2bsr(handle, direction, 4, 4, descr, csr.values, csr.offsets, csr.columns, 2,
                                  other, blockValues, blockOffsets, blocks)));
    OBSERVE("csr2bsr.offsets" + key, text(blockOffsets.get()));
    OBSERVE("csr2bsr.columns" + key, text(blocks.get()));
    OBSERVE("csr2bsr.values" + key, text(blockValues.get()));
    OBSERVE("bsr2csr" + key, code(cusparseSbsr2csr(handle, direction, 2, 2, other, blockValues, blockOffsets,
                                                   blocks, 2, descr, backValues, back, backColumns)));
    OBSERVE("bsr2csr.offsets" + key, text(back.get()));
    OBSERVE("bsr2csr.columns" + key, text(backColumns.get()));
    OBSERVE("bsr2csr.values" + key, text(backValues.get()));
    // Blocks of three rows and two columns do not fit evenly.
    DeviceValues<int> wideOffsets(std::vector<int>(3, -7)), wideColumns(std::vector<int>(4, -7));
    DeviceValues<float> wideValues(std::vector<float>(24, -7));
    OBSERVE("csr2gebsr_size" + key,
            code(cusparseScsr2gebsr_bufferSize(handle, direction, 4, 4, descr, csr.values, csr.offsets,
                                               csr.columns, 3, 2, &bytes)));
    Buffer work(static_cast<size_t>(bytes));
    OBSERVE("csr2gebsr_nnz" + key,
            code(cusparseXcsr2gebsrNnz(handle, direction, 4, 4, descr, csr.offsets, csr.columns, other,
                                       wideOffsets, 3, 2, &count, work)));
    OBSERVE("csr2gebsr_nnz.count" + key, count);
    OBSERVE("csr2gebsr" + key,
            code(cusparseScsr2gebsr(handle, direction, 4, 4, descr, csr.values, csr.offsets, csr.columns,
                                    other, wideValues, wideOffsets, wideColumns, 3, 2, work)));
    OBSERVE("csr2gebsr.columns" + key, text(wideColumns.get()));
    OBSERVE("csr2gebsr.values" + key, text(wideValues.get()));
    OBSERVE("csr2bsr_nnz.no_block" + key,
            code(cusparseXcsr2bsrNnz(handle, direction, 4, 4, descr, csr.offsets, csr.columns, 0, other,
                                     blockOffsets, &count)));
  }

  // Sorting, with elements that come twice.
  DeviceValues<int> cooRows(Csr::shifted({2, 0, 1, 0, 2, 0}, base)),
      cooColumns(Csr::shifted({1, 3, 2, 1, 1, 0}, base)), order(6);
  OBSERVE("identity" + at, code(cusparseCreateIdentityPermutation(handle, 6, order)));
  OBSERVE("identity.values" + at, text(order.get()));
  OBSERVE("coosort_size" + at,
          code(cusparseXcoosort_bufferSizeExt(handle, 3, 4, 6, cooRows, cooColumns, &size)));
  Buffer work(size);
  OBSERVE("coosort_rows" + at,
          code(cusparseXcoosortByRow(handle, 3, 4, 6, cooRows, cooColumns, order, work)));
  OBSERVE("coosort_rows.rows" + at, text(cooRows.get()));
  OBSERVE("coosort_rows.columns" + at, text(cooColumns.get()));
  OBSERVE("coosort_rows.order" + at, text(order.get()));
  OBSERVE("coosort_columns" + at,
          code(cusparseXcoosortByColumn(handle, 3, 4, 6, cooRows, cooColumns, order, work)));
  OBSERVE("coosort_columns.rows" + at, text(cooRows.get()));
  OBSERVE("coosort_columns.columns" + at, text(cooColumns.get()));
  DeviceValues<int> mixedOffsets(Csr::shifted({0, 3, 3, 6}, base)),
      mixed(Csr::shifted({3, 0, 1, 2, 0, 2}, base));
  OBSERVE("csrsort_size" + at,
          code(cusparseXcsrsort_bufferSizeExt(handle, 3, 4, 6, mixedOffsets, mixed, &size)));
  Buffer sorting(size);
  cusparseCreateIdentityPermutation(handle, 6, order);
  OBSERVE("csrsort" + at,
          code(cusparseXcsrsort(handle, 3, 4, 6, descr, mixedOffsets, mixed, order, sorting)));
  OBSERVE("csrsort.columns" + at, text(mixed.get()));
  OBSERVE("csrsort.order" + at, text(order.get()));
  mixed.set(Csr::shifted({3, 0, 1, 2, 0, 2}, base));
  OBSERVE("cscsort_size" + at,
          code(cusparseXcscsort_bufferSizeExt(handle, 4, 3, 6, mixedOffsets, mixed, &size)));
  Buffer otherSorting(size);
  OBSERVE("cscsort" + at,
          code(cusparseXcscsort(handle, 4, 3, 6, descr, mixedOffsets, mixed, order, otherSorting)));
  OBSERVE("cscsort.rows" + at, text(mixed.get()));
  csru2csrInfo_t info = nullptr;
  OBSERVE("csru2csr_info" + at, code(cusparseCreateCsru2csrInfo(&info)));
  mixed.set(Csr::shifted({3, 0, 1, 2, 0, 2}, base));
  DeviceValues<float> mixedValues(6);
  OBSERVE("csru2csr_size" + at, code(cusparseScsru2csr_bufferSizeExt(handle, 3, 4, 6, mixedValues,
                                                                     mixedOffsets, mixed, info, &size)));
  Buffer third(size);
  OBSERVE("csru2csr" + at,
          code(cusparseScsru2csr(handle, 3, 4, 6, descr, mixedValues, mixedOffsets, mixed, info, third)));
  OBSERVE("csru2csr.columns" + at, text(mixed.get()));
  OBSERVE("csru2csr.values" + at, text(mixedValues.get()));
  OBSERVE("csr2csru" + at,
          code(cusparseScsr2csru(handle, 3, 4, 6, descr, mixedValues, mixedOffsets, mixed, info, third)));
  OBSERVE("csr2csru.columns" + at, text(mixed.get()));
  OBSERVE("csr2csru.values" + at, text(mixedValues.get()));
  cusparseDestroyCsru2csrInfo(info);
  cusparseDestroyMatDescr(descr);
  cusparseDestroyMatDescr(other);
}

static void sums(int base) {
  const std::string at = base ? ".from_1" : "";
  Csr a(base);
  DeviceValues<int> bOffsets(Csr::shifted({0, 1, 2, 3, 3}, base)), bColumns(Csr::shifted({0, 1, 2}, base)),
      cOffsets(std::vector<int>(5, -7)), cColumns(std::vector<int>(10, -7));
  DeviceValues<float> bValues(std::vector<float>{-1, 5, 6}), cValues(std::vector<float>(10, -7));
  cusparseMatDescr_t descr = describe(base);
  const float one = 1, two = 2;
  size_t size = 0;
  OBSERVE("geam_size" + at, code(cusparseScsrgeam2_bufferSizeExt(
                                handle, 4, 4, &one, descr, 7, a.values, a.offsets, a.columns, &two, descr, 3,
                                bValues, bOffsets, bColumns, descr, cValues, cOffsets, cColumns, &size)));
  Buffer buffer(size);
  int count = -1;
  OBSERVE("geam_nnz" + at, code(cusparseXcsrgeam2Nnz(handle, 4, 4, descr, 7, a.offsets, a.columns, descr, 3,
                                                     bOffsets, bColumns, descr, cOffsets, &count, buffer)));
  OBSERVE("geam_nnz.count" + at, count);
  OBSERVE("geam_nnz.offsets" + at, text(cOffsets.get()));
  OBSERVE("geam" + at,
          code(cusparseScsrgeam2(handle, 4, 4, &one, descr, 7, a.values, a.offsets, a.columns, &two, descr, 3,
                                 bValues, bOffsets, bColumns, descr, cValues, cOffsets, cColumns, buffer)));
  OBSERVE("geam.columns" + at, text(cColumns.get()));
  OBSERVE("geam.values" + at, text(cValues.get()));
  cusparseSetMatType(descr, CUSPARSE_MATRIX_TYPE_SYMMETRIC);
  OBSERVE("geam.symmetric" + at,
          code(cusparseScsrgeam2(handle, 4, 4, &one, descr, 7, a.values, a.offsets, a.columns, &two, descr, 3,
                                 bValues, bOffsets, bColumns, descr, cValues, cOffsets, cColumns, buffer)));
  cusparseSetMatType(descr, CUSPARSE_MATRIX_TYPE_GENERAL);

  DeviceValues<float> dense(std::vector<float>{1, 0, -3, 0, 5, -0.0f, 7, 8, 0, -2, 0.5f, 12});
  DeviceValues<int> perLine(std::vector<int>(4, -7));
  for (auto direction : {kRow, kColumn}) {
    const std::string key = at + ".direction_" + std::to_string(direction);
    perLine.set(std::vector<int>(4, -7));
    OBSERVE("nnz" + key, code(cusparseSnnz(handle, direction, 3, 4, descr, dense, 3, perLine, &count)));
    OBSERVE("nnz.count" + key, count);
    OBSERVE("nnz.lines" + key, text(perLine.get()));
  }
  OBSERVE("nnz.narrow" + at, code(cusparseSnnz(handle, kRow, 3, 4, descr, dense, 2, perLine, &count)));
  OBSERVE("nnz_compress" + at,
          code(cusparseSnnz_compress(handle, 4, descr, a.values, a.offsets, perLine, &count, 3)));
  OBSERVE("nnz_compress.count" + at, count);
  OBSERVE("nnz_compress.rows" + at, text(perLine.get()));
  OBSERVE("nnz_compress.negative" + at,
          code(cusparseSnnz_compress(handle, 4, descr, a.values, a.offsets, perLine, &count, -1)));
  OBSERVE("compress" + at, code(cusparseScsr2csr_compress(handle, 4, 4, descr, a.values, a.columns, a.offsets,
                                                          7, perLine, cValues, cColumns, cOffsets, 3)));
  OBSERVE("compress.offsets" + at, text(cOffsets.get()));
  auto kept = cValues.get();
  kept.resize(static_cast<size_t>(count));
  OBSERVE("compress.values" + at, text(kept));

  const float bound = 3;
  DeviceValues<int> prunedOffsets(std::vector<int>(5, -7)), prunedColumns(std::vector<int>(12, -7));
  DeviceValues<float> pruned(std::vector<float>(12, -7));
  OBSERVE("prune_dense_size" + at,
          code(cusparseSpruneDense2csr_bufferSizeExt(handle, 3, 4, dense, 3, &bound, descr, pruned,
                                                     prunedOffsets, prunedColumns, &size)));
  Buffer work(size);
  OBSERVE("prune_dense_nnz" + at, code(cusparseSpruneDense2csrNnz(handle, 3, 4, dense, 3, &bound, descr,
                                                                  prunedOffsets, &count, work)));
  OBSERVE("prune_dense_nnz.count" + at, count);
  OBSERVE("prune_dense" + at, code(cusparseSpruneDense2csr(handle, 3, 4, dense, 3, &bound, descr, pruned,
                                                           prunedOffsets, prunedColumns, work)));
  OBSERVE("prune_dense.offsets" + at, text(prunedOffsets.get()));
  OBSERVE("prune_dense.columns" + at, text(prunedColumns.get()));
  OBSERVE("prune_dense.values" + at, text(pruned.get()));
  OBSERVE("prune_csr_size" + at, code(cusparseSpruneCsr2csr_bufferSizeExt(
                                     handle, 4, 4, 7, descr, a.values, a.offsets, a.columns, &bound, descr,
                                     pruned, prunedOffsets, prunedColumns, &size)));
  Buffer otherWork(size);
  OBSERVE("prune_csr_nnz" + at,
          code(cusparseSpruneCsr2csrNnz(handle, 4, 4, 7, descr, a.values, a.offsets, a.columns, &bound, descr,
                                        prunedOffsets, &count, otherWork)));
  OBSERVE("prune_csr_nnz.count" + at, count);
  OBSERVE("prune_csr" + at,
          code(cusparseSpruneCsr2csr(handle, 4, 4, 7, descr, a.values, a.offsets, a.columns, &bound, descr,
                                     pruned, prunedOffsets, prunedColumns, otherWork)));
  OBSERVE("prune_csr.offsets" + at, text(prunedOffsets.get()));
  OBSERVE("prune_csr.values" + at, text(pruned.get()));
  pruneInfo_t info = nullptr;
  cusparseCreatePruneInfo(&info);
  for (float share : {0.0f, 20.0f, 50.0f, 100.0f}) {
    const std::string key = at + ".share_" + std::to_string(static_cast<int>(share));
    OBSERVE("prune_share_size" + key,
            code(cusparseSpruneDense2csrByPercentage_bufferSizeExt(
                handle, 3, 4, dense, 3, share, descr, pruned, prunedOffsets, prunedColumns, info, &size)));
    Buffer some(size);
    OBSERVE("prune_share_nnz" + key,
            code(cusparseSpruneDense2csrNnzByPercentage(handle, 3, 4, dense, 3, share, descr, prunedOffsets,
                                                        &count, info, some)));
    OBSERVE("prune_share_nnz.count" + key, count);
    OBSERVE("prune_share_csr_size" + key, code(cusparseSpruneCsr2csrByPercentage_bufferSizeExt(
                                              handle, 4, 4, 7, descr, a.values, a.offsets, a.columns, share,
                                              descr, pruned, prunedOffsets, prunedColumns, info, &size)));
    Buffer more(size);
    OBSERVE("prune_share_csr_nnz" + key,
            code(cusparseSpruneCsr2csrNnzByPercentage(handle, 4, 4, 7, descr, a.values, a.offsets, a.columns,
                                                      share, descr, prunedOffsets, &count, info, more)));
    OBSERVE("prune_share_csr_nnz.count" + key, count);
  }
  cusparseDestroyPruneInfo(info);
  cusparseDestroyMatDescr(descr);
}

int main() {
  if (cusparseCreate(&handle) != CUSPARSE_STATUS_SUCCESS) return 3;
  for (int base = 0; base < 2; ++base) {
    formats(base);
    sums(base);
  }
  cusparseDestroy(handle);
}
