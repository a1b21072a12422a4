// What an entry of libmtml or libnvidia-ml is made of.
#pragma once

#include <string_view>
#include <type_traits>

#include "core/trace.h"
#include "mtml/state/log.h"

namespace musashim::mtml {

// Runs the entry's body, which returns the library's status; traces the call (MUSASHIM_TRACE=1) and logs it,
// where mtmlLogSetConfiguration() asks for that.
template <class Body, class... Args>
auto entry(std::string_view name, Body&& body, const Args&... args) -> std::invoke_result_t<Body> {
  std::invoke_result_t<Body> status;
  std::string_view message;
  try {
    status = body();
  } catch (...) {
    // Only for want of memory: 8 and 20 are both libraries' words for it.
    status = static_cast<std::invoke_result_t<Body>>(name.starts_with("nvml") ? 20 : 8);
    message = "out of memory";
  }
  if (core::traceEnabled()) [[unlikely]]
    core::traceLine("mtml", core::formatCall(name, args...), std::to_string(static_cast<int>(status)),
                    message);
  if (isLogging()) [[unlikely]]
    logCall(name, static_cast<int>(status));
  return status;
}

}  // namespace musashim::mtml
