// Addresses without memory behind them, for mapping it there later.
#pragma once

#include <cstddef>

namespace musashim::backend::cpu {

// The first address is `phase` above a multiple of `alignment`, a power of two. MAP_FAILED with errno.
void* reserveAligned(size_t bytes, size_t alignment, size_t phase = 0);

}  // namespace musashim::backend::cpu
