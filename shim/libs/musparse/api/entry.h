// What every entry of muSPARSE does around its work.
#pragma once

#include <string_view>

#include "libs/core/api_call.h"
#include "libs/musparse/api/handle.h"

namespace musashim::musparse {

inline constexpr libs::Failures<musparseStatus_t> kFailures{MUSPARSE_STATUS_ALLOC_FAILED,
                                                            MUSPARSE_STATUS_INTERNAL_ERROR};

template <class Body, class... Args>
musparseStatus_t tracedCall(std::string_view name, Body&& body, const Args&... args) {
  return libs::apiCall("musparse", name, kFailures, body, args...);
}

// What the first argument of an entry stands for: a handle's settings, a descriptor, a place for a result.
inline Settings* findFirst(musparseHandle_t handle) { return findSettings(handle); }
template <class T>
T* findFirst(T* object) {
  return object;
}

template <class First, class Body, class... Args>
musparseStatus_t entry(std::string_view name, First first, Body&& body, const Args&... args) {
  return tracedCall(
      name,
      [&] {
        auto* const self = findFirst(first);
        return self ? body(*self) : MUSPARSE_STATUS_INVALID_VALUE;
      },
      first, args...);
}

}  // namespace musashim::musparse

#define MUSPARSE_REQUIRE(condition)                         \
  do {                                                      \
    if (!(condition)) return MUSPARSE_STATUS_INVALID_VALUE; \
  } while (false)

#define MUSPARSE_SUPPORT(condition)                         \
  do {                                                      \
    if (!(condition)) return MUSPARSE_STATUS_NOT_SUPPORTED; \
  } while (false)

#define MUSPARSE_TRY(expression)                                                                           \
  do {                                                                                                     \
    if (const musparseStatus_t status_ = (expression); status_ != MUSPARSE_STATUS_SUCCESS) return status_; \
  } while (false)
