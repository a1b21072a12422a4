// How mcc says what went wrong. Each returns what its caller passes on.
#pragma once

#include "llvm/ADT/Twine.h"
#include "llvm/Support/raw_ostream.h"

namespace musashim::mcc {

inline void reportError(const llvm::Twine& message) { llvm::errs() << "mcc: error: " << message << '\n'; }

inline void reportWarning(const llvm::Twine& message) { llvm::errs() << "mcc: warning: " << message << '\n'; }

inline bool fail(const llvm::Twine& message) {
  reportError(message);
  return false;
}

// The exit status.
inline int failStatus(const llvm::Twine& message) {
  reportError(message);
  return 1;
}

}  // namespace musashim::mcc
