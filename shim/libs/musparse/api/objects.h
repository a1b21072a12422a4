// What descriptors and infos of muSPARSE's interface hold.
#pragma once

#include <musparse.h>

#include <atomic>
#include <cstdint>
#include <memory>
#include <vector>

namespace musashim::musparse {

// Where a factorisation or a solution met a pivot that is none: the block row, from 0, or -1. Work on a
// stream tells it here, also after the info is gone.
struct Pivot {
  std::atomic<int> structural{-1};
  std::atomic<int> numerical{-1};
};

struct PivotInfo {
  std::shared_ptr<Pivot> pivot = std::make_shared<Pivot>();
  int base = 0;
  bool boosts = false;
  const double* tolerance = nullptr;  // as the pointer mode says
  const void* boost = nullptr;
};

// Values of a triangular matrix as its analysis saw them.
struct KeptValues {
  std::vector<unsigned char> bytes;
};

// A product's result, between the calls that compute it and copy it.
struct KeptProduct {
  int64_t products = 0;
  std::vector<int64_t> offsets, columns;
  std::vector<unsigned char> values;
};

}  // namespace musashim::musparse

struct musparseMatDescr {
  musparseMatrixType_t type = MUSPARSE_MATRIX_TYPE_GENERAL;
  musparseFillMode_t fill = MUSPARSE_FILL_MODE_LOWER;
  musparseDiagType_t diagonal = MUSPARSE_DIAG_TYPE_NON_UNIT;
  musparseIndexBase_t base = MUSPARSE_INDEX_BASE_ZERO;
};

struct bsrsv2Info : musashim::musparse::PivotInfo {};
struct bsrsm2Info : musashim::musparse::PivotInfo {};
struct csric02Info : musashim::musparse::PivotInfo {};
struct bsric02Info : musashim::musparse::PivotInfo {};
struct csrilu02Info : musashim::musparse::PivotInfo {};
struct bsrilu02Info : musashim::musparse::PivotInfo {};
struct csru2csrInfo {
  // Where each element of the sorted matrix came from.
  std::shared_ptr<std::vector<int>> order = std::make_shared<std::vector<int>>();
};
struct pruneInfo {};
struct csrsv2Info : musashim::musparse::PivotInfo {};
struct csrsm2Info : musashim::musparse::PivotInfo {};
// Which parts of the sum there are, as the call for the buffer's size said.
struct csrgemm2Info {
  bool multiplies = true, adds = false;
};
struct musparseColorInfo {
  musparseColorAlg_t algorithm = MUSPARSE_COLOR_ALG0;
};

struct musparseSpVecDescr {
  int64_t size, nnz;
  void* indices;
  void* values;
  musparseIndexType_t indexType;
  musparseIndexBase_t base;
  musaDataType valueType;
};

struct musparseDnVecDescr {
  int64_t size;
  void* values;
  musaDataType valueType;
};

struct musparseDnMatDescr {
  int64_t rows, cols, ld;
  void* values;
  musaDataType valueType;
  musparseOrder_t order;
  int batchCount = 1;
  int64_t batchStride = 0;
};

// A matrix in any of the formats. `nnz` counts blocks in BSR; `offsets` are row indices in COO.
struct musparseSpMatDescr {
  musparseFormat_t format;
  int64_t rows, cols, nnz;
  void* offsets;
  void* indices;
  void* values;
  musparseIndexType_t offsetType, indexType;
  musparseIndexBase_t base;
  musaDataType valueType;
  int64_t blockRows = 1, blockCols = 1;                // BSR, blocked ELL
  musparseOrder_t order = MUSPARSE_ORDER_ROW;          // of values in a block
  int64_t ellCols = 0, sliceSize = 0, valuesSize = 0;  // ELL's forms
  int batchCount = 1;
  int64_t offsetsStride = 0, indicesStride = 0, valuesStride = 0;
  musparseFillMode_t fill = MUSPARSE_FILL_MODE_LOWER;
  musparseDiagType_t diagonal = MUSPARSE_DIAG_TYPE_NON_UNIT;
};

struct musparseSpSVDescr {
  std::shared_ptr<musashim::musparse::KeptValues> kept;
  musparseSpMatDescr matrix{};
};
struct musparseSpSMDescr {
  std::shared_ptr<musashim::musparse::KeptValues> kept;
  musparseSpMatDescr matrix{};
};
struct musparseSpGEMMDescr {
  std::shared_ptr<musashim::musparse::KeptProduct> kept;
};
