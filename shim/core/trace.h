// MUSASHIM_TRACE=1: one line on stderr per API call, with arguments and result.
#pragma once

#include <algorithm>
#include <atomic>
#include <iterator>
#include <span>
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

// ---- Calls are recorded (MUSASHIM_TRACE_FILE) or listened to (libmupti), by libmusa for all libraries ----

// Null until it was asked for; `enter` is null while nothing is recorded.
extern std::atomic<const MUshimTraceTable*> recording;
const MUshimTraceTable* findRecording();

// A call of the API, from here on, with the arguments in the order of its parameters. Where nothing is
// recorded, two words are looked at.
template <class... Args>
class RecordedCall {
 public:
  RecordedCall(const char* library, const char* name, const Args&... args) {
    const MUshimTraceTable* known = recording.load(std::memory_order_relaxed);
    if (known == nullptr) [[unlikely]]
      known = findRecording();
    if (__atomic_load_n(&known->enter, __ATOMIC_RELAXED) != nullptr) [[unlikely]]
      begin(*known, library, name, args...);
  }
  RecordedCall(const RecordedCall&) = delete;
  RecordedCall& operator=(const RecordedCall&) = delete;

  // What a collective moves.
  void moves(unsigned long long bytes, unsigned ranks, unsigned member, bool inGroup) {
    if (table_ == nullptr) [[likely]]
      return;
    call_.bytes = bytes;
    call_.ranks = ranks;
    call_.member = member;
    call_.inGroup = inGroup;
  }

  void end(int result) {
    if (table_ != nullptr) [[unlikely]]
      table_->end(&call_, result);
  }

 private:
  [[gnu::cold, gnu::noinline]] void begin(const MUshimTraceTable& table, const char* library,
                                          const char* name, const Args&... args) {
    // Whoever records may end meanwhile.
    const auto enter = __atomic_load_n(&table.enter, __ATOMIC_ACQUIRE);
    if (enter == nullptr) return;
    const unsigned number = enter();
    if (number == 0) return;
    table_ = &table;
    call_ = {};
    call_.correlation = number;
    call_.library = library;
    call_.name = name;
    if constexpr (sizeof...(args) > 0) {
      if (__atomic_load_n(&table.wantsArguments, __ATOMIC_RELAXED) != 0) {
        static constexpr unsigned short kBytes[] = {sizeof(Args)...};
        const void* const places[] = {reinterpret_cast<const void*>(&args)...};
        std::copy(std::begin(places), std::end(places), arguments_);
        call_.argumentCount = sizeof...(args);
        call_.arguments = arguments_;
        call_.argumentBytes = kBytes;
      }
    }
    table.begin(&call_);
  }

  const MUshimTraceTable* table_ = nullptr;
  MUshimCall call_;  // set when there is a table
  const void* arguments_[sizeof...(Args) == 0 ? 1 : sizeof...(Args)];
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

// An argument of a call whose type is known to `format` alone, so that calls of all types share their code.
struct FormattedArgument {
  const void* value;
  std::string (*format)(const void* value);
};

template <class T>
std::string formatArgumentAt(const void* value) {
  return formatArgument(*static_cast<const T*>(value));
}

std::string formatArguments(std::string_view name, std::span<const FormattedArgument> arguments);

// "name(argument, argument)".
template <class... Args>
[[gnu::cold]] std::string formatCall(std::string_view name, const Args&... args) {
  if constexpr (sizeof...(args) == 0) {
    return formatArguments(name, {});
  } else {
    const FormattedArgument arguments[] = {{reinterpret_cast<const void*>(&args), formatArgumentAt<Args>}...};
    return formatArguments(name, arguments);
  }
}

}  // namespace musashim::core
