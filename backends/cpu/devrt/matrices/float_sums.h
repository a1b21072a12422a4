// How tensor cores sum products of short floating-point numbers: a few products and the sum so far are
// aligned to the greatest of their exponents, what lies below some bits of it is cut off, and the rest is
// added exactly. The number of products and of bits is recorded (conformance case language.ptx_mma, H200);
// the terms are those of Fasi, Higham, Mikaitis and Pranesh, "Numerical behavior of NVIDIA tensor cores",
// 2021.
#pragma once

#include <cstdint>

#include "cpu/devrt/matrices/fragments.h"
#include "cpu/devrt/matrices/number_format.h"

namespace musashim::devrt::matrices {

struct Summation {
  uint32_t width;  // so many products at once
  int bits;        // that are kept, below the greatest exponent
};

constexpr Summation summationOf(const Product& product) {
  // wmma's TF32 is two products of half the length.
  if (product.a == MUSA_MATRIX_TF32) return {product.n > kTileColumns ? 4u : 8u, 25};
  return {16, 25};
}

// 8-bit numbers become halves, by two instructions that take the lower and the upper ones of each word; what
// they sum is added to the sum so far afterwards.
constexpr bool isByHalves(uint32_t format) {
  return format == MUSA_MATRIX_E4M3 || format == MUSA_MATRIX_E5M2;
}
// Where element `k` of such a factor comes in the order of summation.
constexpr uint32_t placeByHalves(uint32_t k) { return k % 4 / 2 * 16 + k / 4 * 2 + k % 2; }

// Eight columns.
using Row = int32_t __attribute__((ext_vector_type(kTileColumns)));
using LooseRow = Row __attribute__((aligned(4), may_alias));
using WideRow = int64_t __attribute__((ext_vector_type(kTileColumns)));
using DoubleRow = double __attribute__((ext_vector_type(kTileColumns)));

constexpr int32_t kNoPower = -4000;  // of zero: below all others

// Significands and powers of one operand; those of a side by side along k, those of b along its columns.
struct Factors {
  static constexpr uint32_t kMost = 32 * 32;
  int32_t significands[kMost];
  int32_t powers[kMost];
  bool anySpecial;

  [[gnu::always_inline]] void set(const NumberFormat& format, const uint32_t* bits, uint32_t count) {
    bool special = false;
    for (uint32_t i = 0; i < count; ++i) {
      significands[i] = format.significand(bits[i]);
      powers[i] = significands[i] == 0 ? kNoPower : format.power(bits[i]);
      special |= format.isSpecial(bits[i]);
    }
    anySpecial = special;
  }
};

// A row of sums.
struct Sums {
  DoubleRow values;  // exact, before they are rounded to what they are kept in

  // Cut to floats, toward zero.
  [[gnu::always_inline]] void cut() {
    const DoubleRow least = 0x1p-126;
    const DoubleRow subnormal = __builtin_elementwise_trunc(values * 0x1p149) * 0x1p-149;
    const WideRow normal = __builtin_bit_cast(WideRow, values) & ~((int64_t{1} << 29) - 1);
    values = __builtin_elementwise_abs(values) < least ? subnormal : __builtin_bit_cast(DoubleRow, normal);
  }
  // To halves, to nearest, ties to even.
  [[gnu::always_inline]] void roundToHalves() {
    for (uint32_t i = 0; i < kTileColumns; ++i)
      values[i] = static_cast<double>(static_cast<_Float16>(values[i]));
  }
};

// sums += a row of a times eight columns of b, all of them finite. `columns`: from row to row of b.
template <bool kHalfSums>
[[gnu::always_inline]] inline void sumRow(Sums& sums, const Summation& summation, int productBits, uint32_t k,
                                          const Factors& a, uint32_t fromA, const Factors& b, uint32_t fromB,
                                          uint32_t columns) {
  const auto* const powersOfB = &b.powers[fromB];
  const auto* const significandsOfB = &b.significands[fromB];
  for (uint32_t from = 0; from < k; from += summation.width) {
    const uint32_t to = from + summation.width < k ? from + summation.width : k;
    // The sum so far: its power, and as an integer.
    const WideRow bits = __builtin_bit_cast(WideRow, sums.values);
    const WideRow field = (bits >> 52 & 0x7ff) - 1023;
    const DoubleRow none = 0.0;
    const Row own = __builtin_convertvector(sums.values == none ? WideRow(kNoPower) : field, Row);
    Row greatest = own;
    for (uint32_t i = from; i < to; ++i)
      greatest = __builtin_elementwise_max(
          greatest, *reinterpret_cast<const LooseRow*>(powersOfB + i * columns) + a.powers[fromA + i]);
    Row sum = 0;
    for (uint32_t i = from; i < to; ++i) {
      const Row product =
          *reinterpret_cast<const LooseRow*>(significandsOfB + i * columns) * a.significands[fromA + i];
      const Row below =
          greatest - (*reinterpret_cast<const LooseRow*>(powersOfB + i * columns) + a.powers[fromA + i]);
      const Row shift = __builtin_elementwise_min(below, Row(31));
      const Row aligned = __builtin_elementwise_abs(product) << (summation.bits - productBits) >> shift;
      sum += product < 0 ? -aligned : aligned;
    }
    // 2 ^ (bits - greatest), by its exponent: the sum so far is cut as products are.
    const Row bounded = __builtin_elementwise_max(greatest, Row(-900));
    const WideRow up = __builtin_convertvector(1023 + summation.bits - bounded, WideRow) << 52;
    const WideRow down = __builtin_convertvector(1023 - summation.bits + bounded, WideRow) << 52;
    const DoubleRow before = __builtin_elementwise_trunc(sums.values * __builtin_bit_cast(DoubleRow, up));
    sums.values = (before + __builtin_convertvector(sum, DoubleRow)) * __builtin_bit_cast(DoubleRow, down);
    if (to < k) kHalfSums ? sums.roundToHalves() : sums.cut();
  }
}

}  // namespace musashim::devrt::matrices
