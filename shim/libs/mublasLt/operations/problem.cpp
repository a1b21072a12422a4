#include "libs/mublasLt/operations/problem.h"

#include <climits>

#include "libs/mublasLt/api/entry.h"

namespace musashim::mublasLt {
namespace {

bool isEighth(int32_t type) { return type == MUSA_R_8F_E4M3 || type == MUSA_R_8F_E5M2; }

bool isFloat(int32_t compute) {
  switch (compute) {
    case MUBLAS_COMPUTE_32F:
    case MUBLAS_COMPUTE_32F_PEDANTIC:
    case MUBLAS_COMPUTE_32F_FAST_16F:
    case MUBLAS_COMPUTE_32F_FAST_16BF:
    case MUBLAS_COMPUTE_32F_FAST_TF32:
      return true;
    default:
      return false;
  }
}

// Products of 8-bit floats: two of E5M2 there are not.
bool isOfEighths(const Types& t) {
  if (!isEighth(t.a) || !isEighth(t.b) || (t.a == MUSA_R_8F_E5M2 && t.b == MUSA_R_8F_E5M2)) return false;
  const auto isWide = [](int32_t type) {
    return type == MUSA_R_16BF || type == MUSA_R_16F || type == MUSA_R_32F;
  };
  if (isWide(t.d)) return t.c == t.d;
  const bool fits = t.d == MUSA_R_8F_E4M3 || t.a == MUSA_R_8F_E5M2 || t.b == MUSA_R_8F_E5M2;
  return isEighth(t.d) && fits && (t.c == MUSA_R_16BF || t.c == MUSA_R_16F);
}

bool isOfFloats(const Types& t) {
  if (isOfEighths(t)) return true;
  if (t.a != t.b || t.c != t.d) return false;
  switch (t.a) {
    case MUSA_R_32F:
      return t.c == MUSA_R_32F;
    case MUSA_R_16F:
    case MUSA_R_16BF:
      return t.c == t.a || t.c == MUSA_R_32F;
    case MUSA_R_8I:
      return t.c == MUSA_R_32F;
    default:
      return false;
  }
}

// Bit 0 is there in the default alone, and means nothing.
bool knowsEpilogue(uint32_t epilogue) {
  switch (epilogue & ~uint32_t{1}) {
    case 0:
    case MUBLASLT_EPILOGUE_RELU:
    case MUBLASLT_EPILOGUE_RELU_AUX:
    case MUBLASLT_EPILOGUE_BIAS:
    case MUBLASLT_EPILOGUE_RELU_BIAS:
    case MUBLASLT_EPILOGUE_RELU_AUX_BIAS:
    case MUBLASLT_EPILOGUE_DRELU:
    case MUBLASLT_EPILOGUE_DRELU_BGRAD:
    case MUBLASLT_EPILOGUE_GELU:
    case MUBLASLT_EPILOGUE_GELU_AUX:
    case MUBLASLT_EPILOGUE_GELU_BIAS:
    case MUBLASLT_EPILOGUE_GELU_AUX_BIAS:
    case MUBLASLT_EPILOGUE_DGELU:
    case MUBLASLT_EPILOGUE_DGELU_BGRAD:
    case MUBLASLT_EPILOGUE_BGRADA:
    case MUBLASLT_EPILOGUE_BGRADB:
      return true;
    default:
      return false;
  }
}

mublasStatus_t checkEpilogue(const Problem& problem) {
  const Operation& operation = problem.operation;
  const uint32_t epilogue = operation.epilogue;
  MUBLASLT_REQUIRE(knowsEpilogue(epilogue), MUBLAS_STATUS_INVALID_VALUE);
  if ((epilogue & ~uint32_t{1}) == 0) return MUBLAS_STATUS_SUCCESS;
  const bool isReal = problem.arithmetic == Arithmetic::kFloat || problem.arithmetic == Arithmetic::kHalf ||
                      problem.arithmetic == Arithmetic::kDouble || problem.arithmetic == Arithmetic::kScaled;
  MUBLASLT_REQUIRE(isReal, MUBLAS_STATUS_NOT_SUPPORTED);
  // Sums of inputs are of lines that lie side by side.
  if (epilogue & kSumA) MUBLASLT_REQUIRE(!turns(operation.transa), MUBLAS_STATUS_NOT_SUPPORTED);
  if (epilogue & kSumB) MUBLASLT_REQUIRE(turns(operation.transb), MUBLAS_STATUS_NOT_SUPPORTED);
  const int32_t biasType = operation.biasType, auxType = operation.auxType;
  MUBLASLT_REQUIRE(biasType == -1 || sizeOf(biasType) != 0, MUBLAS_STATUS_NOT_SUPPORTED);
  MUBLASLT_REQUIRE(auxType == -1 || sizeOf(auxType) != 0, MUBLAS_STATUS_NOT_SUPPORTED);
  return MUBLAS_STATUS_SUCCESS;
}

bool isComplex(int32_t type) { return type == MUSA_C_32F || type == MUSA_C_64F; }

// Types that contradict each other, where findArithmetic() knows which there are products of.
mublasStatus_t checkTypes(const Types& t) {
  const bool isScale = t.compute == MUBLAS_COMPUTE_16F || t.compute == MUBLAS_COMPUTE_16F_PEDANTIC
                           ? t.scale == MUSA_R_16F
                       : t.compute == MUBLAS_COMPUTE_32I || t.compute == MUBLAS_COMPUTE_32I_PEDANTIC
                           ? t.scale == MUSA_R_32I || (t.scale == MUSA_R_32F && t.d != MUSA_R_32I)
                       : t.compute == MUBLAS_COMPUTE_64F || t.compute == MUBLAS_COMPUTE_64F_PEDANTIC
                           ? t.scale == MUSA_R_64F || t.scale == MUSA_C_64F
                           : t.scale == MUSA_R_32F || t.scale == MUSA_C_32F;
  MUBLASLT_REQUIRE(isScale && isComplex(t.scale) == isComplex(t.a), MUBLAS_STATUS_INVALID_VALUE);
  if (isEighth(t.a) && isEighth(t.b)) return MUBLAS_STATUS_SUCCESS;
  MUBLASLT_REQUIRE(t.a == t.b && t.c == t.d, MUBLAS_STATUS_INVALID_VALUE);
  return MUBLAS_STATUS_SUCCESS;
}

// 8-bit floats are multiplied as A^T B, in lines of 16; 8-bit integers that stay integers in lines of 4.
bool suitsSmallTypes(const Problem& problem) {
  const Matrix &a = problem.a.matrix, &b = problem.b.matrix;
  const auto areMultiples = [&](ptrdiff_t of) {
    for (const Batch* batch : {&problem.a, &problem.b, &problem.c, &problem.d})
      if (batch->matrix.ld % of != 0) return false;
    return problem.k % of == 0 && problem.m % of == 0;
  };
  if (isEighth(a.type)) {
    const bool turnsA = turns(problem.operation.transa) != a.isByRows;
    const bool turnsB = turns(problem.operation.transb) != b.isByRows;
    return turnsA && !turnsB && areMultiples(16);
  }
  const bool isInteger =
      problem.arithmetic == Arithmetic::kInteger || problem.arithmetic == Arithmetic::kScaled;
  return !isInteger || areMultiples(4);
}

// Scales that are one number for a matrix, or one for each row of op(A) and column of op(B).
mublasStatus_t checkScales(const Operation& operation) {
  for (const int32_t mode : {operation.scaleModeA, operation.scaleModeB})
    MUBLASLT_REQUIRE(
        mode == MUBLASLT_MATMUL_MATRIX_SCALE_SCALAR_32F || mode == MUBLASLT_MATMUL_MATRIX_SCALE_OUTER_VEC_32F,
        MUBLAS_STATUS_NOT_SUPPORTED);
  for (const int32_t mode :
       {operation.scaleModeC, operation.scaleModeD, operation.auxScaleMode, operation.outScaleModeD})
    MUBLASLT_REQUIRE(mode == MUBLASLT_MATMUL_MATRIX_SCALE_SCALAR_32F, MUBLAS_STATUS_NOT_SUPPORTED);
  return MUBLAS_STATUS_SUCCESS;
}

}  // namespace

bool findArithmetic(const Types& t, Arithmetic& arithmetic) {
  const auto use = [&](Arithmetic found) {
    arithmetic = found;
    return true;
  };
  const auto are = [&](int32_t in, int32_t out) {
    return t.a == in && t.b == in && t.c == out && t.d == out;
  };
  switch (t.compute) {
    case MUBLAS_COMPUTE_16F:
    case MUBLAS_COMPUTE_16F_PEDANTIC:
      return t.scale == MUSA_R_16F && are(MUSA_R_16F, MUSA_R_16F) && use(Arithmetic::kHalf);
    case MUBLAS_COMPUTE_32I:
    case MUBLAS_COMPUTE_32I_PEDANTIC:
      if (t.scale == MUSA_R_32I) return are(MUSA_R_8I, MUSA_R_32I) && use(Arithmetic::kInteger);
      return t.scale == MUSA_R_32F && are(MUSA_R_8I, MUSA_R_8I) && use(Arithmetic::kScaled);
    case MUBLAS_COMPUTE_64F:
    case MUBLAS_COMPUTE_64F_PEDANTIC:
      if (t.scale == MUSA_R_64F) return are(MUSA_R_64F, MUSA_R_64F) && use(Arithmetic::kDouble);
      return t.scale == MUSA_C_64F && are(MUSA_C_64F, MUSA_C_64F) && use(Arithmetic::kLongComplex);
    default:
      if (!isFloat(t.compute)) return false;
      if (t.scale == MUSA_R_32F) return isOfFloats(t) && use(Arithmetic::kFloat);
      return t.scale == MUSA_C_32F && are(MUSA_C_32F, MUSA_C_32F) && use(Arithmetic::kComplex);
  }
}

namespace {

Tiles tilesOf(mublasLtOrder_t order) {
  switch (order) {
    case MUBLASLT_ORDER_COL32:
      return Tiles::kRows;
    case MUBLASLT_ORDER_COL4_4R2_8C:
      return Tiles::kOf8Rows;
    case MUBLASLT_ORDER_COL32_2R_4R4:
      return Tiles::kOf32Rows;
    default:
      return Tiles::kNone;
  }
}

// Tiles are for 8-bit integers: A row by row, B turned and in one of the other ways, the result as A.
bool suitsTiles(const Problem& problem) {
  const Matrix &a = problem.a.matrix, &b = problem.b.matrix, &c = problem.c.matrix, &d = problem.d.matrix;
  if (a.tiles == Tiles::kNone && b.tiles == Tiles::kNone && c.tiles == Tiles::kNone &&
      d.tiles == Tiles::kNone)
    return true;
  const bool isOfIntegers = a.type == MUSA_R_8I && b.type == MUSA_R_8I;
  return isOfIntegers && !turns(problem.operation.transa) && turns(problem.operation.transb) &&
         a.tiles == Tiles::kRows && (b.tiles == Tiles::kOf8Rows || b.tiles == Tiles::kOf32Rows) &&
         c.tiles == Tiles::kRows && d.tiles == Tiles::kRows;
}

}  // namespace

mublasStatus_t describe(const Layout& layout, Batch& batch) {
  const auto order = static_cast<mublasLtOrder_t>(layout.order);
  MUBLASLT_REQUIRE(order >= MUBLASLT_ORDER_COL && order <= MUBLASLT_ORDER_COL32_2R_4R4,
                   MUBLAS_STATUS_NOT_SUPPORTED);
  MUBLASLT_REQUIRE(sizeOf(static_cast<int32_t>(layout.type)) != 0 && layout.planeOffset == 0,
                   MUBLAS_STATUS_NOT_SUPPORTED);
  MUBLASLT_REQUIRE(layout.rows <= INT_MAX && layout.columns <= INT_MAX && layout.ld <= INT_MAX,
                   MUBLAS_STATUS_NOT_SUPPORTED);
  // As cuBLASLt has them: tiles are of integers.
  MUBLASLT_REQUIRE(tilesOf(order) == Tiles::kNone || layout.type == MUSA_R_8I || layout.type == MUSA_R_32I,
                   MUBLAS_STATUS_NOT_SUPPORTED);
  MUBLASLT_REQUIRE(layout.batchCount > 0, MUBLAS_STATUS_INVALID_VALUE);
  const bool isByRows = order == MUBLASLT_ORDER_ROW;
  const uint64_t least = isByRows ? layout.columns : layout.rows;
  MUBLASLT_REQUIRE(layout.ld >= static_cast<int64_t>(least), MUBLAS_STATUS_INVALID_VALUE);
  batch.matrix = {static_cast<int32_t>(layout.type),   isByRows,
                  static_cast<ptrdiff_t>(layout.rows), static_cast<ptrdiff_t>(layout.columns),
                  static_cast<ptrdiff_t>(layout.ld),   tilesOf(order)};
  batch.stride = layout.batchOffset;
  batch.isListed = layout.batchMode == MUBLASLT_BATCH_MODE_POINTER_ARRAY;
  return MUBLAS_STATUS_SUCCESS;
}

mublasStatus_t describe(mublasLtMatmulDesc_t operationDesc, mublasLtMatrixLayout_t aDesc,
                        mublasLtMatrixLayout_t bDesc, mublasLtMatrixLayout_t cDesc,
                        mublasLtMatrixLayout_t dDesc, Problem& problem) {
  MUBLASLT_REQUIRE(operationDesc && aDesc && bDesc && cDesc && dDesc, MUBLAS_STATUS_INVALID_VALUE);
  problem.operation = load<Operation>(operationDesc);
  const Operation& operation = problem.operation;
  const auto aLayout = load<Layout>(aDesc), bLayout = load<Layout>(bDesc), cLayout = load<Layout>(cDesc),
             dLayout = load<Layout>(dDesc);
  MUBLASLT_REQUIRE(operation.transc == MUBLAS_OP_N && operation.fillMode == MUBLAS_FILL_MODE_FULL,
                   MUBLAS_STATUS_NOT_SUPPORTED);
  MUBLASLT_TRY(describe(aLayout, problem.a));
  MUBLASLT_TRY(describe(bLayout, problem.b));
  MUBLASLT_TRY(describe(cLayout, problem.c));
  MUBLASLT_TRY(describe(dLayout, problem.d));
  const Matrix &a = problem.a.matrix, &b = problem.b.matrix, &c = problem.c.matrix, &d = problem.d.matrix;
  const bool turnsA = turns(operation.transa), turnsB = turns(operation.transb);
  problem.m = static_cast<int>(turnsA ? a.columns : a.rows);
  problem.k = static_cast<int>(turnsA ? a.rows : a.columns);
  problem.n = static_cast<int>(turnsB ? b.rows : b.columns);
  MUBLASLT_REQUIRE((turnsB ? b.columns : b.rows) == problem.k, MUBLAS_STATUS_INVALID_VALUE);
  for (const Matrix* result : {&c, &d})
    MUBLASLT_REQUIRE(result->rows == problem.m && result->columns == problem.n, MUBLAS_STATUS_INVALID_VALUE);
  problem.count = dLayout.batchCount;
  for (const Layout* layout : {&aLayout, &bLayout, &cLayout})
    MUBLASLT_REQUIRE(layout->batchCount == problem.count, MUBLAS_STATUS_INVALID_VALUE);
  const Types types{operation.computeType, operation.scaleType, a.type, b.type, c.type, d.type};
  MUBLASLT_TRY(checkTypes(types));
  MUBLASLT_REQUIRE(findArithmetic(types, problem.arithmetic), MUBLAS_STATUS_NOT_SUPPORTED);
  MUBLASLT_REQUIRE(suitsSmallTypes(problem), MUBLAS_STATUS_NOT_SUPPORTED);
  MUBLASLT_REQUIRE(suitsTiles(problem), MUBLAS_STATUS_NOT_SUPPORTED);
  const int32_t mode = operation.pointerMode;
  MUBLASLT_REQUIRE(
      mode >= MUBLASLT_POINTER_MODE_HOST && mode <= MUBLASLT_POINTER_MODE_ALPHA_DEVICE_VECTOR_BETA_HOST,
      MUBLAS_STATUS_INVALID_VALUE);
  // Factors for each row are for 8-bit integers, in one of the three modes: as cuBLASLt has it by rows and
  // columns.
  MUBLASLT_REQUIRE(
      mode <= MUBLASLT_POINTER_MODE_DEVICE || (mode == MUBLASLT_POINTER_MODE_ALPHA_DEVICE_VECTOR_BETA_HOST &&
                                               problem.arithmetic == Arithmetic::kScaled),
      MUBLAS_STATUS_NOT_SUPPORTED);
  MUBLASLT_TRY(checkScales(operation));
  return checkEpilogue(problem);
}

}  // namespace musashim::mublasLt
