// Entries about descriptors: making them, and their attributes.
#include "libs/mublasLt/api/descriptors.h"

#include <cstddef>
#include <new>

#include "libs/mublasLt/api/entry.h"

using namespace musashim::mublasLt;

namespace {

constexpr Field kLayoutFields[] = {
    MUBLASLT_FIELD(MUBLASLT_MATRIX_LAYOUT_TYPE, Layout, type),
    MUBLASLT_FIELD(MUBLASLT_MATRIX_LAYOUT_ORDER, Layout, order),
    MUBLASLT_FIELD(MUBLASLT_MATRIX_LAYOUT_ROWS, Layout, rows),
    MUBLASLT_FIELD(MUBLASLT_MATRIX_LAYOUT_COLS, Layout, columns),
    MUBLASLT_FIELD(MUBLASLT_MATRIX_LAYOUT_LD, Layout, ld),
    MUBLASLT_FIELD(MUBLASLT_MATRIX_LAYOUT_BATCH_COUNT, Layout, batchCount),
    MUBLASLT_FIELD(MUBLASLT_MATRIX_LAYOUT_STRIDED_BATCH_OFFSET, Layout, batchOffset),
    MUBLASLT_FIELD(MUBLASLT_MATRIX_LAYOUT_PLANE_OFFSET, Layout, planeOffset),
    MUBLASLT_FIELD(MUBLASLT_MATRIX_LAYOUT_BATCH_MODE, Layout, batchMode),
};

constexpr Field kOperationFields[] = {
    MUBLASLT_FIELD(MUBLASLT_MATMUL_DESC_COMPUTE_TYPE, Operation, computeType),
    MUBLASLT_FIELD(MUBLASLT_MATMUL_DESC_SCALE_TYPE, Operation, scaleType),
    MUBLASLT_FIELD(MUBLASLT_MATMUL_DESC_POINTER_MODE, Operation, pointerMode),
    MUBLASLT_FIELD(MUBLASLT_MATMUL_DESC_TRANSA, Operation, transa),
    MUBLASLT_FIELD(MUBLASLT_MATMUL_DESC_TRANSB, Operation, transb),
    MUBLASLT_FIELD(MUBLASLT_MATMUL_DESC_TRANSC, Operation, transc),
    MUBLASLT_FIELD(MUBLASLT_MATMUL_DESC_FILL_MODE, Operation, fillMode),
    MUBLASLT_FIELD(MUBLASLT_MATMUL_DESC_EPILOGUE, Operation, epilogue),
    MUBLASLT_FIELD(MUBLASLT_MATMUL_DESC_BIAS_POINTER, Operation, bias),
    MUBLASLT_FIELD(MUBLASLT_MATMUL_DESC_BIAS_BATCH_STRIDE, Operation, biasStride),
    MUBLASLT_FIELD(MUBLASLT_MATMUL_DESC_EPILOGUE_AUX_POINTER, Operation, aux),
    MUBLASLT_FIELD(MUBLASLT_MATMUL_DESC_EPILOGUE_AUX_LD, Operation, auxLd),
    MUBLASLT_FIELD(MUBLASLT_MATMUL_DESC_EPILOGUE_AUX_BATCH_STRIDE, Operation, auxStride),
    MUBLASLT_FIELD(MUBLASLT_MATMUL_DESC_ALPHA_VECTOR_BATCH_STRIDE, Operation, alphaStride),
    MUBLASLT_FIELD(MUBLASLT_MATMUL_DESC_SM_COUNT_TARGET, Operation, smCount),
    MUBLASLT_FIELD(MUBLASLT_MATMUL_DESC_A_SCALE_POINTER, Operation, scaleA),
    MUBLASLT_FIELD(MUBLASLT_MATMUL_DESC_B_SCALE_POINTER, Operation, scaleB),
    MUBLASLT_FIELD(MUBLASLT_MATMUL_DESC_C_SCALE_POINTER, Operation, scaleC),
    MUBLASLT_FIELD(MUBLASLT_MATMUL_DESC_D_SCALE_POINTER, Operation, scaleD),
    MUBLASLT_FIELD(MUBLASLT_MATMUL_DESC_AMAX_D_POINTER, Operation, amaxD),
    MUBLASLT_FIELD(MUBLASLT_MATMUL_DESC_EPILOGUE_AUX_DATA_TYPE, Operation, auxType),
    MUBLASLT_FIELD(MUBLASLT_MATMUL_DESC_EPILOGUE_AUX_SCALE_POINTER, Operation, auxScale),
    MUBLASLT_FIELD(MUBLASLT_MATMUL_DESC_EPILOGUE_AUX_AMAX_POINTER, Operation, auxAmax),
    MUBLASLT_FIELD(MUBLASLT_MATMUL_DESC_FAST_ACCUM, Operation, fastAccumulation),
    MUBLASLT_FIELD(MUBLASLT_MATMUL_DESC_BIAS_DATA_TYPE, Operation, biasType),
    MUBLASLT_FIELD(MUBLASLT_MATMUL_DESC_A_SCALE_MODE, Operation, scaleModeA),
    MUBLASLT_FIELD(MUBLASLT_MATMUL_DESC_B_SCALE_MODE, Operation, scaleModeB),
    MUBLASLT_FIELD(MUBLASLT_MATMUL_DESC_C_SCALE_MODE, Operation, scaleModeC),
    MUBLASLT_FIELD(MUBLASLT_MATMUL_DESC_D_SCALE_MODE, Operation, scaleModeD),
    MUBLASLT_FIELD(MUBLASLT_MATMUL_DESC_EPILOGUE_AUX_SCALE_MODE, Operation, auxScaleMode),
    MUBLASLT_FIELD(MUBLASLT_MATMUL_DESC_D_OUT_SCALE_POINTER, Operation, outScaleD),
    MUBLASLT_FIELD(MUBLASLT_MATMUL_DESC_D_OUT_SCALE_MODE, Operation, outScaleModeD),
};

constexpr Field kTransformFields[] = {
    MUBLASLT_FIELD(MUBLASLT_MATRIX_TRANSFORM_DESC_SCALE_TYPE, Transform, scaleType),
    MUBLASLT_FIELD(MUBLASLT_MATRIX_TRANSFORM_DESC_POINTER_MODE, Transform, pointerMode),
    MUBLASLT_FIELD(MUBLASLT_MATRIX_TRANSFORM_DESC_TRANSA, Transform, transa),
    MUBLASLT_FIELD(MUBLASLT_MATRIX_TRANSFORM_DESC_TRANSB, Transform, transb),
};

constexpr Field kPreferenceFields[] = {
    MUBLASLT_FIELD(MUBLASLT_MATMUL_PREF_SEARCH_MODE, Preference, searchMode),
    MUBLASLT_FIELD(MUBLASLT_MATMUL_PREF_MAX_WORKSPACE_BYTES, Preference, maxWorkspace),
    MUBLASLT_FIELD(MUBLASLT_MATMUL_PREF_REDUCTION_SCHEME_MASK, Preference, reductionMask),
    MUBLASLT_FIELD(MUBLASLT_MATMUL_PREF_MIN_ALIGNMENT_A_BYTES, Preference, alignmentA),
    MUBLASLT_FIELD(MUBLASLT_MATMUL_PREF_MIN_ALIGNMENT_B_BYTES, Preference, alignmentB),
    MUBLASLT_FIELD(MUBLASLT_MATMUL_PREF_MIN_ALIGNMENT_C_BYTES, Preference, alignmentC),
    MUBLASLT_FIELD(MUBLASLT_MATMUL_PREF_MIN_ALIGNMENT_D_BYTES, Preference, alignmentD),
    MUBLASLT_FIELD(MUBLASLT_MATMUL_PREF_MAX_WAVES_COUNT, Preference, maxWaves),
    MUBLASLT_FIELD(MUBLASLT_MATMUL_PREF_IMPL_MASK, Preference, implementations),
};

// In memory of the program's, of `size` bytes.
template <class Content, class Memory>
mublasStatus_t init(Memory* memory, size_t size, const Content& content) {
  MUBLASLT_REQUIRE(memory, MUBLAS_STATUS_INVALID_VALUE);
  MUBLASLT_REQUIRE(size >= sizeof *memory, MUBLAS_STATUS_ALLOC_FAILED);
  store(memory, content);
  return MUBLAS_STATUS_SUCCESS;
}

template <class Content, class Memory>
mublasStatus_t create(Memory** where, const Content& content) {
  MUBLASLT_REQUIRE(where, MUBLAS_STATUS_INVALID_VALUE);
  *where = new Memory;
  store(*where, content);
  return MUBLAS_STATUS_SUCCESS;
}

Layout layoutOf(musaDataType type, uint64_t rows, uint64_t columns, int64_t ld) {
  Layout layout;
  layout.type = static_cast<uint32_t>(type);
  layout.rows = rows;
  layout.columns = columns;
  layout.ld = ld;
  return layout;
}

Operation operationOf(mublasComputeType_t computeType, musaDataType scaleType) {
  Operation operation;
  operation.computeType = computeType;
  operation.scaleType = scaleType;
  return operation;
}

Transform transformOf(musaDataType scaleType) {
  Transform transform;
  transform.scaleType = scaleType;
  return transform;
}

}  // namespace

// NOLINTBEGIN(bugprone-macro-parentheses): arguments are types and parts of names
#define MUBLASLT_ATTRIBUTES(Kind, Attribute, Content, fields)                                           \
  MUBLASLT_ENTRY mublasLt##Kind##Destroy(mublasLt##Kind##_t descriptor) {                               \
    return tracedCall(                                                                                  \
        "mublasLt" #Kind "Destroy",                                                                     \
        [&] {                                                                                           \
          delete descriptor;                                                                            \
          return MUBLAS_STATUS_SUCCESS;                                                                 \
        },                                                                                              \
        descriptor);                                                                                    \
  }                                                                                                     \
  MUBLASLT_ENTRY mublasLt##Kind##SetAttribute(mublasLt##Kind##_t descriptor, Attribute attr,            \
                                              const void* buf, size_t sizeInBytes) {                    \
    return tracedCall(                                                                                  \
        "mublasLt" #Kind "SetAttribute",                                                                \
        [&] {                                                                                           \
          MUBLASLT_REQUIRE(descriptor, MUBLAS_STATUS_INVALID_VALUE);                                    \
          auto content = load<Content>(descriptor);                                                     \
          MUBLASLT_TRY(setField(fields, &content, attr, buf, sizeInBytes));                             \
          store(descriptor, content);                                                                   \
          return MUBLAS_STATUS_SUCCESS;                                                                 \
        },                                                                                              \
        descriptor, attr, buf, sizeInBytes);                                                            \
  }                                                                                                     \
  MUBLASLT_ENTRY mublasLt##Kind##GetAttribute(mublasLt##Kind##_t descriptor, Attribute attr, void* buf, \
                                              size_t sizeInBytes, size_t* sizeWritten) {                \
    return tracedCall(                                                                                  \
        "mublasLt" #Kind "GetAttribute",                                                                \
        [&] {                                                                                           \
          MUBLASLT_REQUIRE(descriptor, MUBLAS_STATUS_INVALID_VALUE);                                    \
          const auto content = load<Content>(descriptor);                                               \
          return getField(fields, &content, attr, buf, sizeInBytes, sizeWritten);                       \
        },                                                                                              \
        descriptor, attr, buf, sizeInBytes, sizeWritten);                                               \
  }

extern "C" {

MUBLASLT_ATTRIBUTES(MatrixLayout, mublasLtMatrixLayoutAttribute_t, Layout, kLayoutFields)
MUBLASLT_ATTRIBUTES(MatmulDesc, mublasLtMatmulDescAttributes_t, Operation, kOperationFields)
MUBLASLT_ATTRIBUTES(MatrixTransformDesc, mublasLtMatrixTransformDescAttributes_t, Transform, kTransformFields)
MUBLASLT_ATTRIBUTES(MatmulPreference, mublasLtMatmulPreferenceAttributes_t, Preference, kPreferenceFields)

MUBLASLT_ENTRY mublasLtMatrixLayoutInit_internal(mublasLtMatrixLayout_t matLayout, size_t size,
                                                 musaDataType type, uint64_t rows, uint64_t cols,
                                                 int64_t ld) {
  return tracedCall(
      "mublasLtMatrixLayoutInit_internal",
      [&] { return init(matLayout, size, layoutOf(type, rows, cols, ld)); }, matLayout, size, type, rows,
      cols, ld);
}
MUBLASLT_ENTRY mublasLtMatrixLayoutCreate(mublasLtMatrixLayout_t* matLayout, musaDataType type, uint64_t rows,
                                          uint64_t cols, int64_t ld) {
  return tracedCall(
      "mublasLtMatrixLayoutCreate", [&] { return create(matLayout, layoutOf(type, rows, cols, ld)); },
      matLayout, type, rows, cols, ld);
}

MUBLASLT_ENTRY mublasLtMatmulDescInit_internal(mublasLtMatmulDesc_t matmulDesc, size_t size,
                                               mublasComputeType_t computeType, musaDataType scaleType) {
  return tracedCall(
      "mublasLtMatmulDescInit_internal",
      [&] { return init(matmulDesc, size, operationOf(computeType, scaleType)); }, matmulDesc, size,
      computeType, scaleType);
}
MUBLASLT_ENTRY mublasLtMatmulDescCreate(mublasLtMatmulDesc_t* matmulDesc, mublasComputeType_t computeType,
                                        musaDataType scaleType) {
  return tracedCall(
      "mublasLtMatmulDescCreate", [&] { return create(matmulDesc, operationOf(computeType, scaleType)); },
      matmulDesc, computeType, scaleType);
}

MUBLASLT_ENTRY mublasLtMatrixTransformDescInit_internal(mublasLtMatrixTransformDesc_t transformDesc,
                                                        size_t size, musaDataType scaleType) {
  return tracedCall(
      "mublasLtMatrixTransformDescInit_internal",
      [&] { return init(transformDesc, size, transformOf(scaleType)); }, transformDesc, size, scaleType);
}
MUBLASLT_ENTRY mublasLtMatrixTransformDescCreate(mublasLtMatrixTransformDesc_t* transformDesc,
                                                 musaDataType scaleType) {
  return tracedCall(
      "mublasLtMatrixTransformDescCreate", [&] { return create(transformDesc, transformOf(scaleType)); },
      transformDesc, scaleType);
}

MUBLASLT_ENTRY mublasLtMatmulPreferenceInit_internal(mublasLtMatmulPreference_t pref, size_t size) {
  return tracedCall(
      "mublasLtMatmulPreferenceInit_internal", [&] { return init(pref, size, Preference()); }, pref, size);
}
MUBLASLT_ENTRY mublasLtMatmulPreferenceCreate(mublasLtMatmulPreference_t* pref) {
  return tracedCall(
      "mublasLtMatmulPreferenceCreate", [&] { return create(pref, Preference()); }, pref);
}

}  // extern "C"
// NOLINTEND(bugprone-macro-parentheses)
