// MCCL_ALGO(S) and MCCL_PROTO(S): NCCL's names, or the numbers that MCCL's documentation uses.
//
// All ranks reach all buffers, so data always goes straight from its source to where it is
// wanted. What an algorithm decides is the order in which the ranks' elements are combined,
// and with it the last bits of floating-point results.
#pragma once

#include <string>

#include "mccl.h"

namespace musashim::mccl {

enum class Algorithm : int {
  kDirect,  // every element in the order of the ranks; the default
  kRing,    // each rank's share begins with the rank after it, as data that goes around a ring
  kTree,    // pairs, then pairs of pairs
};

// mcclInvalidUsage when a name or number is unknown, or nothing is left to choose from.
mcclResult_t parseAlgorithms(const std::string& algorithms, const std::string& protocols,
                             Algorithm& algorithm);

// The environment's choice, read once.
mcclResult_t checkAlgorithms();
Algorithm chosenAlgorithm();  // kDirect when it is invalid

}  // namespace musashim::mccl
