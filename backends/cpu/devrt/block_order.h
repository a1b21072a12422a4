// The order of a grid's blocks, for the cpu backend.
#pragma once

#include "cpu/devrt/export.h"

namespace musashim::devrt {

// Whether MUSASHIM_SCHEDULE leaves it as it is.
MUSADEVRT_API bool runsBlocksInOrder();

}  // namespace musashim::devrt
