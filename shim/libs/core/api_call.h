// What an entry of a library is made of.
#pragma once

#include <string_view>

#include "core/trace.h"

namespace musashim::libs {

// Runs the entry's body, which returns a status of the library's, and traces the call (MUSASHIM_TRACE=1).
// `failed`: what the entry returns when something throws, as for want of memory.
template <class Status, class Body, class... Args>
Status apiCall(std::string_view library, std::string_view name, Status failed, Body&& body,
               const Args&... args) {
  Status status = failed;
  std::string_view message = "out of memory";
  core::RecordedCall recorded(library.data(), name.data());
  try {
    status = body();
    message = {};
  } catch (...) {
  }
  recorded.end(static_cast<int>(status));
  if (core::traceEnabled()) [[unlikely]]
    core::traceLine(library, core::formatCall(name, args...), std::to_string(static_cast<int>(status)),
                    message);
  return status;
}

}  // namespace musashim::libs
