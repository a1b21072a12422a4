// Products of matrix fragments, words that 32 lanes share with results behind them, and of whole matrices
// (abi/matrix_layout.h).
#pragma once

#include <span>

#include "cpu/devrt/matrices/fragments.h"

namespace musashim::devrt::matrices {

void multiplyFloats(const Product& product, uint32_t* words);    // of 16 bits and less, and TF32
void multiplyIntegers(const Product& product, uint32_t* words);  // of 8, 4 and 1 bits
void multiplyDoubles(const Product& product, uint32_t* words);

// Where a factor is in shared memory: MUSA_SHARED_FACTOR.
struct SharedFactor {
  uint32_t address, stride, granule;
  bool columns;  // follow each other, else rows

  static SharedFactor of(uint64_t packed) {
    const auto field = [packed](uint32_t at, uint32_t bits) {
      return static_cast<uint32_t>(packed >> at & ((uint64_t{1} << bits) - 1));
    };
    return {field(0, 32), field(32, 16), field(48, 8), field(56, 8) != 0};
  }
};

// Memory of the largest factors, as numbers: a fiber's stack has no room for them.
struct ProductScratch {
  static constexpr uint32_t kMostAlong = 128;
  alignas(64) char memory[2 * 128 * kMostAlong * 4];
};

void multiplyWhole(const Product& product, const void* a, const void* b, void* sums, ProductScratch& scratch);
// A fault where a factor leaves shared memory.
void multiplyShared(const Product& product, const SharedFactor& a, const SharedFactor& b,
                    std::span<const char> shared, void* sums, ProductScratch& scratch);

}  // namespace musashim::devrt::matrices
