// Where the SDK is that a library belongs to.
#pragma once

#include <string>

namespace musashim::core {

// The SDK that has `file` (a path within it) and the library that `symbol` is in, or else is named by
// MUSA_HOME or MUSA_PATH. Empty when there is none.
std::string findSdk(const void* symbol, const char* file);

}  // namespace musashim::core
