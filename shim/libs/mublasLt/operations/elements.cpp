#include "libs/mublasLt/operations/elements.h"

#include <musa_fp8.h>

#include <array>
#include <cmath>
#include <cstring>
#include <type_traits>
#include <utility>

#include "libs/mublas/operations/narrow.h"

namespace musashim::mublasLt {
namespace {

using mublas::Bfloat16;
using mublas::Half;

template <__mt_fp8_interpretation_t kFormat>
struct Eighth {
  __mt_fp8_storage_t bits;
};
using E4m3 = Eighth<__MT_E4M3>;
using E5m2 = Eighth<__MT_E5M2>;

template <__mt_fp8_interpretation_t kFormat>
float widened(Eighth<kFormat> value) {
  static const std::array<float, 256>& all = *new std::array<float, 256>([] {
    std::array<float, 256> values{};
    for (size_t bits = 0; bits < values.size(); ++bits)
      values[bits] =
          __half2float(__half(__musa_cvt_fp8_to_halfraw(static_cast<__mt_fp8_storage_t>(bits), kFormat)));
    return values;
  }());
  return all[value.bits];
}

// visit(an element's type) for real types; false for others.
template <class Visit>
bool withReal(int32_t type, Visit visit) {
  switch (type) {
    case MUSA_R_32F:
      visit(float());
      return true;
    case MUSA_R_64F:
      visit(double());
      return true;
    case MUSA_R_16F:
      visit(Half());
      return true;
    case MUSA_R_16BF:
      visit(Bfloat16());
      return true;
    case MUSA_R_8I:
      visit(int8_t());
      return true;
    case MUSA_R_32I:
      visit(int32_t());
      return true;
    case MUSA_R_8F_E4M3:
      visit(E4m3());
      return true;
    case MUSA_R_8F_E5M2:
      visit(E5m2());
      return true;
    default:
      return false;
  }
}

// From an element to V, and back.
template <class V, class E>
void read(const E* from, ptrdiff_t count, V* to) {
  if constexpr (std::is_arithmetic_v<E>) {
    for (ptrdiff_t i = 0; i < count; ++i) to[i] = static_cast<V>(from[i]);
  } else if constexpr (std::is_same_v<E, Half> || std::is_same_v<E, Bfloat16>) {
    if constexpr (std::is_same_v<V, float>) {
      mublas::convert(from, to, count);
    } else {
      std::vector<float> wide(static_cast<size_t>(count));
      mublas::convert(from, wide.data(), count);
      for (ptrdiff_t i = 0; i < count; ++i) to[i] = static_cast<V>(wide[static_cast<size_t>(i)]);
    }
  } else {
    for (ptrdiff_t i = 0; i < count; ++i) to[i] = static_cast<V>(widened(from[i]));
  }
}

template <class V>
int8_t saturated(V value) {
  if (!(value == value)) return 0;
  const V whole = std::nearbyint(value);
  return whole < V(-128) ? int8_t{-128} : whole > V(127) ? int8_t{127} : static_cast<int8_t>(whole);
}

template <class V, class E>
void write(const V* from, ptrdiff_t count, E* to) {
  if constexpr (std::is_same_v<E, int8_t>) {
    for (ptrdiff_t i = 0; i < count; ++i) to[i] = saturated(from[i]);
  } else if constexpr (std::is_same_v<E, int32_t>) {
    for (ptrdiff_t i = 0; i < count; ++i)
      to[i] = static_cast<int32_t>(static_cast<int64_t>(std::nearbyint(from[i])));
  } else if constexpr (std::is_arithmetic_v<E>) {
    for (ptrdiff_t i = 0; i < count; ++i) to[i] = static_cast<E>(from[i]);
  } else if constexpr (std::is_same_v<E, Half> || std::is_same_v<E, Bfloat16>) {
    if constexpr (std::is_same_v<V, float>) {
      mublas::convert(from, to, count);
    } else {
      const std::vector<float> narrow(from, from + count);
      mublas::convert(narrow.data(), to, count);
    }
  } else {
    constexpr auto kFormat = std::is_same_v<E, E4m3> ? __MT_E4M3 : __MT_E5M2;
    for (ptrdiff_t i = 0; i < count; ++i)
      to[i].bits = __musa_cvt_double_to_fp8(static_cast<double>(from[i]), __MT_SATFINITE, kFormat);
  }
}

template <class V>
constexpr bool kIsComplex = !std::is_arithmetic_v<V>;

}  // namespace

size_t sizeOf(int32_t type) {
  if (type == MUSA_C_32F) return sizeof(ComplexFloat);
  if (type == MUSA_C_64F) return sizeof(ComplexDouble);
  size_t size = 0;
  withReal(type, [&](auto element) { size = sizeof element; });
  return size;
}

template <class V>
void readRun(int32_t type, const void* from, ptrdiff_t count, V* to) {
  if constexpr (kIsComplex<V>) {
    if (type == MUSA_C_32F) {
      mublas::convert(static_cast<const ComplexFloat*>(from), to, count);
    } else {
      const auto* const values = static_cast<const ComplexDouble*>(from);
      for (ptrdiff_t i = 0; i < count; ++i) to[i] = V(values[i]);
    }
  } else {
    withReal(type, [&](auto element) { read(static_cast<const decltype(element)*>(from), count, to); });
  }
}

template <class V>
void writeRun(int32_t type, const V* from, ptrdiff_t count, void* to) {
  if constexpr (kIsComplex<V>) {
    if (type == MUSA_C_32F) {
      auto* const values = static_cast<ComplexFloat*>(to);
      for (ptrdiff_t i = 0; i < count; ++i) values[i] = ComplexFloat(from[i]);
    } else {
      auto* const values = static_cast<ComplexDouble*>(to);
      for (ptrdiff_t i = 0; i < count; ++i) values[i] = ComplexDouble(from[i]);
    }
  } else {
    withReal(type, [&](auto element) { write(from, count, static_cast<decltype(element)*>(to)); });
  }
}

ptrdiff_t Matrix::placeOf(ptrdiff_t row, ptrdiff_t column) const {
  if (isTurned) std::swap(row, column);
  const ptrdiff_t tile = column / 32 * ld, within = column % 32, r = row % 32;
  switch (tiles) {
    case Tiles::kNone:
      return isByRows ? row * ld + column : column * ld + row;
    case Tiles::kRows:
      return tile + row * 32 + within;
    case Tiles::kOf8Rows:
      // Even rows before odd ones, 8 columns of four rows at a time: 4 by 4, row by row.
      return tile + (row / 8 * 8 + row % 2 * 4 + within / 8) * 32 + (within % 8 / 4 * 4 + row % 8 / 2) * 4 +
             within % 4;
    case Tiles::kOf32Rows:
      return tile + row / 32 * 1024 + ((r % 8 / 2 * 4 + r / 8) * 2 + r % 2) * 32 + within;
  }
  return 0;
}

Matrix Matrix::ofWholeTiles() const {
  const ptrdiff_t group = tiles == Tiles::kRows ? 1 : tiles == Tiles::kOf8Rows ? 8 : 32;
  Matrix whole = *this;
  whole.rows = (rows + group - 1) / group * group;
  whole.columns = (columns + 31) / 32 * 32;
  return whole;
}

template <class V>
std::vector<V> readLines(const Matrix& matrix, const void* data) {
  const size_t length = matrix.lineLength(), size = sizeOf(matrix.type);
  std::vector<V> values(length * matrix.lines());
  for (size_t line = 0; matrix.tiles != Tiles::kNone && line < matrix.lines(); ++line)
    readColumn(matrix, data, static_cast<ptrdiff_t>(line), values.data() + line * length);
  if (matrix.tiles != Tiles::kNone) return values;
  for (size_t line = 0; line < matrix.lines(); ++line)
    readRun(matrix.type, static_cast<const char*>(data) + line * static_cast<size_t>(matrix.ld) * size,
            static_cast<ptrdiff_t>(length), values.data() + line * length);
  return values;
}

template <class V>
void readColumn(const Matrix& matrix, const void* data, ptrdiff_t column, V* to) {
  const auto size = static_cast<ptrdiff_t>(sizeOf(matrix.type));
  const auto* const from = static_cast<const char*>(data);
  if (!matrix.isByRows && matrix.tiles == Tiles::kNone)
    return readRun(matrix.type, from + column * matrix.ld * size, matrix.rows, to);
  std::vector<char> elements(static_cast<size_t>(matrix.rows * size));
  for (ptrdiff_t row = 0; row < matrix.rows; ++row)
    std::memcpy(elements.data() + row * size, from + matrix.placeOf(row, column) * size,
                static_cast<size_t>(size));
  readRun(matrix.type, elements.data(), matrix.rows, to);
}

template <class V>
void writeColumn(const Matrix& matrix, const V* from, ptrdiff_t column, void* data) {
  const auto size = static_cast<ptrdiff_t>(sizeOf(matrix.type));
  auto* const to = static_cast<char*>(data);
  if (!matrix.isByRows && matrix.tiles == Tiles::kNone)
    return writeRun(matrix.type, from, matrix.rows, to + column * matrix.ld * size);
  std::vector<char> elements(static_cast<size_t>(matrix.rows * size));
  writeRun(matrix.type, from, matrix.rows, elements.data());
  for (ptrdiff_t row = 0; row < matrix.rows; ++row)
    std::memcpy(to + matrix.placeOf(row, column) * size, elements.data() + row * size,
                static_cast<size_t>(size));
}

#define MUBLASLT_ELEMENTS(V)                                           \
  template void readRun(int32_t, const void*, ptrdiff_t, V*);          \
  template void writeRun(int32_t, const V*, ptrdiff_t, void*);         \
  template std::vector<V> readLines(const Matrix&, const void*);       \
  template void readColumn(const Matrix&, const void*, ptrdiff_t, V*); \
  template void writeColumn(const Matrix&, const V*, ptrdiff_t, void*);
MUBLASLT_ELEMENTS(float)
MUBLASLT_ELEMENTS(double)
MUBLASLT_ELEMENTS(ComplexFloat)
MUBLASLT_ELEMENTS(ComplexDouble)

}  // namespace musashim::mublasLt
