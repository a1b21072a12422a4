#include "libs/mudnn/core/elements.h"

#include <musa_fp8.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstring>
#include <limits>
#include <type_traits>

#include "libs/mublas/operations/narrow.h"

namespace musashim::mudnn {
namespace {

using mublas::Bfloat16;
using mublas::Half;

constexpr int64_t kRun = 512;  // elements that are gathered or converted at once

template <__mt_fp8_interpretation_t kFormat>
struct Eighth {
  __mt_fp8_storage_t bits;
};
struct Truth {
  uint8_t bits;
};
struct Quantised {
  int8_t bits;
};

template <__mt_fp8_interpretation_t kFormat>
const std::array<float, 256>& eighths() {
  static const std::array<float, 256>& all = *new std::array<float, 256>([] {
    std::array<float, 256> values{};
    for (size_t bits = 0; bits < values.size(); ++bits)
      values[bits] =
          __half2float(__half(__musa_cvt_fp8_to_halfraw(static_cast<__mt_fp8_storage_t>(bits), kFormat)));
    return values;
  }());
  return all;
}

template <class Visit>
void visit(Element element, Visit&& with) {
  switch (element) {
    case Element::kInt8:
      return with(int8_t());
    case Element::kInt16:
      return with(int16_t());
    case Element::kInt32:
      return with(int32_t());
    case Element::kInt64:
      return with(int64_t());
    case Element::kUint8:
      return with(uint8_t());
    case Element::kUint16:
      return with(uint16_t());
    case Element::kUint32:
      return with(uint32_t());
    case Element::kUint64:
      return with(uint64_t());
    case Element::kHalf:
      return with(Half());
    case Element::kBfloat16:
      return with(Bfloat16());
    case Element::kFloat:
      return with(float());
    case Element::kDouble:
      return with(double());
    case Element::kBool:
      return with(Truth());
    case Element::kQint8:
      return with(Quantised());
    case Element::kE4m3:
      return with(Eighth<__MT_E4M3>());
    case Element::kE5m2:
      return with(Eighth<__MT_E5M2>());
  }
}

template <class To, class From>
To converted(From value) {
  if constexpr (std::is_integral_v<To> && std::is_floating_point_v<From>) {
    if (std::isnan(value)) return 0;
    constexpr From kLeast = static_cast<From>(std::numeric_limits<To>::min());
    constexpr From kBeyond = static_cast<From>(std::numeric_limits<To>::max() / 2 + 1) * 2;
    if (value <= kLeast) return std::numeric_limits<To>::min();
    return value >= kBeyond ? std::numeric_limits<To>::max() : static_cast<To>(value);
  } else {
    return static_cast<To>(value);
  }
}

template <class V, class T>
void widen(const T* from, int64_t count, V* to) {
  if constexpr (std::is_arithmetic_v<T>) {
    for (int64_t i = 0; i < count; ++i) to[i] = converted<V>(from[i]);
  } else if constexpr (std::is_same_v<T, Truth>) {
    for (int64_t i = 0; i < count; ++i) to[i] = from[i].bits ? V(1) : V(0);
  } else if constexpr (std::is_same_v<T, Quantised>) {
    for (int64_t i = 0; i < count; ++i) to[i] = static_cast<V>(from[i].bits);
  } else {
    std::array<float, kRun> floats;
    float* const values = std::is_same_v<V, float> ? reinterpret_cast<float*>(to) : floats.data();
    if constexpr (std::is_same_v<T, Half> || std::is_same_v<T, Bfloat16>)
      mublas::convert(from, values, count);
    else if constexpr (std::is_same_v<T, Eighth<__MT_E4M3>>)
      for (int64_t i = 0; i < count; ++i) values[i] = eighths<__MT_E4M3>()[from[i].bits];
    else
      for (int64_t i = 0; i < count; ++i) values[i] = eighths<__MT_E5M2>()[from[i].bits];
    if constexpr (!std::is_same_v<V, float>)
      for (int64_t i = 0; i < count; ++i) to[i] = converted<V>(values[i]);
  }
}

template <class T, class V>
void narrow(const V* from, int64_t count, T* to) {
  if constexpr (std::is_arithmetic_v<T>) {
    for (int64_t i = 0; i < count; ++i) to[i] = converted<T>(from[i]);
  } else if constexpr (std::is_same_v<T, Truth>) {
    for (int64_t i = 0; i < count; ++i) to[i].bits = from[i] != V(0);
  } else if constexpr (std::is_same_v<T, Quantised>) {
    for (int64_t i = 0; i < count; ++i) {
      V value = from[i];
      if constexpr (std::is_floating_point_v<V>) value = std::isnan(value) ? V(0) : std::nearbyint(value);
      if constexpr (std::is_signed_v<V>) value = std::max(value, V(-128));
      to[i].bits = static_cast<int8_t>(std::min(value, V(127)));
    }
  } else {
    std::array<float, kRun> floats;
    const float* values = floats.data();
    if constexpr (std::is_same_v<V, float>)
      values = from;
    else
      for (int64_t i = 0; i < count; ++i) floats[static_cast<size_t>(i)] = static_cast<float>(from[i]);
    if constexpr (std::is_same_v<T, Half> || std::is_same_v<T, Bfloat16>)
      mublas::convert(values, to, count);
    else if constexpr (std::is_same_v<T, Eighth<__MT_E4M3>>)
      for (int64_t i = 0; i < count; ++i)
        to[i].bits = __musa_cvt_float_to_fp8(values[i], __MT_SATFINITE, __MT_E4M3);
    else
      for (int64_t i = 0; i < count; ++i)
        to[i].bits = __musa_cvt_float_to_fp8(values[i], __MT_SATFINITE, __MT_E5M2);
  }
}

}  // namespace

template <class V>
bool holds(Element element) {
  if constexpr (std::is_same_v<V, float>) return element == Element::kFloat;
  if constexpr (std::is_same_v<V, double>) return element == Element::kDouble;
  if constexpr (std::is_same_v<V, int64_t>) return element == Element::kInt64;
  return std::is_same_v<V, uint64_t> && element == Element::kUint64;
}

template <class V>
void readRun(Element element, const void* from, int64_t stride, int64_t count, V* to) {
  visit(element, [&]<class T>(T) {
    const T* source = static_cast<const T*>(from);
    std::array<T, kRun> gathered;
    for (int64_t done = 0; done < count; done += kRun) {
      const int64_t run = std::min(kRun, count - done);
      const T* elements = source + done;
      if (stride != 1) {
        for (int64_t i = 0; i < run; ++i) gathered[static_cast<size_t>(i)] = source[(done + i) * stride];
        elements = gathered.data();
      }
      widen(elements, run, to + done);
    }
  });
}

template <class V>
void writeRun(Element element, const V* from, int64_t count, void* to, int64_t stride) {
  visit(element, [&]<class T>(T) {
    T* const target = static_cast<T*>(to);
    std::array<T, kRun> scattered;
    for (int64_t done = 0; done < count; done += kRun) {
      const int64_t run = std::min(kRun, count - done);
      narrow(from + done, run, stride == 1 ? target + done : scattered.data());
      if (stride != 1)
        for (int64_t i = 0; i < run; ++i) target[(done + i) * stride] = scattered[static_cast<size_t>(i)];
    }
  });
}

#define MUDNN_ELEMENTS(V)                                               \
  template bool holds<V>(Element);                                      \
  template void readRun<V>(Element, const void*, int64_t, int64_t, V*); \
  template void writeRun<V>(Element, const V*, int64_t, void*, int64_t);
MUDNN_ELEMENTS(float)
MUDNN_ELEMENTS(double)
MUDNN_ELEMENTS(int64_t)
MUDNN_ELEMENTS(uint64_t)
#undef MUDNN_ELEMENTS

}  // namespace musashim::mudnn
