// MUSASHIM_TRACE=1: one line on stderr per API call, with arguments and result.
#pragma once

#include <atomic>
#include <string>
#include <string_view>
#include <type_traits>

#include "musashim_tables.h"

namespace musashim::core {

enum class Tracing { kUnknown, kOff, kOn };
extern std::atomic<Tracing> tracing;
Tracing readTracing();

// Read once from the environment, by the first call.
inline bool traceEnabled() {
  const Tracing known = tracing.load(std::memory_order_relaxed);
  if (known == Tracing::kOff) [[likely]]
    return false;
  return (known == Tracing::kUnknown ? readTracing() : known) == Tracing::kOn;
}

// ---- MUSASHIM_TRACE_FILE: calls are recorded, by libmusa for all libraries ----

// Null until it was asked for; `begin` is null when nothing is recorded.
extern std::atomic<const MUshimTraceTable*> recording;
const MUshimTraceTable* findRecording();

// A call of the API, from here on. Costs nothing where nothing is recorded.
class RecordedCall {
 public:
  RecordedCall() {
    const MUshimTraceTable* known = recording.load(std::memory_order_relaxed);
    if (known == nullptr) [[unlikely]]
      known = findRecording();
    if (known->begin == nullptr) [[likely]]
      return;
    table_ = known;
    begun_ = known->begin();
  }
  RecordedCall(const RecordedCall&) = delete;
  RecordedCall& operator=(const RecordedCall&) = delete;

  void end(const char* library, const char* name, int result) const {
    if (table_ != nullptr) [[unlikely]]
      table_->end(library, name, begun_, result);
  }

 private:
  const MUshimTraceTable* table_ = nullptr;
  unsigned long long begun_ = 0;
};

// Writes "[library] call -> result (message)", whole lines even from many threads.
void traceLine(std::string_view library, std::string_view call, std::string_view result,
               std::string_view message);

std::string formatPointer(const void* value);

template <class T>
std::string formatArgument(const T& value) {
  if constexpr (std::is_same_v<T, const char*> || std::is_same_v<T, char*>) {
    return value ? "\"" + std::string(value) + "\"" : "null";
  } else if constexpr (std::is_function_v<std::remove_pointer_t<T>> && std::is_pointer_v<T>) {
    return formatPointer(reinterpret_cast<const void*>(value));
  } else if constexpr (std::is_pointer_v<T>) {
    return formatPointer(static_cast<const void*>(value));
  } else if constexpr (std::is_enum_v<T>) {
    return std::to_string(static_cast<long long>(value));
  } else if constexpr (requires { std::to_string(value); }) {
    return std::to_string(value);
  } else if constexpr (requires { value.x + value.y + value.z; }) {
    return "{" + std::to_string(value.x) + "," + std::to_string(value.y) + "," + std::to_string(value.z) +
           "}";
  } else {
    return "{...}";
  }
}

template <class... Args>
std::string formatCall(std::string_view name, const Args&... args) {
  std::string text(name);
  text += '(';
  bool first = true;
  ((text += first ? "" : ", ", first = false, text += formatArgument(args)), ...);
  text += ')';
  return text;
}

}  // namespace musashim::core
