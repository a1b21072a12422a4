// What the generated entries of records with status not_supported return (shim/codegen).
#pragma once

#include "mccl/core/log.h"

namespace musashim::mccl {

inline mcclResult_t notSupported(const char* name) {
  return fail(mcclInvalidUsage, "{} is not supported yet", name);
}

}  // namespace musashim::mccl
