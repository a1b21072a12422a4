// Numbers that tell a thread's visits of a block apart: two threads come by together when theirs are the
// same.
#pragma once

#include "llvm/ADT/DenseMap.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/IR/Function.h"

namespace musashim::mcc {

// Of the instructions that compute them: no work of the kernel's.
inline constexpr llvm::StringRef kVisitMetadata = "musa.visit";

// For each block an i64 that is made of the rounds of the loops around it. Blocks outside of loops have 0.
class VisitNumbers {
 public:
  VisitNumbers(llvm::Function& function, const llvm::LoopInfo& loops);

  llvm::Value* of(const llvm::BasicBlock& block) const;

 private:
  void number(const llvm::Loop& loop, llvm::Value* outer);

  const llvm::LoopInfo& loops_;
  llvm::Value* zero_;
  llvm::DenseMap<const llvm::Loop*, llvm::Value*> numbers_;
};

}  // namespace musashim::mcc
