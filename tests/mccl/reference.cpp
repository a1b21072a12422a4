#include "reference.h"

#include <cmath>
#include <cstring>

namespace musashim::mccl::reference {
namespace {

struct Format {
  int exponentBits, mantissaBits;
  bool infinity;   // the highest exponent is for infinities and NaN
  bool saturates;  // rounds what is too large to the largest finite value
};

bool floating(mcclDataType_t type) { return type >= mcclFloat16; }
bool isSigned(mcclDataType_t type) { return type == mcclInt8 || type == mcclInt32 || type == mcclInt64; }

Format formatOf(mcclDataType_t type) {
  switch (type) {
    case mcclFloat16:
      return {5, 10, true, false};
    case mcclFloat32:
      return {8, 23, true, false};
    case mcclFloat64:
      return {11, 52, true, false};
    case mcclBfloat16:
      return {8, 7, true, false};
    case mcclFloat8e4m3:
      return {4, 3, false, true};
    default:
      return {5, 2, true, true};
  }
}

long double decode(Format format, uint64_t bits) {
  const int bias = (1 << (format.exponentBits - 1)) - 1;
  const uint64_t mantissa = bits & ((1ull << format.mantissaBits) - 1);
  const auto exponent = static_cast<int>(bits >> format.mantissaBits & ((1ull << format.exponentBits) - 1));
  const long double sign = bits >> (format.mantissaBits + format.exponentBits) & 1 ? -1 : 1;
  const int highest = (1 << format.exponentBits) - 1;
  if (exponent == highest) {
    if (format.infinity) return mantissa ? NAN : sign * INFINITY;
    if (mantissa == (1ull << format.mantissaBits) - 1) return NAN;
  }
  const uint64_t units = exponent ? mantissa + (1ull << format.mantissaBits) : mantissa;
  return sign *
         std::ldexp(static_cast<long double>(units), (exponent ? exponent : 1) - bias - format.mantissaBits);
}

uint64_t largestFinite(Format format) {
  const uint64_t allOnes = (1ull << (format.exponentBits + format.mantissaBits)) - 1;
  return format.infinity ? allOnes - (1ull << format.mantissaBits) : allOnes - 1;
}

uint64_t quietNan(Format format) { return (1ull << (format.exponentBits + format.mantissaBits)) - 1; }

// Positive encodings are ordered as their values: find the neighbours by bisection, take the
// nearer one, the even one when both are as near.
uint64_t encode(Format format, long double value) {
  if (std::isnan(value)) return quietNan(format);
  const uint64_t sign = std::signbit(value) ? 1ull << (format.exponentBits + format.mantissaBits) : 0;
  const long double magnitude = std::fabs(value);
  uint64_t low = 0, high = largestFinite(format);
  const long double largest = decode(format, high);
  if (magnitude > largest) {
    const long double limit = largest + (largest - decode(format, high - 1)) / 2;
    if (format.saturates || (magnitude < limit)) return sign | high;
    return sign | (high + 1);
  }
  while (high - low > 1) {
    const uint64_t middle = low + (high - low) / 2;
    (decode(format, middle) <= magnitude ? low : high) = middle;
  }
  if (magnitude == decode(format, high)) return sign | high;
  const long double below = magnitude - decode(format, low), above = decode(format, high) - magnitude;
  const bool up = above < below || (above == below && low % 2 == 1);
  return sign | (up ? high : low);
}

// fp8 is computed in half, and then rounded again.
long double viaHalf(mcclDataType_t type, long double value) {
  if (type != mcclFloat8e4m3 && type != mcclFloat8e5m2) return value;
  const Format half = formatOf(mcclFloat16);
  return decode(half, encode(half, value));
}

uint64_t combineFloats(mcclDataType_t type, Operation operation, uint64_t a, uint64_t b) {
  const Format format = formatOf(type);
  const long double x = decode(format, a), y = decode(format, b);
  switch (operation) {
    case Operation::kProd:
      return encode(format, viaHalf(type, x * y));
    case Operation::kMax:
    case Operation::kMin: {
      if (std::isnan(x)) return encode(format, y);
      if (std::isnan(y)) return encode(format, x);
      const bool xFirst = x != y ? x < y : std::signbit(x);  // -0 before +0
      return encode(format, (operation == Operation::kMin) == xFirst ? x : y);
    }
    default:
      return encode(format, viaHalf(type, x + y));
  }
}

// Integers as two's complement of their width.
__int128 number(mcclDataType_t type, uint64_t bits) {
  const int unused = 64 - 8 * static_cast<int>(bytesOf(type));
  if (isSigned(type)) return static_cast<int64_t>(bits << unused) >> unused;
  return bits << unused >> unused;
}

uint64_t truncated(mcclDataType_t type, __int128 value) {
  const int unused = 64 - 8 * static_cast<int>(bytesOf(type));
  return static_cast<uint64_t>(value) << unused >> unused;
}

uint64_t combineIntegers(mcclDataType_t type, Operation operation, uint64_t a, uint64_t b) {
  const __int128 x = number(type, a), y = number(type, b);
  switch (operation) {
    case Operation::kProd:
      return truncated(
          type, static_cast<__int128>(static_cast<unsigned __int128>(x) * static_cast<unsigned __int128>(y)));
    case Operation::kMax:
      return truncated(type, x > y ? x : y);
    case Operation::kMin:
      return truncated(type, x < y ? x : y);
    default:
      return truncated(type, x + y);
  }
}

uint64_t combine(mcclDataType_t type, Operation operation, uint64_t a, uint64_t b) {
  return floating(type) ? combineFloats(type, operation, a, b) : combineIntegers(type, operation, a, b);
}

}  // namespace

size_t bytesOf(mcclDataType_t type) {
  switch (type) {
    case mcclInt8:
    case mcclUint8:
    case mcclFloat8e4m3:
    case mcclFloat8e5m2:
      return 1;
    case mcclFloat16:
    case mcclBfloat16:
      return 2;
    case mcclInt32:
    case mcclUint32:
    case mcclFloat32:
      return 4;
    default:
      return 8;
  }
}

const char* nameOf(mcclDataType_t type) {
  constexpr const char* kNames[] = {"int8",    "uint8",   "int32",   "uint32",   "int64",      "uint64",
                                    "float16", "float32", "float64", "bfloat16", "float8e4m3", "float8e5m2"};
  return kNames[type];
}

uint64_t reduce(mcclDataType_t type, Operation operation, const std::vector<uint64_t>& elements,
                const std::vector<uint64_t>& factors) {
  const bool average = operation == Operation::kAvg;
  const bool scales = operation == Operation::kPreMulSum || (average && floating(type));
  uint64_t result = 0;
  for (size_t rank = 0; rank < elements.size(); ++rank) {
    uint64_t element = elements[rank];
    if (scales) {
      const uint64_t by =
          average ? encode(formatOf(type), 1.0 / static_cast<double>(elements.size())) : factors[rank];
      element = combine(type, Operation::kProd, element, by);
    }
    result = rank == 0 ? element : combine(type, operation, result, element);
  }
  if (average && !floating(type)) {
    result = truncated(type, number(type, result) / static_cast<__int128>(elements.size()));
  }
  return result;
}

bool same(mcclDataType_t type, uint64_t a, uint64_t b) {
  if (a == b) return true;
  return floating(type) && std::isnan(decode(formatOf(type), a)) && std::isnan(decode(formatOf(type), b));
}

uint64_t randomElement(mcclDataType_t type, std::mt19937_64& random) {
  const uint64_t mask = bytesOf(type) == 8 ? ~0ull : (1ull << (8 * bytesOf(type))) - 1;
  if (!floating(type)) return random() & mask;
  const Format format = formatOf(type);
  const uint64_t sign = (random() & 1) << (format.exponentBits + format.mantissaBits);
  switch (random() % 12) {
    case 0:
      return random() & mask;  // anything
    case 1:
      return sign;  // zeros
    case 2:
      return sign | largestFinite(format);  // overflow
    case 3:
      return sign | (random() % 8);  // subnormal
    case 4:
      return sign | quietNan(format);  // NaN
    case 5:
      return sign | (largestFinite(format) + 1);  // infinity; for e4m3 a NaN
    default:
      return encode(format,
                    std::ldexp(static_cast<long double>(static_cast<int64_t>(random() % 4001) - 2000), -7));
  }
}

uint64_t factor(mcclDataType_t type, int rank) {
  if (!floating(type)) return static_cast<uint64_t>(rank + 3);
  return encode(formatOf(type), 0.75L + rank * 0.375L);
}

uint64_t load(const void* buffer, size_t index, size_t bytes) {
  uint64_t element = 0;
  std::memcpy(&element, static_cast<const char*>(buffer) + index * bytes, bytes);
  return element;
}

void store(void* buffer, size_t index, size_t bytes, uint64_t element) {
  std::memcpy(static_cast<char*>(buffer) + index * bytes, &element, bytes);
}

}  // namespace musashim::mccl::reference
