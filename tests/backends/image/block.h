// What kernels of the test image ask about their block and thread.
#pragma once

#include <cstdint>

#include "abi/musa_device_abi.h"
#include "abi/musa_unit_abi.h"

namespace test_image {

template <typename T>
const T& params(const MusaBlockContext* block) {
  return *static_cast<const T*>(block->params);
}

inline uint32_t threadsOf(const MusaBlockContext* block) {
  return block->block_dim.x * block->block_dim.y * block->block_dim.z;
}

inline uint32_t linearBlock(const MusaBlockContext* block) {
  return block->block_idx.x +
         block->grid_dim.x * (block->block_idx.y + block->grid_dim.y * block->block_idx.z);
}

inline uint32_t tid() { return __musa_thread.linear_idx; }

}  // namespace test_image
