// Memory in which the lanes of a block's warps, and of its squads, hand values to each other.
#pragma once

#include <array>
#include <cstdint>
#include <memory>

#include "abi/matrix_layout.h"
#include "cpu/devrt/matrices/products.h"

namespace musashim::devrt {

struct WarpExchange {
  static constexpr int kGroups = 32;  // of 32 lanes, in the largest block
  static constexpr uint32_t kSquads = kGroups * 32 / MUSA_SQUAD_THREADS;

  struct Squad {
    alignas(64) char memory[MUSA_SQUAD_BYTES];
  };

  alignas(64) char memory[kGroups * MUSA_EXCHANGE_BYTES];
  // Made when they are first needed.
  std::array<std::unique_ptr<Squad>, kSquads> squads;
  std::unique_ptr<matrices::ProductScratch> scratch;
};

}  // namespace musashim::devrt
