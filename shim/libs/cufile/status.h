// What every entry of libcufile does.
#pragma once

#include <cufile.h>

#include <string_view>

#include "libs/core/api_call.h"

namespace musashim::cufile {

inline CUfileError_t statusOf(CUfileOpError error) { return {error, MUSA_SUCCESS}; }

inline constexpr libs::Failures<CUfileOpError> kFailures{CU_FILE_INTERNAL_ERROR, CU_FILE_INTERNAL_ERROR};

// Runs the body of an entry, which returns a CUfileOpError.
template <class Body, class... Args>
CUfileError_t entry(std::string_view name, Body&& body, const Args&... args) {
  return statusOf(libs::apiCall("cufile", name, kFailures, body, args...));
}

}  // namespace musashim::cufile
