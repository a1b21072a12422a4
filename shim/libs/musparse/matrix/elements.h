// Elements of matrices by their type, as numbers that compute: float, double, their complex ones, int.
#pragma once

#include <library_types.h>
#include <musparse.h>

#include <bit>
#include <complex>
#include <cstdint>
#include <cstring>
#include <type_traits>

namespace musashim::musparse {

using ComplexFloat = std::complex<float>;
using ComplexDouble = std::complex<double>;

template <class V>
constexpr bool kIsComplex = !std::is_arithmetic_v<V>;

template <class V>
V conjugate(V value) {
  if constexpr (kIsComplex<V>) return std::conj(value);
  return value;
}

// Products of complex numbers as the devices form them: without C's care for infinities.
template <class V>
V times(V a, V b) {
  if constexpr (kIsComplex<V>)
    return V(a.real() * b.real() - a.imag() * b.imag(), a.real() * b.imag() + a.imag() * b.real());
  else
    return a * b;
}

template <class To, class From>
To convertElement(From value) {
  if constexpr (kIsComplex<From> && kIsComplex<To>)
    return To(static_cast<typename To::value_type>(value.real()),
              static_cast<typename To::value_type>(value.imag()));
  else if constexpr (kIsComplex<From>)
    return static_cast<To>(value.real());
  else if constexpr (kIsComplex<To>)
    return To(static_cast<typename To::value_type>(value));
  else
    return static_cast<To>(value);
}

inline float widenBfloat16(uint16_t bits) { return std::bit_cast<float>(static_cast<uint32_t>(bits) << 16); }
inline uint16_t narrowToBfloat16(float value) {
  const auto bits = std::bit_cast<uint32_t>(value);
  if ((bits & 0x7fffffff) > 0x7f800000) return 0x7fff;
  return static_cast<uint16_t>((bits + 0x7fff + ((bits >> 16) & 1)) >> 16);
}

inline size_t elementSize(musaDataType type) {
  switch (type) {
    case MUSA_C_64F:
      return 16;
    case MUSA_R_64F:
    case MUSA_C_32F:
      return 8;
    case MUSA_R_32F:
    case MUSA_R_32I:
    case MUSA_C_16F:
    case MUSA_C_16BF:
      return 4;
    case MUSA_R_16F:
    case MUSA_R_16BF:
      return 2;
    case MUSA_R_8I:
      return 1;
    default:
      return 0;
  }
}
inline bool isElement(musaDataType type) { return elementSize(type) != 0; }

template <class V>
V load(const void* data, musaDataType type, int64_t i) {
  switch (type) {
    case MUSA_R_32F:
      return convertElement<V>(static_cast<const float*>(data)[i]);
    case MUSA_R_64F:
      return convertElement<V>(static_cast<const double*>(data)[i]);
    case MUSA_C_32F:
      return convertElement<V>(static_cast<const ComplexFloat*>(data)[i]);
    case MUSA_C_64F:
      return convertElement<V>(static_cast<const ComplexDouble*>(data)[i]);
    case MUSA_R_16F:
      return convertElement<V>(static_cast<float>(static_cast<const _Float16*>(data)[i]));
    case MUSA_R_16BF:
      return convertElement<V>(widenBfloat16(static_cast<const uint16_t*>(data)[i]));
    case MUSA_C_16F: {
      const _Float16* const pair = static_cast<const _Float16*>(data) + 2 * i;
      return convertElement<V>(ComplexFloat(static_cast<float>(pair[0]), static_cast<float>(pair[1])));
    }
    case MUSA_C_16BF: {
      const uint16_t* const pair = static_cast<const uint16_t*>(data) + 2 * i;
      return convertElement<V>(ComplexFloat(widenBfloat16(pair[0]), widenBfloat16(pair[1])));
    }
    case MUSA_R_8I:
      return convertElement<V>(static_cast<const int8_t*>(data)[i]);
    case MUSA_R_32I:
      return convertElement<V>(static_cast<const int32_t*>(data)[i]);
    default:
      return V(0);
  }
}

template <class V>
void store(void* data, musaDataType type, int64_t i, V value) {
  switch (type) {
    case MUSA_R_32F:
      static_cast<float*>(data)[i] = convertElement<float>(value);
      break;
    case MUSA_R_64F:
      static_cast<double*>(data)[i] = convertElement<double>(value);
      break;
    case MUSA_C_32F:
      static_cast<ComplexFloat*>(data)[i] = convertElement<ComplexFloat>(value);
      break;
    case MUSA_C_64F:
      static_cast<ComplexDouble*>(data)[i] = convertElement<ComplexDouble>(value);
      break;
    case MUSA_R_16F:
      static_cast<_Float16*>(data)[i] = static_cast<_Float16>(convertElement<float>(value));
      break;
    case MUSA_R_16BF:
      static_cast<uint16_t*>(data)[i] = narrowToBfloat16(convertElement<float>(value));
      break;
    case MUSA_C_16F: {
      const auto pair = convertElement<ComplexFloat>(value);
      static_cast<_Float16*>(data)[2 * i] = static_cast<_Float16>(pair.real());
      static_cast<_Float16*>(data)[2 * i + 1] = static_cast<_Float16>(pair.imag());
      break;
    }
    case MUSA_C_16BF: {
      const auto pair = convertElement<ComplexFloat>(value);
      static_cast<uint16_t*>(data)[2 * i] = narrowToBfloat16(pair.real());
      static_cast<uint16_t*>(data)[2 * i + 1] = narrowToBfloat16(pair.imag());
      break;
    }
    case MUSA_R_8I:
      static_cast<int8_t*>(data)[i] = convertElement<int8_t>(value);
      break;
    case MUSA_R_32I:
      static_cast<int32_t*>(data)[i] = convertElement<int32_t>(value);
      break;
    default:
      break;
  }
}

// Calls f(V()) with the type that `compute` names.
template <class F>
musparseStatus_t withCompute(musaDataType compute, F&& f) {
  switch (compute) {
    case MUSA_R_32F:
      return f(float());
    case MUSA_R_64F:
      return f(double());
    case MUSA_C_32F:
      return f(ComplexFloat());
    case MUSA_C_64F:
      return f(ComplexDouble());
    case MUSA_R_32I:
      return f(int32_t());
    default:
      return MUSPARSE_STATUS_NOT_SUPPORTED;
  }
}

// The type that computes where none is named.
inline musaDataType computeFor(musaDataType type) {
  if (type == MUSA_R_16F || type == MUSA_R_16BF) return MUSA_R_32F;
  if (type == MUSA_C_16F || type == MUSA_C_16BF) return MUSA_C_32F;
  return type == MUSA_R_8I ? MUSA_R_32I : type;
}

// Indices of either width, from 0.
class Indices {
 public:
  Indices(const void* data, musparseIndexType_t type, musparseIndexBase_t base)
      : data_(data), type_(type), base_(base) {}
  int64_t operator[](int64_t i) const { return raw(i) - base_; }
  int64_t raw(int64_t i) const {
    if (type_ == MUSPARSE_INDEX_32I) return static_cast<const int32_t*>(data_)[i];
    if (type_ == MUSPARSE_INDEX_64I) return static_cast<const int64_t*>(data_)[i];
    return static_cast<const uint16_t*>(data_)[i];
  }

 private:
  const void* data_;
  musparseIndexType_t type_;
  int64_t base_;
};

inline void storeIndex(void* data, musparseIndexType_t type, musparseIndexBase_t base, int64_t i,
                       int64_t value) {
  value += base;
  if (type == MUSPARSE_INDEX_32I)
    static_cast<int32_t*>(data)[i] = static_cast<int32_t>(value);
  else if (type == MUSPARSE_INDEX_64I)
    static_cast<int64_t*>(data)[i] = value;
  else
    static_cast<uint16_t*>(data)[i] = static_cast<uint16_t>(value);
}
inline int64_t indexSize(musparseIndexType_t type) {
  return type == MUSPARSE_INDEX_64I ? 8 : type == MUSPARSE_INDEX_32I ? 4 : 2;
}

}  // namespace musashim::musparse
