#include "core/sdk_folder.h"

#include <dlfcn.h>

#include <cstdlib>
#include <filesystem>

namespace musashim::core {

namespace fs = std::filesystem;

std::string findSdk(const void* symbol, const char* file) {
  std::error_code error;
  Dl_info info;
  if (dladdr(symbol, &info) != 0) {
    const fs::path own = fs::canonical(info.dli_fname, error).parent_path().parent_path();
    if (!error && fs::exists(own / file, error)) return own.string();
  }
  for (const char* variable : {"MUSA_HOME", "MUSA_PATH"}) {
    const char* value = std::getenv(variable);
    if (value != nullptr && fs::exists(fs::path(value) / file, error)) return value;
  }
  return {};
}

}  // namespace musashim::core
