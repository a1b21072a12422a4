// What a call returns when something throws.
#pragma once

#include "mccl.h"

namespace musashim::mccl {

// In a handler: mcclSystemError for want of memory, else mcclInternalError. The last error says why, if there
// is memory for it.
mcclResult_t resultOfThrown() noexcept;

}  // namespace musashim::mccl
