// What every entry of muBLAS does around its work.
#pragma once

#include <string_view>

#include "libs/core/api_call.h"
#include "libs/mublas/api/handle.h"
#include "libs/mublas/api/logger.h"
#include "libs/mublas/api/status.h"

namespace musashim::mublas {

template <class Body, class... Args>
mublasStatus_t tracedCall(std::string_view name, Body&& body, const Args&... args) {
  const libs::Failures<mublasStatus_t> failures{toldStatus(MUBLAS_STATUS_ALLOC_FAILED),
                                                toldStatus(MUBLAS_STATUS_INTERNAL_ERROR)};
  const mublasStatus_t status =
      libs::apiCall("mublas", name, failures, [&] { return toldStatus(body()); }, args...);
  if (logIsOn.load(std::memory_order_relaxed)) [[unlikely]]
    libs::tellIfPossible([&] { logLine(core::formatCall(name, args...) + " -> " + nameOfTold(status)); });
  return status;
}

// `body` gets the handle's settings.
template <class Body, class... Args>
mublasStatus_t entry(std::string_view name, mublasHandle_t handle, Body&& body, const Args&... args) {
  return tracedCall(
      name,
      [&] {
        Settings* const settings = findSettings(handle);
        return settings ? body(*settings) : MUBLAS_STATUS_NOT_INITIALIZED;
      },
      handle, args...);
}

}  // namespace musashim::mublas

#define MUBLAS_REQUIRE(condition, status) \
  do {                                    \
    if (!(condition)) return status;      \
  } while (false)

#define MUBLAS_TRY(expression)                                                                         \
  do {                                                                                                 \
    if (const mublasStatus_t status_ = (expression); status_ != MUBLAS_STATUS_SUCCESS) return status_; \
  } while (false)
