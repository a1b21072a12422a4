// What an entry of a library is made of.
#pragma once

#include <exception>
#include <new>
#include <string>
#include <string_view>

#include "core/trace.h"

namespace musashim::libs {

// What an entry returns when something throws: for want of memory, and for whatever else.
template <class Status>
struct Failures {
  Status memory, other;
};

// Runs `tell`, which says something of a call. Where memory is short nothing is said.
template <class Tell>
void tellIfPossible(Tell&& tell) {
  try {
    tell();
  } catch (const std::exception&) {
  }
}

// Runs the entry's body, which returns a status of the library's, and traces the call (MUSASHIM_TRACE=1). No
// exception leaves it.
template <class Status, class Body, class... Args>
Status apiCall(std::string_view library, std::string_view name, const Failures<Status>& failures, Body&& body,
               const Args&... args) {
  Status status = failures.other;
  std::string message;
  core::RecordedCall recorded(library.data(), name.data());
  try {
    status = body();
  } catch (const std::bad_alloc&) {
    status = failures.memory;
    message = "out of memory";  // short enough to need none
  } catch (const std::exception& error) {
    tellIfPossible([&] { message = error.what(); });
  } catch (...) {
  }
  recorded.end(static_cast<int>(status));
  if (core::traceEnabled()) [[unlikely]]
    tellIfPossible([&] {
      core::traceLine(library, core::formatCall(name, args...), std::to_string(static_cast<int>(status)),
                      message);
    });
  return status;
}

}  // namespace musashim::libs
