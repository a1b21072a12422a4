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
  const Summation summation = summationOf(product);
  const bool addsLast = isByHalves(product.a);
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
        sums.values[i] = std::isfinite(before) && !addsLast ? static_cast<double>(before) : 0.0;
      }
      sumRow<kHalfSums>(sums, summation, left.fractionBits + right.fractionBits, shape.k, a, row * shape.k, b,
                        column, shape.n);
      if (!kHalfSums) sums.cut();
      for (uint32_t i = 0; i < kTileColumns; ++i) {
        double decided = 0;
        const bool isDecided = special && isDecidedBy(operands, shape, left, right, row, column + i, decided);
        const double before = addsLast ? static_cast<double>(std::bit_cast<float>(place[i])) : 0.0;
        place[i] = bitsOf(isDecided ? decided : sums.values[i] + before, kHalfSums);
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
  const auto placeOf = [&](uint32_t k) { return isByHalves(product.a) ? placeByHalves(k) : k; };
  const bool halvesC = product.c == MUSA_MATRIX_F16, halvesD = product.d == MUSA_MATRIX_F16;
  Operands operands;
  for (uint32_t along = 0; along < fragments.wordsAlong(); ++along) {
    for (uint32_t row = 0; row < product.m; ++row) {
      const uint32_t word = words[fragments.ofA(row, along)];
      for (uint32_t i = 0; i < elements; ++i)
        operands.a[row * product.k + placeOf(along * elements + i)] = elementOf(word, product.a, i);
    }
    for (uint32_t column = 0; column < product.n; ++column) {
      const uint32_t word = words[fragments.ofB(column, along)];
      for (uint32_t i = 0; i < elements; ++i)
        operands.b[placeOf(along * elements + i) * product.n + column] = elementOf(word, product.b, i);
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
// Devices after sm_70 have no instruction for it: the products are added one after the other, and then the
// sum so far.
void multiplyPairs(const Product& product, uint32_t* words) {
  constexpr uint32_t kWordsOfA = 2, kWordsOfB = 2, kAlong = 4, kSize = 8, kSums = kWordsOfA + kWordsOfB;
  const bool halvesC = product.c == MUSA_MATRIX_F16, halvesD = product.d == MUSA_MATRIX_F16;
  const bool columnsOfA = (product.flags & MUSA_MATRIX_COLUMNS_OF_A) != 0;
  const bool rowsOfB = (product.flags & MUSA_MATRIX_ROWS_OF_B) != 0;
  const auto half = [words](uint32_t word, const PairPlace& place) {
    return std::bit_cast<float>(floatOf(
        words[(word + place.element / 2) * kLanes + place.lane] >> (place.element % 2 * 16) & 0xffff));
  };
  for (uint32_t pair = 0; pair < 4; ++pair) {
    // Where element `along` of row, or column, `index` is; `across`: lanes have neighbours of the other
    // direction.
    const auto factorPlace = [pair](uint32_t index, uint32_t along, bool across) -> PairPlace {
      if (across) return {laneOfPair(pair, index / 4 * 4 + along), index % 4};
      return {laneOfPair(pair, index), along};
    };
    for (uint32_t row = 0; row < kSize; ++row) {
      for (uint32_t column = 0; column < kSize; ++column) {
        const PairPlace from = pairPlace(pair, row, column, halvesC),
                        to = pairPlace(pair, row, column, halvesD);
        const float before = halvesC
                                 ? half(kSums, from)
                                 : std::bit_cast<float>(words[(kSums + from.element) * kLanes + from.lane]);
        // The sum so far comes last, to halves in the middle; such sums begin with a product, not with 0.
        float sum = halvesD ? -0.0F : 0.0F;
        for (uint32_t along = 0; along < kAlong; ++along) {
          const float left = half(0, factorPlace(row, along, columnsOfA));
          const float right = half(kWordsOfA, factorPlace(column, along, rowsOfB));
          sum = __builtin_fmaf(left, right, sum);
          if (along == (halvesD ? 1 : kAlong - 1)) sum += before;
        }
        const uint32_t bits = bitsOf(static_cast<double>(sum), halvesD);
        uint32_t& word = words[(MUSA_EXCHANGE_INPUTS + to.element / (halvesD ? 2 : 1)) * kLanes + to.lane];
        word = !halvesD ? bits : column % 2 == 0 ? bits : word | bits << 16;
      }
    }
  }
}

}  // namespace

void multiplyFloats(const Product& product, uint32_t* words) {
  static const Multiply multiplyMatrices = choose();
  const bool isPairs = product.m == 8 && product.k == 4;
  isPairs ? multiplyPairs(product, words) : multiplyTiles(product, words, multiplyMatrices);
}

}  // namespace musashim::devrt::matrices
