// What every entry of muFFT does around its work.
#pragma once

#include <string_view>

#include "libs/core/api_call.h"
#include "libs/mufft/plan.h"

namespace musashim::mufft {

inline constexpr libs::Failures<mufftResult> kFailures{MUFFT_ALLOC_FAILED, MUFFT_INTERNAL_ERROR};

template <class Body, class... Args>
mufftResult tracedCall(std::string_view name, Body&& body, const Args&... args) {
  return libs::apiCall("mufft", name, kFailures, body, args...);
}

// `body` gets the plan.
template <class Body, class... Args>
mufftResult withPlan(std::string_view name, mufftHandle handle, Body&& body, const Args&... args) {
  return tracedCall(
      name,
      [&]() -> mufftResult {
        const std::shared_ptr<Plan> plan = findPlan(handle);
        return plan ? body(*plan) : MUFFT_INVALID_PLAN;
      },
      handle, args...);
}

}  // namespace musashim::mufft

#define MUFFT_REQUIRE(condition, result) \
  do {                                   \
    if (!(condition)) return result;     \
  } while (false)
