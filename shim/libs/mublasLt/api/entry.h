// What every entry of muBLASLt does around its work.
#pragma once

#include <mublasLt.h>

#include <string_view>

#include "libs/core/api_call.h"
#include "libs/mublas/api/status.h"
#include "libs/mublasLt/api/logger.h"

namespace musashim::mublasLt {

template <class Body, class... Args>
mublasStatus_t tracedCall(std::string_view name, Body&& body, const Args&... args) {
  using mublas::toldStatus;
  const libs::Failures<mublasStatus_t> failures{toldStatus(MUBLAS_STATUS_ALLOC_FAILED),
                                                toldStatus(MUBLAS_STATUS_INTERNAL_ERROR)};
  const mublasStatus_t status =
      libs::apiCall("mublasLt", name, failures, [&] { return toldStatus(body()); }, args...);
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

#define MUBLASLT_ENTRY mublasStatus_t

#define MUBLASLT_REQUIRE(condition, status) \
  do {                                      \
    if (!(condition)) return status;        \
  } while (false)

#define MUBLASLT_TRY(expression)                                                                       \
  do {                                                                                                 \
    if (const mublasStatus_t status_ = (expression); status_ != MUBLAS_STATUS_SUCCESS) return status_; \
  } while (false)
