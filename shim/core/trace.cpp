#include "core/trace.h"

#include <fmt/core.h>

#include <cstdio>
#include <cstdlib>
#include <cstring>

namespace musashim::core {

bool traceEnabled() {
  static const bool enabled = [] {
    const char* value = std::getenv("MUSASHIM_TRACE");
    return value && *value && std::strcmp(value, "0") != 0;
  }();
  return enabled;
}

void traceLine(std::string_view library, std::string_view call, std::string_view result,
               std::string_view message) {
  std::string line = fmt::format("[{}] {} -> {}", library, call, result);
  if (!message.empty()) line += fmt::format(" ({})", message);
  line += '\n';
  std::fwrite(line.data(), 1, line.size(), stderr);
}

std::string formatPointer(const void* value) { return fmt::format("{}", value); }

}  // namespace musashim::core
