// Sizes that callers give: sums and products of them may be beyond all memory, but never wrap around.
#pragma once

#include <cstddef>
#include <cstdint>

namespace musashim::musa {

inline size_t addSaturated(size_t a, size_t b) {
  size_t sum = 0;
  return __builtin_add_overflow(a, b, &sum) ? SIZE_MAX : sum;
}

inline size_t multiplySaturated(size_t a, size_t b) {
  size_t product = 0;
  return __builtin_mul_overflow(a, b, &product) ? SIZE_MAX : product;
}

}  // namespace musashim::musa
