#include "core/trace.h"

#include <fmt/core.h>

#include <cstdio>
#include <cstdlib>
#include <cstring>

// A library that is used without libmusa records nothing.
#pragma weak muGetExportTable

namespace musashim::core {

constinit std::atomic<Tracing> tracing{Tracing::kUnknown};

Tracing readTracing() {
  const char* value = std::getenv("MUSASHIM_TRACE");
  const bool on = value && *value && std::strcmp(value, "0") != 0;
  tracing.store(on ? Tracing::kOn : Tracing::kOff, std::memory_order_relaxed);
  return tracing.load(std::memory_order_relaxed);
}

constinit std::atomic<const MUshimTraceTable*> recording{nullptr};

const MUshimTraceTable* findRecording() {
  static constexpr MUshimTraceTable kNothing = {sizeof(MUshimTraceTable), nullptr, nullptr, nullptr, 0};
  constexpr MUuuid kId = MUSASHIM_TRACE_TABLE;
  const void* found = nullptr;
  // Asking is a call as well, which is not to ask again.
  recording.store(&kNothing, std::memory_order_relaxed);
  if (muGetExportTable != nullptr && muGetExportTable(&found, &kId) == MUSA_SUCCESS)
    recording.store(static_cast<const MUshimTraceTable*>(found), std::memory_order_release);
  return recording.load(std::memory_order_relaxed);
}

void traceLine(std::string_view library, std::string_view call, std::string_view result,
               std::string_view message) {
  std::string line = fmt::format("[{}] {} -> {}", library, call, result);
  if (!message.empty()) line += fmt::format(" ({})", message);
  line += '\n';
  std::fwrite(line.data(), 1, line.size(), stderr);
}

std::string formatArguments(std::string_view name, std::span<const FormattedArgument> arguments) {
  std::string text(name);
  text += '(';
  for (const FormattedArgument& argument : arguments) {
    if (&argument != arguments.data()) text += ", ";
    text += argument.format(argument.value);
  }
  text += ')';
  return text;
}

std::string formatPointer(const void* value) { return fmt::format("{}", value); }

}  // namespace musashim::core
