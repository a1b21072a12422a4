// What every entry of muSOLVER does around its work.
#pragma once

#include <string_view>

#include "libs/core/api_call.h"
#include "libs/musolver/api/handle.h"

namespace musashim::musolver {

template <class Body, class... Args>
musolverStatus_t tracedCall(std::string_view name, Body&& body, const Args&... args) {
  return libs::apiCall("musolver", name, MUSOLVER_STATUS_ALLOC_FAILED, body, args...);
}

// `body` gets the handle's settings.
template <class Body, class... Args>
musolverStatus_t entry(std::string_view name, musolverDnHandle_t handle, Body&& body, const Args&... args) {
  return tracedCall(
      name,
      [&] {
        Settings* const settings = findSettings(handle);
        return settings ? body(*settings) : MUSOLVER_STATUS_NOT_INITIALIZED;
      },
      handle, args...);
}

}  // namespace musashim::musolver

#define MUSOLVER_REQUIRE(condition)                         \
  do {                                                      \
    if (!(condition)) return MUSOLVER_STATUS_INVALID_VALUE; \
  } while (false)
