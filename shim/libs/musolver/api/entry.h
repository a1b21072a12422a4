// What every entry of muSOLVER does around its work.
#pragma once

#include <string_view>

#include "libs/core/api_call.h"
#include "libs/musolver/api/handle.h"

namespace musashim::musolver {

inline constexpr libs::Failures<musolverStatus_t> kFailures{MUSOLVER_STATUS_ALLOC_FAILED,
                                                            MUSOLVER_STATUS_INTERNAL_ERROR};

template <class Body, class... Args>
musolverStatus_t tracedCall(std::string_view name, Body&& body, const Args&... args) {
  return libs::apiCall("musolver", name, kFailures, body, args...);
}

// What the first argument of an entry stands for: a handle's settings, an object, a place for a result.
inline Settings* findFirst(musolverDnHandle_t handle) { return findSettings(handle); }
inline Settings* findFirst(musolverSpHandle_t handle) { return findSettings(handle); }
template <class T>
T* findFirst(T* object) {
  return object;
}
template <class First>
constexpr musolverStatus_t kNoFirst =
    std::is_same_v<First, musolverDnHandle_t> || std::is_same_v<First, musolverSpHandle_t>
        ? MUSOLVER_STATUS_NOT_INITIALIZED
        : MUSOLVER_STATUS_INVALID_VALUE;
template <>
inline constexpr musolverStatus_t kNoFirst<musolverDnIRSParams_t> =
    MUSOLVER_STATUS_IRS_PARAMS_NOT_INITIALIZED;
template <>
inline constexpr musolverStatus_t kNoFirst<musolverDnIRSInfos_t> = MUSOLVER_STATUS_IRS_INFOS_NOT_INITIALIZED;

template <class First, class Body, class... Args>
musolverStatus_t entry(std::string_view name, First first, Body&& body, const Args&... args) {
  return tracedCall(
      name,
      [&] {
        auto* const self = findFirst(first);
        return self ? body(*self) : kNoFirst<First>;
      },
      first, args...);
}

}  // namespace musashim::musolver

#define MUSOLVER_REQUIRE(condition)                         \
  do {                                                      \
    if (!(condition)) return MUSOLVER_STATUS_INVALID_VALUE; \
  } while (false)

#define MUSOLVER_TRY(expression)                                                                           \
  do {                                                                                                     \
    if (const musolverStatus_t status_ = (expression); status_ != MUSOLVER_STATUS_SUCCESS) return status_; \
  } while (false)
