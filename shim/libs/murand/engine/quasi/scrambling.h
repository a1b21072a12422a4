// What makes Sobol's sequences scrambled ones: direction vectors multiplied by a random lower triangular
// matrix for each dimension (Matousek, "On the L2-discrepancy for anchored boxes", 1998), and a constant to
// start from. The random bits are words of XORWOW's sequence of seed 0; cuRAND's tables are the same
// (recorded).
#pragma once

#include <cstdint>

namespace musashim::rand {

// As directions64() and directions32().
const std::uint64_t (*scrambledDirections64())[64];
const std::uint32_t (*scrambledDirections32())[32];

// One of each dimension; of the 32-bit sequences, the upper halves.
const std::uint64_t* scrambleConstants64();
const std::uint32_t* scrambleConstants32();

}  // namespace musashim::rand
