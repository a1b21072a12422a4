// MCCL_ALGO(S) and MCCL_PROTO(S): NCCL's names, or the numbers that MCCL's documentation uses.
//
// All ranks reach all buffers, so data always goes straight from its source to where it is
// wanted. What an algorithm decides is the order in which the ranks' elements are combined,
// and with it the last bits of floating-point results.
#pragma once

#include <cstdint>
#include <span>
#include <string>

#include "mccl.h"

namespace musashim::mccl {

constexpr int kMostRings = 32;
// Orders of the ranks, each of which a part of the data goes around with kRing: the ranks of the first ring,
// of the second, ...; empty: one ring, in the order of the ranks.
using Rings = std::span<const uint16_t>;

enum class Algorithm : int {
  kDirect,  // every element in the order of the ranks; the default
  kRing,    // each rank's share begins with the rank behind it in its ring
  kTree,    // pairs, then pairs of pairs
};

// mcclInvalidUsage when a name or number is unknown, or nothing is left to choose from.
mcclResult_t parseAlgorithms(const std::string& algorithms, const std::string& protocols,
                             Algorithm& algorithm);

// The environment's choice, read once.
mcclResult_t checkAlgorithms();
Algorithm chosenAlgorithm();  // kDirect when it is invalid

}  // namespace musashim::mccl
