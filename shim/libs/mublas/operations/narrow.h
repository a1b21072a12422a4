// Conversions of runs of elements between the types of matrices and those that products are computed as.
#pragma once

#include <algorithm>
#include <complex>
#include <cstddef>
#include <cstdint>

namespace musashim::mublas {

// Bits of 16-bit floats: OpenBLAS and the processor know no such types.
struct Half {
  uint16_t bits;
};
struct Bfloat16 {
  uint16_t bits;
};

void convert(const Half* from, float* to, ptrdiff_t count);
void convert(const float* from, Half* to, ptrdiff_t count);  // to nearest even
void convert(const Bfloat16* from, float* to, ptrdiff_t count);
void convert(const float* from, Bfloat16* to, ptrdiff_t count);  // to nearest even; NaN is 0x7fff
void convert(const int8_t* from, double* to, ptrdiff_t count);
void convert(const double* from, int32_t* to, ptrdiff_t count);  // of integers, wraps
void convert(const int32_t* from, double* to, ptrdiff_t count);
void convert(const double* from, float* to, ptrdiff_t count);
void convert(const float* from, double* to, ptrdiff_t count);
void convert(const std::complex<int8_t>* from, std::complex<double>* to, ptrdiff_t count);
void convert(const std::complex<double>* from, std::complex<float>* to, ptrdiff_t count);
void convert(const std::complex<float>* from, std::complex<double>* to, ptrdiff_t count);

template <class T>
void convert(const T* from, T* to, ptrdiff_t count) {
  std::copy_n(from, count, to);
}

}  // namespace musashim::mublas
