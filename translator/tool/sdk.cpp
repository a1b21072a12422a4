#include "translator/tool/sdk.h"

#include <cstdlib>
#include <vector>

namespace musashim::translator {

namespace fs = std::filesystem;

fs::path ownFolder() { return fs::read_symlink("/proc/self/exe").parent_path(); }

fs::path findSdk(const fs::path& wanted) {
  std::vector<fs::path> candidates;
  if (!wanted.empty()) {
    candidates.push_back(wanted);
  } else {
    candidates.push_back(ownFolder().parent_path());
    for (const char* variable : {"MUSA_HOME", "MUSA_PATH"}) {
      if (const char* value = std::getenv(variable)) candidates.emplace_back(value);
    }
  }
  for (const fs::path& candidate : candidates) {
    if (fs::exists(candidate / "include/musa_runtime.h")) return fs::absolute(candidate).lexically_normal();
  }
  return {};
}

}  // namespace musashim::translator
