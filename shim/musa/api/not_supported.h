// The body of entries whose API record says not_supported.
#pragma once

#include "musa/api/api_call.h"

namespace musashim::musa {

inline MUresult notSupported(const char* name) {
  return apiCall<Needs::kNothing>(name,
                                  [] { return Result(MUSA_ERROR_NOT_SUPPORTED, "see the support matrix"); });
}

}  // namespace musashim::musa
