#include "libs/mublas/operations/narrow.h"

#include <bit>

#include "libs/core/clones.h"

// Conversions are vectors where the processor has them.
#define MUBLAS_CLONES MUSASHIM_CLONES("arch=haswell", "default")

namespace musashim::mublas {
namespace {

MUBLAS_CLONES void widenHalf(const uint16_t* from, float* to, ptrdiff_t count) {
  for (ptrdiff_t i = 0; i < count; ++i) {
    _Float16 value;
    __builtin_memcpy(&value, from + i, sizeof value);
    to[i] = static_cast<float>(value);
  }
}

MUBLAS_CLONES void narrowToHalf(const float* from, uint16_t* to, ptrdiff_t count) {
  for (ptrdiff_t i = 0; i < count; ++i) {
    const auto value = static_cast<_Float16>(from[i]);
    uint16_t bits;
    __builtin_memcpy(&bits, &value, sizeof bits);
    to[i] = (bits & 0x7fff) > 0x7c00 ? 0x7fff : bits;  // a GPU's NaN
  }
}

MUBLAS_CLONES void narrowToBfloat16(const float* from, uint16_t* to, ptrdiff_t count) {
  for (ptrdiff_t i = 0; i < count; ++i) {
    const auto bits = std::bit_cast<uint32_t>(from[i]);
    const uint32_t rounded = bits + 0x7fff + ((bits >> 16) & 1);
    to[i] = static_cast<uint16_t>((bits & 0x7fffffff) > 0x7f800000 ? 0x7fff : rounded >> 16);
  }
}

template <class From, class To>
void convertEach(const From* from, To* to, ptrdiff_t count) {
  for (ptrdiff_t i = 0; i < count; ++i) to[i] = static_cast<To>(from[i]);
}

}  // namespace

void convert(const Half* from, float* to, ptrdiff_t count) { widenHalf(&from->bits, to, count); }
void convert(const float* from, Half* to, ptrdiff_t count) { narrowToHalf(from, &to->bits, count); }
void convert(const Bfloat16* from, float* to, ptrdiff_t count) {
  for (ptrdiff_t i = 0; i < count; ++i)
    to[i] = std::bit_cast<float>(static_cast<uint32_t>(from[i].bits) << 16);
}
void convert(const float* from, Bfloat16* to, ptrdiff_t count) { narrowToBfloat16(from, &to->bits, count); }
void convert(const int8_t* from, double* to, ptrdiff_t count) { convertEach(from, to, count); }
void convert(const double* from, int32_t* to, ptrdiff_t count) {
  for (ptrdiff_t i = 0; i < count; ++i) to[i] = static_cast<int32_t>(static_cast<int64_t>(from[i]));
}
void convert(const int32_t* from, double* to, ptrdiff_t count) { convertEach(from, to, count); }
void convert(const double* from, float* to, ptrdiff_t count) { convertEach(from, to, count); }
void convert(const float* from, double* to, ptrdiff_t count) { convertEach(from, to, count); }
void convert(const std::complex<int8_t>* from, std::complex<double>* to, ptrdiff_t count) {
  for (ptrdiff_t i = 0; i < count; ++i) to[i] = {double(from[i].real()), double(from[i].imag())};
}
void convert(const std::complex<double>* from, std::complex<float>* to, ptrdiff_t count) {
  convertEach(from, to, count);
}
void convert(const std::complex<float>* from, std::complex<double>* to, ptrdiff_t count) {
  convertEach(from, to, count);
}

}  // namespace musashim::mublas
