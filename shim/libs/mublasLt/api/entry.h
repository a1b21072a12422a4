// What every entry of muBLASLt does around its work.
#pragma once

#include <mublasLt.h>

#include <string_view>

#include "libs/core/api_call.h"
#include "libs/mublasLt/api/logger.h"

namespace musashim::mublasLt {

inline constexpr libs::Failures<mublasStatus_t> kFailures{MUBLAS_STATUS_ALLOC_FAILED,
                                                          MUBLAS_STATUS_INTERNAL_ERROR};

template <class Body, class... Args>
mublasStatus_t tracedCall(std::string_view name, Body&& body, const Args&... args) {
  const mublasStatus_t status = libs::apiCall("mublasLt", name, kFailures, body, args...);
  if (logs(status == MUBLAS_STATUS_SUCCESS ? kLogApi : kLogErrors)) [[unlikely]]
    libs::tellIfPossible([&] { logCall(name, core::formatCall(name, args...), status); });
  return status;
}

// Whether it is a handle of ours, or one of muBLAS's, which does as well.
bool isHandle(mublasLtHandle_t handle);

// The same for entries with a handle.
template <class Body, class... Args>
mublasStatus_t entry(std::string_view name, mublasLtHandle_t handle, Body&& body, const Args&... args) {
  return tracedCall(
      name, [&] { return isHandle(handle) ? body() : MUBLAS_STATUS_NOT_INITIALIZED; }, handle, args...);
}

}  // namespace musashim::mublasLt

#define MUBLASLT_ENTRY __attribute__((visibility("default"))) mublasStatus_t

#define MUBLASLT_REQUIRE(condition, status) \
  do {                                      \
    if (!(condition)) return status;        \
  } while (false)

#define MUBLASLT_TRY(expression)                                                                       \
  do {                                                                                                 \
    if (const mublasStatus_t status_ = (expression); status_ != MUBLAS_STATUS_SUCCESS) return status_; \
  } while (false)
