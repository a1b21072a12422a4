#include "core/trace.h"

#include <fmt/core.h>

#include <cstdio>
#include <cstdlib>
#include <cstring>

namespace musashim::core {

constinit std::atomic<Tracing> tracing{Tracing::kUnknown};

Tracing readTracing() {
  const char* value = std::getenv("MUSASHIM_TRACE");
  const bool on = value && *value && std::strcmp(value, "0") != 0;
  tracing.store(on ? Tracing::kOn : Tracing::kOff, std::memory_order_relaxed);
  return tracing.load(std::memory_order_relaxed);
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
