#include "musa/module/jit_logs.h"

#include <algorithm>
#include <cstdint>
#include <cstring>

namespace musashim::musa {

JitLogs::JitLogs(const MUjit_option* options, void** values, unsigned count) {
  if (options == nullptr || values == nullptr) return;
  for (unsigned i = 0; i < count; ++i) {
    const auto number = reinterpret_cast<uintptr_t>(values[i]);
    switch (options[i]) {
      case MU_JIT_ERROR_LOG_BUFFER:
        errors_.buffer = static_cast<char*>(values[i]);
        break;
      case MU_JIT_ERROR_LOG_BUFFER_SIZE_BYTES:
        errors_.size = number;
        errors_.sizeOption = &values[i];
        break;
      case MU_JIT_INFO_LOG_BUFFER:
        information_.buffer = static_cast<char*>(values[i]);
        break;
      case MU_JIT_INFO_LOG_BUFFER_SIZE_BYTES:
        information_.size = number;
        information_.sizeOption = &values[i];
        break;
      case MU_JIT_WALL_TIME:
        wallTime_ = &values[i];
        break;
      default:
        break;
    }
  }
  for (Log* log : {&errors_, &information_}) log->write("");
}

void JitLogs::Log::write(const std::string& line) {
  if (buffer == nullptr || size == 0) return;
  const size_t length = std::min(line.size(), size - 1 - used);
  std::memcpy(buffer + used, line.data(), length);
  used += length;
  buffer[used] = '\0';
  if (sizeOption != nullptr) *sizeOption = reinterpret_cast<void*>(used);
}

Result JitLogs::told(Result result) {
  if (!result.isOk()) errors_.write("error: " + result.message() + "\n");
  return result;
}

void JitLogs::setWallTime(float milliseconds) {
  if (wallTime_ != nullptr) std::memcpy(wallTime_, &milliseconds, sizeof milliseconds);
}

}  // namespace musashim::musa
