// From which end work on buffers begins. Programs use the same buffers again and again: what a processor's
// caches still have of them is what it worked on last, and going on from there, it finds it. Two collectives
// in the same order find nothing once they are larger than the cache.
#pragma once

#include <cstddef>
#include <cstdint>

namespace musashim::mccl {

enum class Order : uint8_t { kForwards, kBackwards };

// Alternates; `number` counts work of this size.
inline Order orderOf(uint64_t number) { return number % 2 == 0 ? Order::kForwards : Order::kBackwards; }

// The next of the numbers [begin, end) when `left` of them are left.
inline size_t inOrder(Order order, size_t begin, size_t end, size_t left) {
  return order == Order::kForwards ? end - left : begin + left - 1;
}

}  // namespace musashim::mccl
