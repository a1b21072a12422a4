// Clang emits functions and variables in the order in which it comes to need them, which is another where
// headers are precompiled. For what tells that a module is the same, they are put in the order of their
// names.
#pragma once

#include <utility>
#include <vector>

#include "llvm/IR/Module.h"

namespace musashim::mcc {

// Of a module, until the end of its scope.
class CanonicalOrder {
 public:
  explicit CanonicalOrder(llvm::Module& module);
  ~CanonicalOrder();
  CanonicalOrder(const CanonicalOrder&) = delete;
  CanonicalOrder& operator=(const CanonicalOrder&) = delete;

 private:
  llvm::Module& module_;
  std::vector<llvm::Function*> functions_;                                // as they were
  std::vector<llvm::GlobalVariable*> variables_;                          // as they were
  std::vector<std::pair<llvm::GlobalVariable*, llvm::Constant*>> lists_;  // with what they had
};

}  // namespace musashim::mcc
