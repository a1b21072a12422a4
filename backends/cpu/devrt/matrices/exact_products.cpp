// Products of integers, and of doubles.
#include <bit>
#include <cstring>

#include "cpu/devrt/matrices/products.h"

namespace musashim::devrt::matrices {

namespace {

constexpr int64_t kLeastSum = INT32_MIN, kGreatestSum = INT32_MAX;

// Element `index` of a word, with its sign.
int32_t elementOf(uint32_t word, uint32_t format, uint32_t index) {
  const uint32_t width = widthOf(format);
  const uint32_t field = word << (32 - width * (index + 1));  // at the top
  const bool isSigned = format == MUSA_MATRIX_S8 || format == MUSA_MATRIX_S4;
  return isSigned ? static_cast<int32_t>(field) >> (32 - width) : static_cast<int32_t>(field >> (32 - width));
}

// The sum of the products of two words' elements.
int32_t dot(uint32_t left, uint32_t right, const Product& product) {
  if (product.a == MUSA_MATRIX_B1) {
    const bool countsAnd = (product.flags & MUSA_MATRIX_COUNTS_AND) != 0;
    return std::popcount(countsAnd ? left & right : left ^ right);
  }
  int32_t sum = 0;
  for (uint32_t i = 0; i < 32 / widthOf(product.a); ++i)
    sum += elementOf(left, product.a, i) * elementOf(right, product.b, i);
  return sum;
}

}  // namespace

void multiplyIntegers(const Product& product, uint32_t* words) {
  const Fragments fragments(product);
  const bool saturates = (product.flags & MUSA_MATRIX_SATURATES) != 0;
  for (uint32_t row = 0; row < product.m; ++row) {
    for (uint32_t column = 0; column < product.n; ++column) {
      int64_t sum = static_cast<int32_t>(words[fragments.ofC(row, column, false) + column % 2 * kLanes]);
      for (uint32_t along = 0; along < fragments.wordsAlong(); ++along)
        sum += dot(words[fragments.ofA(row, along)], words[fragments.ofB(column, along)], product);
      if (saturates) sum = sum < kLeastSum ? kLeastSum : sum > kGreatestSum ? kGreatestSum : sum;
      words[fragments.ofD(row, column, false) + column % 2 * kLanes] = static_cast<uint32_t>(sum);
    }
  }
}

// Doubles of a lane are two words each, the lower one first.
void multiplyDoubles(const Product& product, uint32_t* words) {
  const auto place = [words](uint32_t element, uint32_t lane) { return words + element * 2 * kLanes + lane; };
  const auto read = [&](uint32_t element, uint32_t lane) {
    const uint32_t* from = place(element, lane);
    return std::bit_cast<double>(static_cast<uint64_t>(from[kLanes]) << 32 | from[0]);
  };
  for (uint32_t row = 0; row < product.m; ++row) {
    for (uint32_t column = 0; column < product.n; ++column) {
      const uint32_t lane = row * 4 + column / 2, element = column % 2;
      double sum = read(2 + element, lane);
      for (uint32_t i = 0; i < product.k; ++i)
        sum = __builtin_fma(read(0, row * 4 + i), read(1, column * 4 + i), sum);
      const auto bits = std::bit_cast<uint64_t>(sum);
      uint32_t* const to = words + (MUSA_EXCHANGE_INPUTS + element * 2) * kLanes + lane;
      to[0] = static_cast<uint32_t>(bits);
      to[kLanes] = static_cast<uint32_t>(bits >> 32);
    }
  }
}

}  // namespace musashim::devrt::matrices
