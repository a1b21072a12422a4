#include "source_locations.h"

#include "llvm/ADT/SmallString.h"
#include "llvm/Support/Path.h"

namespace musashim::mcc {

std::string pathOf(const llvm::DILocation& location) {
  llvm::SmallString<256> path(location.getDirectory());
  llvm::sys::path::append(path, location.getFilename());
  return llvm::sys::path::is_absolute(location.getFilename()) ? location.getFilename().str()
                                                              : path.str().str();
}

const llvm::DILocation& callerOf(const llvm::DILocation& location, llvm::StringRef sdk) {
  const llvm::DILocation* at = &location;
  while (!sdk.empty() && at->getInlinedAt() != nullptr && llvm::StringRef(pathOf(*at)).starts_with(sdk))
    at = at->getInlinedAt();
  return *at;
}

}  // namespace musashim::mcc
