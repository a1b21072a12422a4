// A product of cuBLASLt's with its descriptors, for the cases of the group blaslt.
#pragma once

#include <cublasLt.h>

#include <string>
#include <vector>

#include "device_values.h"

inline int code(cublasStatus_t status) { return static_cast<int>(status); }

template <typename T>
std::string textOf(const std::vector<T>& values) {
  std::string all;
  for (const T& value : values) all += (all.empty() ? "" : " ") + observedText(value);
  return all;
}

struct Layout {
  Layout(cudaDataType type, uint64_t rows, uint64_t columns, int64_t ld) {
    status = cublasLtMatrixLayoutCreate(&layout, type, rows, columns, ld);
  }
  ~Layout() { cublasLtMatrixLayoutDestroy(layout); }
  Layout(const Layout&) = delete;
  Layout& operator=(const Layout&) = delete;

  template <typename T>
  void set(cublasLtMatrixLayoutAttribute_t attribute, T value) {
    cublasLtMatrixLayoutSetAttribute(layout, attribute, &value, sizeof value);
  }
  void byRows() { set(CUBLASLT_MATRIX_LAYOUT_ORDER, static_cast<int32_t>(CUBLASLT_ORDER_ROW)); }
  void batch(int32_t count, int64_t stride) {
    set(CUBLASLT_MATRIX_LAYOUT_BATCH_COUNT, count);
    set(CUBLASLT_MATRIX_LAYOUT_STRIDED_BATCH_OFFSET, stride);
  }

  cublasLtMatrixLayout_t layout = nullptr;
  cublasStatus_t status;
};

struct Operation {
  Operation(cublasComputeType_t compute, cudaDataType scale) {
    status = cublasLtMatmulDescCreate(&descriptor, compute, scale);
  }
  ~Operation() { cublasLtMatmulDescDestroy(descriptor); }
  Operation(const Operation&) = delete;
  Operation& operator=(const Operation&) = delete;

  template <typename T>
  void set(cublasLtMatmulDescAttributes_t attribute, T value) {
    cublasLtMatmulDescSetAttribute(descriptor, attribute, &value, sizeof value);
  }
  void epilogue(cublasLtEpilogue_t kind) { set(CUBLASLT_MATMUL_DESC_EPILOGUE, static_cast<uint32_t>(kind)); }
  void transpose(bool a, bool b) {
    set(CUBLASLT_MATMUL_DESC_TRANSA, static_cast<int32_t>(a ? CUBLAS_OP_T : CUBLAS_OP_N));
    set(CUBLASLT_MATMUL_DESC_TRANSB, static_cast<int32_t>(b ? CUBLAS_OP_T : CUBLAS_OP_N));
  }

  cublasLtMatmulDesc_t descriptor = nullptr;
  cublasStatus_t status;
};

// Whether there is an algorithm for it: the status, as text, and with "one" whether any came.
inline std::string heuristic(cublasLtHandle_t handle, const Operation& operation, const Layout& a,
                             const Layout& b, const Layout& c, const Layout& d) {
  cublasLtMatmulPreference_t preference = nullptr;
  cublasLtMatmulPreferenceCreate(&preference);
  const size_t workspace = 32 << 20;
  cublasLtMatmulPreferenceSetAttribute(preference, CUBLASLT_MATMUL_PREF_MAX_WORKSPACE_BYTES, &workspace,
                                       sizeof workspace);
  cublasLtMatmulHeuristicResult_t result = {};
  int count = 0;
  const cublasStatus_t status = cublasLtMatmulAlgoGetHeuristic(
      handle, operation.descriptor, a.layout, b.layout, c.layout, d.layout, preference, 1, &result, &count);
  cublasLtMatmulPreferenceDestroy(preference);
  return std::to_string(code(status)) + (count > 0 ? " one" : " none");
}
