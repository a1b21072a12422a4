// Elements of any type, read and written in runs as what is computed with.
#pragma once

#include <library_types.h>

#include <complex>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace musashim::mublasLt {

using ComplexFloat = std::complex<float>;
using ComplexDouble = std::complex<double>;

// 0 for a type that is not known here.
size_t sizeOf(int32_t type);

// As V: float, double, or complex numbers of them. Integers are rounded to nearest even and saturate (8 bits)
// or wrap (32 bits); 8-bit floats saturate.
template <class V>
void readRun(int32_t type, const void* from, ptrdiff_t count, V* to);
template <class V>
void writeRun(int32_t type, const V* from, ptrdiff_t count, void* to);

// How tiles of 32 columns are filled: row by row (COL32), in groups of 8 rows (COL4_4R2_8C) or of 32 rows
// (COL32_2R_4R4).
enum class Tiles : uint8_t { kNone, kRows, kOf8Rows, kOf32Rows };

// A matrix in memory: by columns at distances of ld, or by rows; or in tiles at distances of ld, which is of
// columns, then, but for what is turned.
struct Matrix {
  int32_t type = 0;
  bool isByRows = false;
  ptrdiff_t rows = 0, columns = 0, ld = 0;
  Tiles tiles = Tiles::kNone;
  bool isTurned = false;

  ptrdiff_t placeOf(ptrdiff_t row, ptrdiff_t column) const;  // elements from the first one
  Matrix ofWholeTiles() const;  // with the rows and columns that fill the last ones
  size_t lineLength() const { return static_cast<size_t>(isByRows ? columns : rows); }
  size_t lines() const { return static_cast<size_t>(isByRows ? rows : columns); }
};

// All of it as V, line behind line, as it lies; tiles by columns.
template <class V>
std::vector<V> readLines(const Matrix& matrix, const void* data);

// One column. Elements of a matrix by rows or in tiles are gathered and scattered one by one.
template <class V>
void readColumn(const Matrix& matrix, const void* data, ptrdiff_t column, V* to);
template <class V>
void writeColumn(const Matrix& matrix, const V* from, ptrdiff_t column, void* data);

}  // namespace musashim::mublasLt
