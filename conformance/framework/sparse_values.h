// Small sparse matrices in device memory, for the cases of cuSPARSE. Values are small whole numbers, so that
// the order of sums does not show.
#pragma once

#include <cusparse.h>

#include <string>
#include <vector>

#include "device_values.h"

inline int code(cusparseStatus_t status) { return static_cast<int>(status); }

template <typename T>
std::string text(const std::vector<T>& values) {
  std::string all;
  for (const T& value : values) all += (all.empty() ? "" : " ") + observedText(value);
  return all;
}
inline std::string text(const std::vector<float2>& values) {
  std::string all;
  for (const float2& value : values)
    all += (all.empty() ? "" : " ") + observedText(value.x) + "," + observedText(value.y);
  return all;
}

// 1 0 2 0
// 0 0 0 0
// 0 3 4 5
// 6 0 0 7
struct Csr {
  explicit Csr(int base = 0)
      : offsets(shifted({0, 2, 2, 5, 7}, base)), columns(shifted({0, 2, 1, 2, 3, 0, 3}, base)) {}
  static std::vector<int> shifted(std::vector<int> values, int base) {
    for (int& value : values) value += base;
    return values;
  }
  cusparseSpMatDescr_t describe(int base = 0) {
    cusparseSpMatDescr_t matrix = nullptr;
    if (cusparseCreateCsr(&matrix, 4, 4, 7, offsets, columns, values, CUSPARSE_INDEX_32I, CUSPARSE_INDEX_32I,
                          static_cast<cusparseIndexBase_t>(base), CUDA_R_32F) != CUSPARSE_STATUS_SUCCESS)
      exit(3);
    return matrix;
  }
  DeviceValues<int> offsets, columns;
  DeviceValues<float> values{std::vector<float>{1, 2, 3, 4, 5, 6, 7}};
};

struct DenseVector {
  explicit DenseVector(const std::vector<float>& from) : values(from) {
    if (cusparseCreateDnVec(&describe, static_cast<int64_t>(from.size()), values, CUDA_R_32F) !=
        CUSPARSE_STATUS_SUCCESS)
      exit(3);
  }
  ~DenseVector() { cusparseDestroyDnVec(describe); }
  operator cusparseDnVecDescr_t() const { return describe; }
  DeviceValues<float> values;
  cusparseDnVecDescr_t describe = nullptr;
};

struct DenseMatrix {
  DenseMatrix(int64_t rows, int64_t cols, int64_t ld, const std::vector<float>& from,
              cusparseOrder_t order = CUSPARSE_ORDER_COL)
      : values(from) {
    if (cusparseCreateDnMat(&describe, rows, cols, ld, values, CUDA_R_32F, order) != CUSPARSE_STATUS_SUCCESS)
      exit(3);
  }
  ~DenseMatrix() { cusparseDestroyDnMat(describe); }
  operator cusparseDnMatDescr_t() const { return describe; }
  DeviceValues<float> values;
  cusparseDnMatDescr_t describe = nullptr;
};

// A buffer that is never none.
struct Buffer {
  explicit Buffer(size_t size) { SETUP(cudaMalloc(&data, size + 256)); }
  ~Buffer() { cudaFree(data); }
  Buffer(const Buffer&) = delete;
  Buffer& operator=(const Buffer&) = delete;
  operator void*() const { return data; }
  void* data = nullptr;
};
