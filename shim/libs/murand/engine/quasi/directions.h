// The direction vectors of Joe and Kuo ("Constructing Sobol sequences with better two-dimensional
// projections", 2008), for 20,000 dimensions.
#pragma once

#include <cstddef>
#include <cstdint>

namespace musashim::rand {

constexpr std::size_t kDimensions = 20000;

// 64 of each dimension; of the 32-bit sequences, the upper halves of the first 32.
const std::uint64_t (*directions64())[64];
const std::uint32_t (*directions32())[32];

}  // namespace musashim::rand
