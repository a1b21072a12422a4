// The body of entries whose API record says not_supported.
#pragma once

#include "musart/api/runtime.h"

namespace musashim::musart {

inline musaError_t notSupported(const char* name) {
  return apiCall<Needs::kNothing>(name, [] { return musaErrorNotSupported; });
}

}  // namespace musashim::musart
