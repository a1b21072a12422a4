// Numbers that tell a thread's visits of a block apart: two threads come by together when theirs are the
// same.
#pragma once

#include "llvm/ADT/DenseMap.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/IR/Function.h"

namespace musashim::mcc {

// Of the instructions that compute them: no work of the kernel's.
inline constexpr llvm::StringRef kVisitMetadata = "musa.visit";

// Marks an instruction that counting has added.
llvm::Value* markVisit(llvm::Value* value);

// For each block an i64 that is made of the rounds of the loops around it. Blocks outside of loops have 0.
class VisitNumbers {
 public:
  VisitNumbers(llvm::Function& function, const llvm::LoopInfo& loops);

  llvm::Value* of(const llvm::BasicBlock& block) const;
  // The thread's round in the loop, from 0 on.
  llvm::Value* roundOf(const llvm::Loop& loop) const { return rounds_.lookup(&loop); }

 private:
  void number(const llvm::Loop& loop, llvm::Value* outer);

  const llvm::LoopInfo& loops_;
  llvm::Value* zero_;
  llvm::DenseMap<const llvm::Loop*, llvm::Value*> numbers_, rounds_;
};

}  // namespace musashim::mcc
