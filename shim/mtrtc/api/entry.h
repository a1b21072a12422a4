// How an entry of MTRTC runs.
#pragma once

#include <cstring>
#include <string>

#include "core/handle_arena.h"
#include "core/trace.h"
#include "program.h"

namespace musashim::mtrtc {

inline constexpr const char* kResultNames[] = {"MTRTC_SUCCESS",
                                               "MTRTC_ERROR_OUT_OF_MEMORY",
                                               "MTRTC_ERROR_PROGRAM_CREATION_FAILURE",
                                               "MTRTC_ERROR_INVALID_INPUT",
                                               "MTRTC_ERROR_INVALID_PROGRAM",
                                               "MTRTC_ERROR_INVALID_OPTION",
                                               "MTRTC_ERROR_COMPILATION",
                                               "MTRTC_ERROR_BUILTIN_OPERATION_FAILURE",
                                               "MTRTC_ERROR_NO_NAME_EXPRESSIONS_AFTER_COMPILATION",
                                               "MTRTC_ERROR_NO_LOWERED_NAMES_BEFORE_COMPILATION",
                                               "MTRTC_ERROR_NAME_EXPRESSION_NOT_VALID",
                                               "MTRTC_ERROR_INTERNAL_ERROR",
                                               "MTRTC_ERROR_TIME_FILE_WRITE_FAILED",
                                               "MTRTC_ERROR_NO_PCH_CREATE_ATTEMPTED",
                                               "MTRTC_ERROR_PCH_CREATE_HEAP_EXHAUSTED",
                                               "MTRTC_ERROR_PCH_CREATE",
                                               "MTRTC_ERROR_CANCELLED",
                                               "MTRTC_ERROR_TIME_TRACE_FILE_WRITE_FAILED"};

core::HandleArena<_mtrtcProgram>& programs();

template <class Body, class... Args>
mtrtcResult entry(const char* name, Body&& body, const Args&... args) {
  mtrtcResult result = MTRTC_ERROR_OUT_OF_MEMORY;
  core::RecordedCall recorded("mtrtc", name);
  try {
    result = body();
  } catch (...) {
  }
  recorded.end(result);
  if (core::traceEnabled()) [[unlikely]]
    core::traceLine("mtrtc", core::formatCall(name, args...), kResultNames[result], {});
  return result;
}

// Of a program that must be alive: `body` gets it.
template <class Body, class... Args>
mtrtcResult entryOf(const char* name, mtrtcProgram program, Body&& body, const Args&... args) {
  return entry(
      name,
      [&] {
        _mtrtcProgram* const found = programs().get(program);
        return found != nullptr ? body(*found) : MTRTC_ERROR_INVALID_PROGRAM;
      },
      static_cast<const void*>(program), args...);
}

}  // namespace musashim::mtrtc
