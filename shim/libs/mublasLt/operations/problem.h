// A product as its descriptors say it, checked.
#pragma once

#include "libs/mublasLt/api/descriptors.h"
#include "libs/mublasLt/operations/elements.h"

namespace musashim::mublasLt {

// What products are computed as, and what alpha, beta and the epilogue are.
enum class Arithmetic {
  kHalf,         // float; factors are half
  kFloat,        // float
  kDouble,       // double
  kInteger,      // of 8-bit integers, exact in double; factors are 32-bit integers
  kScaled,       // the same; factors are float
  kComplex,      // complex float
  kLongComplex,  // complex double
};

// A batch of matrices at distances, or at addresses in an array on the device.
struct Batch {
  Matrix matrix;
  int64_t stride = 0;  // elements
  bool isListed = false;

  template <class Pointer>
  Pointer at(Pointer data, int index) const;
};

struct Problem {
  Operation operation;
  Arithmetic arithmetic = Arithmetic::kFloat;
  Batch a, b, c, d;
  int m = 0, n = 0, k = 0, count = 1;
};

// The parts of an epilogue.
inline constexpr uint32_t kRelu = 2, kBias = 4, kReluGradient = 8, kBiasGradient = 16, kGelu = 32,
                          kGeluGradient = 64, kAux = 128, kSumA = 256, kSumB = 512;

// Whether a matrix is transposed. What is no operation is none, as with cuBLASLt.
inline bool turns(int32_t operation) { return operation == MUBLAS_OP_T || operation == MUBLAS_OP_C; }

// Whether there are products of these types, and how they are computed.
bool findArithmetic(const Types& types, Arithmetic& arithmetic);

// `problem` is whole only with MUBLAS_STATUS_SUCCESS.
mublasStatus_t describe(mublasLtMatmulDesc_t operation, mublasLtMatrixLayout_t a, mublasLtMatrixLayout_t b,
                        mublasLtMatrixLayout_t c, mublasLtMatrixLayout_t d, Problem& problem);

// A layout's matrices; NOT_SUPPORTED for orders and types that are not known here.
mublasStatus_t describe(const Layout& layout, Batch& batch);

template <class Pointer>
Pointer Batch::at(Pointer data, int index) const {
  if (isListed) return static_cast<const Pointer*>(static_cast<const void*>(data))[index];
  using Byte = std::conditional_t<std::is_same_v<Pointer, const void*>, const char, char>;
  return static_cast<Byte*>(data) + index * stride * static_cast<ptrdiff_t>(sizeOf(matrix.type));
}

}  // namespace musashim::mublasLt
