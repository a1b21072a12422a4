// 8-bit floats: exact conversions and result tables.
//
// With 256 values per operand every operation is a table of 64 KiB, built on first use
// by the exact definition: NCCL computes in half and converts back with saturation.
#pragma once

#include <cstdint>

namespace musashim::mccl {

struct Fp8Format {
  int mantissaBits;
  int bias;
  bool hasInfinity;  // e5m2; e4m3 has only the NaN 0x7f
};
inline constexpr Fp8Format kE4m3{3, 7, false};
inline constexpr Fp8Format kE5m2{2, 15, true};

float fp8ToFloat(uint8_t bits, Fp8Format format);

// Round to nearest even; what is too large becomes the largest finite value; NaN stays NaN.
uint8_t fp8FromFloat(float value, Fp8Format format);

enum class Fp8Operation { kSum, kProd, kMax, kMin };

// table[256 * a + b]
const uint8_t* fp8Table(bool e5m2, Fp8Operation operation);

}  // namespace musashim::mccl
