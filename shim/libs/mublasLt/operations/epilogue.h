// What happens to the columns of a product before they are stored.
#pragma once

#include <algorithm>
#include <cmath>
#include <vector>

#include "libs/mublasLt/operations/problem.h"

namespace musashim::mublasLt {

// GELU by the hyperbolic tangent, as cuBLASLt has it, and its derivative.
template <class S>
S gelu(S x) {
  const S inner = S(0.7978845608028654) * (x + S(0.044715) * x * x * x);
  return S(0.5) * x * (S(1) + std::tanh(inner));
}
template <class S>
S geluSlope(S x) {
  const S inner = S(0.7978845608028654) * (x + S(0.044715) * x * x * x);
  const S tanh = std::tanh(inner);
  const S innerSlope = S(0.7978845608028654) * (S(1) + S(3 * 0.044715) * x * x);
  return S(0.5) * (S(1) + tanh) + S(0.5) * x * (S(1) - tanh * tanh) * innerSlope;
}

// Of one product of a batch; S is what its factors are, a real type.
template <class S>
class Epilogue {
 public:
  Epilogue(const Problem& problem, int index)
      : kind_(problem.operation.epilogue & ~uint32_t{1}),
        m_(static_cast<size_t>(problem.m)),
        ld_(problem.operation.auxLd) {
    const Operation& operation = problem.operation;
    const int32_t dType = problem.d.matrix.type;
    // 8-bit results have biases of their C's type, or of the factors' where that is an integer, too.
    const int32_t wide = sizeOf(dType) > 1                    ? dType
                         : problem.c.matrix.type == MUSA_R_8I ? static_cast<int32_t>(MUSA_R_32F)
                                                              : problem.c.matrix.type;
    biasType_ = operation.biasType == -1 ? wide : operation.biasType;
    auxType_ = operation.auxType == -1 ? dType : operation.auxType;
    bias_ = place(operation.bias, index * operation.biasStride * static_cast<ptrdiff_t>(sizeOf(biasType_)));
    const bool isMask = (kind_ & (kRelu | kReluGradient)) != 0;
    aux_ = place(operation.aux,
                 index * operation.auxStride * static_cast<ptrdiff_t>(isMask ? 1 : sizeOf(auxType_)));
    auxScale_ = isEighthAux() ? static_cast<const float*>(operation.auxScale) : nullptr;
    auxAmax_ = isEighthAux() ? static_cast<float*>(operation.auxAmax) : nullptr;
    if (kind_ & kBias) {
      biases_.resize(m_);
      readRun(biasType_, bias_, problem.m, biases_.data());
    }
    if (kind_ & kBiasGradient) biases_.assign(m_, S(0));
  }

  void apply(ptrdiff_t column, S* values) {
    if (kind_ & kBias)
      for (size_t i = 0; i < m_; ++i) values[i] += biases_[i];
    if (kind_ & kRelu) rectify(column, values);
    if (kind_ & kReluGradient)
      for (size_t i = 0; i < m_; ++i)
        if (!(maskByte(column, i) >> (i % 8) & 1)) values[i] = S(0);
    if (kind_ & kGelu) {
      if (kind_ & kAux) writeAux(column, values);
      for (size_t i = 0; i < m_; ++i) values[i] = gelu(values[i]);
    }
    if (kind_ & kGeluGradient) {
      std::vector<S> inputs(m_);
      readRun(auxType_, aux_ + column * ld_ * static_cast<ptrdiff_t>(sizeOf(auxType_)),
              static_cast<ptrdiff_t>(m_), inputs.data());
      const S scale = auxScale_ ? static_cast<S>(*auxScale_) : S(1);
      for (size_t i = 0; i < m_; ++i) values[i] *= geluSlope(inputs[i] * scale);
    }
    if (kind_ & kBiasGradient)
      for (size_t i = 0; i < m_; ++i) biases_[i] += values[i];
  }

  void end() {
    if (kind_ & kBiasGradient) writeRun(biasType_, biases_.data(), static_cast<ptrdiff_t>(m_), bias_);
  }

  // The sums that BGRADA and BGRADB ask for.
  void storeSums(const std::vector<S>& sums) {
    writeRun(biasType_, sums.data(), static_cast<ptrdiff_t>(sums.size()), bias_);
  }

 private:
  static char* place(void* data, ptrdiff_t bytes) {
    return data ? static_cast<char*>(data) + bytes : nullptr;
  }
  bool isEighthAux() const {
    return (kind_ & (kGelu | kGeluGradient)) && (auxType_ == MUSA_R_8F_E4M3 || auxType_ == MUSA_R_8F_E5M2);
  }

  unsigned char& maskByte(ptrdiff_t column, size_t row) {
    return reinterpret_cast<unsigned char*>(aux_)[static_cast<size_t>(column * ld_) / 8 + row / 8];
  }

  void rectify(ptrdiff_t column, S* values) {
    for (size_t i = 0; i < m_; ++i) {
      const bool passes = values[i] >= S(0);
      if (kind_ & kAux) {
        unsigned char& byte = maskByte(column, i);
        const auto bit = static_cast<unsigned char>(1u << (i % 8));
        byte = static_cast<unsigned char>(passes ? byte | bit : byte & ~bit);
      }
      if (!passes && values[i] == values[i]) values[i] = S(0);
    }
  }

  void writeAux(ptrdiff_t column, const S* values) {
    std::vector<S> inputs(values, values + m_);
    if (auxAmax_)
      for (const S x : inputs) *auxAmax_ = std::max(*auxAmax_, std::abs(static_cast<float>(x)));
    if (auxScale_)
      for (S& x : inputs) x *= static_cast<S>(*auxScale_);
    writeRun(auxType_, inputs.data(), static_cast<ptrdiff_t>(m_),
             aux_ + column * ld_ * static_cast<ptrdiff_t>(sizeOf(auxType_)));
  }

  const uint32_t kind_;
  const size_t m_;
  const ptrdiff_t ld_;
  int32_t biasType_ = 0, auxType_ = 0;
  char *bias_ = nullptr, *aux_ = nullptr;
  const float* auxScale_ = nullptr;
  float* auxAmax_ = nullptr;
  std::vector<S> biases_;  // what is added, or the sums so far
};

}  // namespace musashim::mublasLt
