// Where elements of matrices are in the fragments of a warp's lanes (PTX ISA 8.x, "Matrix multiply-accumulate
// operation using mma instruction"): words of a lane hold elements that follow each other along k, four lanes
// have the neighbours of a row of A or a column of B, and a tile has 16 or 8 rows and 8 columns.
#pragma once

#include <cstdint>

#include "abi/matrix_layout.h"

namespace musashim::devrt::matrices {

constexpr uint32_t kLanes = 32;
constexpr uint32_t kTileColumns = 8;

struct Product {
  uint32_t m, n, k;
  uint32_t a, b, c, d;  // MUSA_MATRIX_*
  uint32_t flags;

  static Product of(uint64_t packed) {
    const auto field = [packed](uint32_t at, uint32_t bits) {
      return static_cast<uint32_t>(packed >> at) & ((1u << bits) - 1);
    };
    return {field(0, 8),  field(8, 8),  field(16, 12), field(28, 4),
            field(32, 4), field(36, 4), field(40, 4),  field(44, 8)};
  }
  uint32_t tileRows() const { return m < 16 ? 8 : 16; }
};

// Bits of an element.
constexpr uint32_t widthOf(uint32_t format) {
  switch (format) {
    case MUSA_MATRIX_F16:
    case MUSA_MATRIX_BF16:
      return 16;
    case MUSA_MATRIX_E4M3:
    case MUSA_MATRIX_E5M2:
    case MUSA_MATRIX_S8:
    case MUSA_MATRIX_U8:
      return 8;
    case MUSA_MATRIX_S4:
    case MUSA_MATRIX_U4:
      return 4;
    case MUSA_MATRIX_B1:
      return 1;
    case MUSA_MATRIX_F64:
      return 64;
    default:
      return 32;
  }
}

// Indices of words in what the lanes share: word * kLanes + lane. A word of A is one of `row`, number `along`
// of those along k; so are those of B and its columns.
class Fragments {
 public:
  explicit Fragments(const Product& product)
      : product_(product),
        wordsAlong_(product.k * widthOf(product.a) / 32),
        rowBlocks_(product.tileRows() / 8),
        wordsOfB_(product.n / kTileColumns * (wordsAlong_ / 4)) {}

  uint32_t wordsAlong() const { return wordsAlong_; }

  uint32_t ofA(uint32_t row, uint32_t along) const {
    const uint32_t tile = row / product_.tileRows();
    const uint32_t word =
        tile * rowBlocks_ * (wordsAlong_ / 4) + row / 8 % rowBlocks_ + rowBlocks_ * (along / 4);
    return word * kLanes + row % 8 * 4 + along % 4;
  }
  uint32_t ofB(uint32_t column, uint32_t along) const {
    const uint32_t word = wordsOfA() + column / kTileColumns * (wordsAlong_ / 4) + along / 4;
    return word * kLanes + column % 8 * 4 + along % 4;
  }
  // The first of the two words that a lane has of a row of the sums, for columns 2 * (lane % 4) and the next;
  // or the only one, where these are halves.
  uint32_t ofC(uint32_t row, uint32_t column, bool halves) const {
    return (wordsOfA() + wordsOfB_) * kLanes + ofSum(row, column, halves);
  }
  uint32_t ofD(uint32_t row, uint32_t column, bool halves) const {
    return MUSA_EXCHANGE_INPUTS * kLanes + ofSum(row, column, halves);
  }

 private:
  uint32_t wordsOfA() const { return product_.m / 8 * (wordsAlong_ / 4); }
  uint32_t ofSum(uint32_t row, uint32_t column, bool halves) const {
    const uint32_t tile = row / product_.tileRows() * (product_.n / kTileColumns) + column / kTileColumns;
    const uint32_t word = (tile * rowBlocks_ + row / 8 % rowBlocks_) * (halves ? 1 : 2);
    return word * kLanes + row % 8 * 4 + column % 8 / 2;
  }

  const Product& product_;
  const uint32_t wordsAlong_, rowBlocks_, wordsOfB_;
};

// The product of 8 x 8 x 4 that each of four pairs of quads computes: the lanes of one.
constexpr uint32_t laneOfPair(uint32_t pair, uint32_t index) { return pair * 4 + index % 4 + index / 4 * 16; }

}  // namespace musashim::devrt::matrices
