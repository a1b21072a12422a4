// The library's log. MUBLASLT_LOG_LEVEL, MUBLASLT_LOG_MASK and MUBLASLT_LOG_FILE set it as cuBLASLt's
// variables do.
#pragma once

#include <mublas.h>

#include <atomic>
#include <string>
#include <string_view>

namespace musashim::mublasLt {

// Bits of the mask. A level n stands for the first n.
inline constexpr int kLogErrors = 1, kLogApi = 16;

extern std::atomic<int> logMask;
int readLogSettings();

// Whether lines of this kind are wanted.
inline bool logs(int kind) {
  const int mask = logMask.load(std::memory_order_relaxed);
  return ((mask < 0 ? readLogSettings() : mask) & kind) != 0;
}

// A call, when it is over: a line in the log, and the callback.
void logCall(std::string_view name, const std::string& call, mublasStatus_t status);

}  // namespace musashim::mublasLt
