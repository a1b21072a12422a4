#include "mccl/kernels/fp8.h"

#include <array>
#include <cmath>
#include <memory>

namespace musashim::mccl {
namespace {

uint8_t largestFinite(Fp8Format format) { return format.hasInfinity ? 0x7b : 0x7e; }
uint8_t notANumber() { return 0x7f; }

float roundToHalf(float value) { return static_cast<float>(static_cast<_Float16>(value)); }

// A NaN loses; of equal zeros the maximum is +0.
float maximum(float a, float b) {
  if (std::isnan(a)) return b;
  if (std::isnan(b)) return a;
  if (a == b) return std::signbit(a) ? b : a;
  return a > b ? a : b;
}

float minimum(float a, float b) { return -maximum(-a, -b); }

float compute(Fp8Operation operation, float a, float b) {
  switch (operation) {
    case Fp8Operation::kSum:
      return roundToHalf(a + b);
    case Fp8Operation::kProd:
      return roundToHalf(a * b);
    case Fp8Operation::kMax:
      return maximum(a, b);
    case Fp8Operation::kMin:
      return minimum(a, b);
  }
  return 0;
}

using Table = std::array<uint8_t, 65536>;

const Table* buildTable(Fp8Format format, Fp8Operation operation) {
  auto table = std::make_unique<Table>();
  for (int a = 0; a < 256; ++a) {
    for (int b = 0; b < 256; ++b) {
      const float value = compute(operation, fp8ToFloat(static_cast<uint8_t>(a), format),
                                  fp8ToFloat(static_cast<uint8_t>(b), format));
      (*table)[256 * a + b] = fp8FromFloat(value, format);
    }
  }
  return table.release();  // kept for the life of the process
}

template <int kE5, int kOperation>
const uint8_t* table() {
  static const Table* const kTable = buildTable(kE5 ? kE5m2 : kE4m3, static_cast<Fp8Operation>(kOperation));
  return kTable->data();
}

}  // namespace

float fp8ToFloat(uint8_t bits, Fp8Format format) {
  const int exponentMask = 0x7f >> format.mantissaBits;
  const int exponent = (bits & 0x7f) >> format.mantissaBits;
  const int mantissa = bits & ((1 << format.mantissaBits) - 1);
  const float sign = bits & 0x80 ? -1.0f : 1.0f;
  if (format.hasInfinity && exponent == exponentMask) return mantissa ? NAN : sign * INFINITY;
  if (!format.hasInfinity && (bits & 0x7f) == 0x7f) return NAN;
  if (exponent == 0)
    return sign * std::ldexp(static_cast<float>(mantissa), 1 - format.bias - format.mantissaBits);
  return sign * std::ldexp(static_cast<float>(mantissa + (1 << format.mantissaBits)),
                           exponent - format.bias - format.mantissaBits);
}

uint8_t fp8FromFloat(float value, Fp8Format format) {
  if (std::isnan(value)) return notANumber();
  const uint8_t sign = std::signbit(value) ? 0x80 : 0;
  const float magnitude = std::fabs(value);
  if (magnitude >= fp8ToFloat(largestFinite(format), format)) return sign | largestFinite(format);
  // The spacing of representable values around `magnitude`; below the normals it stays.
  int exponent = 0;
  std::frexp(magnitude, &exponent);  // magnitude in [2^(exponent-1), 2^exponent)
  const int lowest = 1 - format.bias;
  const int scale = (magnitude > 0 && exponent - 1 > lowest ? exponent - 1 : lowest) - format.mantissaBits;
  const auto units = static_cast<int>(std::nearbyint(std::ldexp(magnitude, -scale)));  // nearest even
  // Units count up through the binade, so a carry moves into the exponent by itself.
  const int encoded = units + ((scale + format.mantissaBits - lowest) << format.mantissaBits);
  const uint8_t limited =
      encoded > largestFinite(format) ? largestFinite(format) : static_cast<uint8_t>(encoded);
  return sign | limited;
}

const uint8_t* fp8Table(bool e5m2, Fp8Operation operation) {
  switch (operation) {
    case Fp8Operation::kSum:
      return e5m2 ? table<1, 0>() : table<0, 0>();
    case Fp8Operation::kProd:
      return e5m2 ? table<1, 1>() : table<0, 1>();
    case Fp8Operation::kMax:
      return e5m2 ? table<1, 2>() : table<0, 2>();
    case Fp8Operation::kMin:
      return e5m2 ? table<1, 3>() : table<0, 3>();
  }
  return nullptr;
}

}  // namespace musashim::mccl
