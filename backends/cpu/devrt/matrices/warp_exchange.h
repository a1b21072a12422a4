// Memory in which the lanes of a block's warps hand values to each other.
#pragma once

#include "abi/matrix_layout.h"

namespace musashim::devrt {

struct WarpExchange {
  static constexpr int kGroups = 32;  // of 32 lanes, in the largest block
  alignas(64) char memory[kGroups * MUSA_EXCHANGE_BYTES];
};

}  // namespace musashim::devrt
