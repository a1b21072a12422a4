// MCCL_DEBUG output in NCCL's form, and the text of mcclGetLastError.
#pragma once

#include <fmt/core.h>

#include <string>

#include "mccl.h"
#include "mccl/core/settings.h"

namespace musashim::mccl {

// "host:pid:tid [device] MCCL WARN text"; the line is written at once.
void writeLog(DebugLevel level, const std::string& text);

// The number shown in brackets; -1 where no device is meant. Set once, before any thread logs.
void setLogDevice(int (*currentDevice)());

std::string lastError();
void setLastError(std::string text);

template <class... Args>
void logInfo(Subsystem subsystem, fmt::format_string<Args...> format, Args&&... args) {
  if (settings().debug >= DebugLevel::kInfo && (settings().subsystems & subsystem)) {
    writeLog(DebugLevel::kInfo, fmt::format(format, std::forward<Args>(args)...));
  }
}

// Reports why a call fails and gives its result: return fail(mcclInvalidArgument, "...", values).
template <class... Args>
[[nodiscard]] mcclResult_t fail(mcclResult_t result, fmt::format_string<Args...> format, Args&&... args) {
  std::string text = fmt::format(format, std::forward<Args>(args)...);
  if (settings().debug >= DebugLevel::kWarn) writeLog(DebugLevel::kWarn, text);
  setLastError(std::move(text));
  return result;
}

}  // namespace musashim::mccl

#define MCCL_RETURN_IF_ERROR(expression)                               \
  do {                                                                 \
    if (mcclResult_t result_ = (expression); result_ != mcclSuccess) { \
      return result_;                                                  \
    }                                                                  \
  } while (false)
