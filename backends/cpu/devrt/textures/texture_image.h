// Elements of images: where a coordinate leads, and what lies there as four floats or
// integers.
#pragma once

#include <cmath>
#include <cstdint>
#include <cstring>

#include "abi/musa_texture_abi.h"

namespace musashim::devrt {

// Four channels while they are computed with.
struct Color {
  float channel[4];
};

inline float halfToFloat(uint16_t half) {
  uint32_t sign = uint32_t{half & 0x8000u} << 16, exponent = (half >> 10) & 31u, fraction = half & 0x3ffu;
  if (exponent == 0) {
    float value = std::ldexp(static_cast<float>(fraction), -24);
    return sign ? -value : value;
  }
  uint32_t bits =
      exponent == 31 ? 0x7f800000u | (fraction << 13) : ((exponent + 112) << 23) | (fraction << 13);
  float value;
  bits |= sign;
  memcpy(&value, &bits, sizeof value);
  return value;
}

// To a half's 11 significant bits; values too small or too large for one stay.
inline float roundToHalf(float value) {
  const float size = std::fabs(value);
  if (!(size >= 6.103515625e-05f) || size > 65504.0f) return value;
  uint32_t bits;
  memcpy(&bits, &value, sizeof bits);
  bits = (bits + 0xfff + ((bits >> 13) & 1)) & ~uint32_t{0x1fff};
  memcpy(&value, &bits, sizeof value);
  return value;
}

// A byte of sRGB as linear light with the places that H200 gives: multiples of 20/65536
// where the curve is straight, else 8 significant bits.
inline float srgbToLinear(uint32_t byte) {
  const double value = byte / 255.0;
  if (value <= 0.04045) return static_cast<float>(byte) * 20.0f / 65536.0f;
  int exponent = 0;
  const double fraction = std::frexp(std::pow((value + 0.055) / 1.055, 2.4), &exponent);
  return static_cast<float>(std::ldexp(std::floor(fraction * 256.0 + 0.5) / 256.0, exponent));
}

template <class T>
T loadAs(const char* from) {
  T value;
  memcpy(&value, from, sizeof value);
  return value;
}

// A channel as 32 bits: an integer extended by its sign, or a float.
inline uint32_t rawChannel(const MusaElementFormat& format, const char* from) {
  if (format.kind == MUSA_CHANNEL_FLOAT && format.bits == 16) {
    float value = halfToFloat(loadAs<uint16_t>(from));
    return loadAs<uint32_t>(reinterpret_cast<const char*>(&value));
  }
  const bool isSigned = format.kind == MUSA_CHANNEL_SIGNED;
  switch (format.bits) {
    case 8:
      return isSigned ? static_cast<uint32_t>(int32_t{loadAs<int8_t>(from)}) : loadAs<uint8_t>(from);
    case 16:
      return isSigned ? static_cast<uint32_t>(int32_t{loadAs<int16_t>(from)}) : loadAs<uint16_t>(from);
    default:
      return loadAs<uint32_t>(from);
  }
}

// An integer channel as a fraction of its type's largest value.
inline float normalizedChannel(const MusaElementFormat& format, uint32_t raw) {
  if (format.kind == MUSA_CHANNEL_UNSIGNED) {
    return static_cast<float>(raw) / (format.bits == 8 ? 255.0f : 65535.0f);
  }
  float value = static_cast<float>(static_cast<int32_t>(raw)) / (format.bits == 8 ? 127.0f : 32767.0f);
  return value < -1.0f ? -1.0f : value;
}

// ---- Indices ----

// The index in [0, size) that an address mode makes of any index; -1: the border.
inline int32_t resolveIndex(int64_t index, int32_t size, uint8_t mode) {
  if (index >= 0 && index < size) [[likely]]
    return static_cast<int32_t>(index);
  switch (mode) {
    case MUSA_ADDRESS_WRAP: {
      int64_t rest = index % size;
      return static_cast<int32_t>(rest < 0 ? rest + size : rest);
    }
    case MUSA_ADDRESS_MIRROR: {
      int64_t rest = index % (2 * int64_t{size});
      if (rest < 0) rest += 2 * int64_t{size};
      return static_cast<int32_t>(rest < size ? rest : 2 * int64_t{size} - 1 - rest);
    }
    case MUSA_ADDRESS_BORDER:
      return -1;
    default:
      return index < 0 ? 0 : size - 1;
  }
}

// Far away from any image and still exact; NaN counts as 0.
inline float limitCoordinate(float coordinate) {
  constexpr float kFar = 8388608.0f;
  if (!(coordinate > -kFar)) return std::isnan(coordinate) ? 0.0f : -kFar;
  return coordinate < kFar ? coordinate : kFar;
}

// A coordinate of a filter: two neighbours and the weight of the second, in 1/256, as
// the hardware's 1.8 fixed point has it.
struct Span {
  int32_t low, high;
  uint32_t weight;
};

inline Span linearSpan(float coordinate, int32_t size, uint8_t mode) {
  // In units of 1/256 of an element.
  auto fixed = static_cast<int64_t>(std::floor(limitCoordinate(coordinate) * 256.0f + 0.5f)) - 128;
  int64_t index = fixed >> 8;
  return {resolveIndex(index, size, mode), resolveIndex(index + 1, size, mode),
          static_cast<uint32_t>(fixed & 255)};
}

inline int32_t pointIndex(float coordinate, int32_t size, uint8_t mode) {
  return resolveIndex(static_cast<int64_t>(std::floor(limitCoordinate(coordinate))), size, mode);
}

}  // namespace musashim::devrt
