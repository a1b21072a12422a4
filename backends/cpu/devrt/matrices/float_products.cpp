// Products of short floating-point numbers.
#include <array>
#include <bit>
#include <cmath>

#include "cpu/devrt/matrices/float_sums.h"
#include "cpu/devrt/matrices/products.h"

namespace musashim::devrt::matrices {

namespace {

constexpr uint32_t kNanOfFloats = 0x7fffffff, kNanOfHalves = 0x7fff;

struct Operands {
  // Bits of elements: of a row by row, of b and c too, and of the result in the place of c.
  std::array<uint32_t, Factors::kMost> a, b, sums;
};

struct Shape {
  uint32_t m, n, k;
};

// Whether an element is infinite or no number decides the sum, whatever else there is.
bool isDecidedBy(const Operands& operands, const Shape& shape, const NumberFormat& left,
                 const NumberFormat& right, uint32_t row, uint32_t column, double& sum) {
  sum = static_cast<double>(std::bit_cast<float>(operands.sums[row * shape.n + column]));
  for (uint32_t i = 0; i < shape.k; ++i)
    sum += left.value(operands.a[row * shape.k + i]) * right.value(operands.b[i * shape.n + column]);
  return !std::isfinite(sum);
}

uint32_t bitsOf(double value, bool halves) {
  if (halves) {
    const auto half = static_cast<_Float16>(value);
    return value != value ? kNanOfHalves : std::bit_cast<uint16_t>(half);
  }
  return value != value ? kNanOfFloats : std::bit_cast<uint32_t>(static_cast<float>(value));
}

template <bool kHalfSums>
[[gnu::always_inline]] inline void multiply(Operands& operands, const Shape& shape, const Product& product) {
  const NumberFormat left = formatOf(product.a), right = formatOf(product.b);
  const Summation summation = summationOf(product.a);
  Factors a, b;
  a.set(left, operands.a.data(), shape.m * shape.k);
  b.set(right, operands.b.data(), shape.k * shape.n);
  bool special = a.anySpecial || b.anySpecial;
  for (uint32_t i = 0; i < shape.m * shape.n; ++i) special |= kFloat.isSpecial(operands.sums[i]);
  for (uint32_t row = 0; row < shape.m; ++row) {
    for (uint32_t column = 0; column < shape.n; column += kTileColumns) {
      uint32_t* const place = &operands.sums[row * shape.n + column];
      Sums sums{};
      for (uint32_t i = 0; i < kTileColumns; ++i) {
        const float before = std::bit_cast<float>(place[i]);
        sums.values[i] = std::isfinite(before) ? static_cast<double>(before) : 0.0;
      }
      sumRow<kHalfSums>(sums, summation, left.fractionBits + right.fractionBits, shape.k, a, row * shape.k, b,
                        column, shape.n);
      if (!kHalfSums) sums.cut();
      for (uint32_t i = 0; i < kTileColumns; ++i) {
        double decided = 0;
        const bool isDecided = special && isDecidedBy(operands, shape, left, right, row, column + i, decided);
        place[i] = bitsOf(isDecided ? decided : sums.values[i], kHalfSums);
      }
    }
  }
}

void multiplyPlain(Operands& operands, const Shape& shape, const Product& product) {
  product.d == MUSA_MATRIX_F16 ? multiply<true>(operands, shape, product)
                               : multiply<false>(operands, shape, product);
}
[[gnu::target("arch=x86-64-v3")]] void multiplyV3(Operands& operands, const Shape& shape,
                                                  const Product& product) {
  product.d == MUSA_MATRIX_F16 ? multiply<true>(operands, shape, product)
                               : multiply<false>(operands, shape, product);
}
[[gnu::target("arch=x86-64-v4")]] void multiplyV4(Operands& operands, const Shape& shape,
                                                  const Product& product) {
  product.d == MUSA_MATRIX_F16 ? multiply<true>(operands, shape, product)
                               : multiply<false>(operands, shape, product);
}

using Multiply = void (*)(Operands&, const Shape&, const Product&);
Multiply choose() {
  if (__builtin_cpu_supports("x86-64-v4")) return multiplyV4;
  return __builtin_cpu_supports("x86-64-v3") ? multiplyV3 : multiplyPlain;
}

// --- Fragments <=> matrices -------------------------------------------------------------

// The bits of an element of a word, without those that are not looked at.
uint32_t elementOf(uint32_t word, uint32_t format, uint32_t index) {
  if (format == MUSA_MATRIX_TF32) return word >> 13;
  const uint32_t width = widthOf(format);
  return word >> (index * width) & ((1u << width) - 1);
}

uint32_t floatOf(uint32_t half) {
  return std::bit_cast<uint32_t>(static_cast<float>(std::bit_cast<_Float16>(static_cast<uint16_t>(half))));
}

void multiplyTiles(const Product& product, uint32_t* words, Multiply multiplyMatrices) {
  const Fragments fragments(product);
  const uint32_t elements = 32 / widthOf(product.a);
  const bool halvesC = product.c == MUSA_MATRIX_F16, halvesD = product.d == MUSA_MATRIX_F16;
  Operands operands;
  for (uint32_t along = 0; along < fragments.wordsAlong(); ++along) {
    for (uint32_t row = 0; row < product.m; ++row) {
      const uint32_t word = words[fragments.ofA(row, along)];
      for (uint32_t i = 0; i < elements; ++i)
        operands.a[row * product.k + along * elements + i] = elementOf(word, product.a, i);
    }
    for (uint32_t column = 0; column < product.n; ++column) {
      const uint32_t word = words[fragments.ofB(column, along)];
      for (uint32_t i = 0; i < elements; ++i)
        operands.b[(along * elements + i) * product.n + column] = elementOf(word, product.b, i);
    }
  }
  for (uint32_t row = 0; row < product.m; ++row) {
    for (uint32_t column = 0; column < product.n; column += 2) {
      const uint32_t* const from = &words[fragments.ofC(row, column, halvesC)];
      uint32_t* const to = &operands.sums[row * product.n + column];
      to[0] = halvesC ? floatOf(from[0] & 0xffff) : from[0];
      to[1] = halvesC ? floatOf(from[0] >> 16) : from[kLanes];
    }
  }
  multiplyMatrices(operands, {product.m, product.n, product.k}, product);
  for (uint32_t row = 0; row < product.m; ++row) {
    for (uint32_t column = 0; column < product.n; column += 2) {
      const uint32_t* const from = &operands.sums[row * product.n + column];
      uint32_t* const to = &words[fragments.ofD(row, column, halvesD)];
      to[0] = halvesD ? from[0] | from[1] << 16 : from[0];
      if (!halvesD) to[kLanes] = from[1];
    }
  }
}

// Where a sum is in the fragments of a pair of quads.
struct PairPlace {
  uint32_t lane, element;  // of eight
};

PairPlace pairPlace(uint32_t pair, uint32_t row, uint32_t column, bool halves) {
  if (halves) return {laneOfPair(pair, row), column};
  return {laneOfPair(pair, (row / 4) * 4 + (column & 2) + (row & 1)),
          (row & 2) + (column & 4) + (column & 1)};
}

// Each pair of quads on its own, as PTX's m8n8k4 has it: lanes 0 to 3 and 16 to 19, 4 to 7 and 20 to 23, ...
void multiplyPairs(const Product& product, uint32_t* words, Multiply multiplyMatrices) {
  constexpr uint32_t kWordsOfA = 2, kWordsOfB = 2, kAlong = 4, kSize = 8;
  const bool halvesC = product.c == MUSA_MATRIX_F16, halvesD = product.d == MUSA_MATRIX_F16;
  const bool columnsOfA = (product.flags & MUSA_MATRIX_COLUMNS_OF_A) != 0;
  const bool rowsOfB = (product.flags & MUSA_MATRIX_ROWS_OF_B) != 0;
  const auto half = [words](uint32_t word, uint32_t lane, uint32_t element) {
    return words[(word + element / 2) * kLanes + lane] >> (element % 2 * 16) & 0xffff;
  };
  for (uint32_t pair = 0; pair < 4; ++pair) {
    Operands operands;
    for (uint32_t i = 0; i < kSize; ++i) {
      for (uint32_t along = 0; along < kAlong; ++along) {
        // Element i of A's rows or B's columns.
        const auto lies = [&](bool across) -> PairPlace {
          if (across) return {laneOfPair(pair, i / 4 * 4 + along), i % 4};
          return {laneOfPair(pair, i), along};
        };
        const PairPlace left = lies(columnsOfA), right = lies(rowsOfB);
        operands.a[i * kAlong + along] = half(0, left.lane, left.element);
        operands.b[along * kSize + i] = half(kWordsOfA, right.lane, right.element);
      }
      for (uint32_t column = 0; column < kSize; ++column) {
        const PairPlace place = pairPlace(pair, i, column, halvesC);
        constexpr uint32_t kSums = kWordsOfA + kWordsOfB;
        operands.sums[i * kSize + column] = halvesC ? floatOf(half(kSums, place.lane, place.element))
                                                    : words[(kSums + place.element) * kLanes + place.lane];
      }
    }
    multiplyMatrices(operands, {kSize, kSize, kAlong}, product);
    for (uint32_t row = 0; row < kSize; ++row) {
      for (uint32_t column = 0; column < kSize; ++column) {
        const PairPlace place = pairPlace(pair, row, column, halvesD);
        const uint32_t bits = operands.sums[row * kSize + column];
        uint32_t& word =
            words[(MUSA_EXCHANGE_INPUTS + place.element / (halvesD ? 2 : 1)) * kLanes + place.lane];
        word = !halvesD ? bits : column % 2 == 0 ? bits : word | bits << 16;
      }
    }
  }
}

}  // namespace

void multiplyFloats(const Product& product, uint32_t* words) {
  static const Multiply multiplyMatrices = choose();
  const bool isPairs = product.m == 8 && product.k == 4;
  isPairs ? multiplyPairs(product, words, multiplyMatrices) : multiplyTiles(product, words, multiplyMatrices);
}

}  // namespace musashim::devrt::matrices
