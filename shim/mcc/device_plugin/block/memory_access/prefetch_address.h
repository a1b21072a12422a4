// The address to prefetch: a value in a loop over a row of threads, as a future block will compute it.
#pragma once

#include "llvm/ADT/DenseMap.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/IR/IRBuilder.h"

namespace musashim::mcc {

// Computes values as the first thread of the row has them in the block `blocksAhead` behind this one.
// Induction variables of loops around the row's have their present value. Inside of `first`, one of these
// loops, they have their start value. The builder stands before `first`.
class PrefetchAddress {
 public:
  PrefetchAddress(const llvm::Loop& row, const llvm::Loop& first, uint32_t blocksAhead,
                  llvm::IRBuilder<>& builder)
      : row_(row), first_(first), blocksAhead_(blocksAhead), builder_(builder) {}

  llvm::Value* of(llvm::Value* value);

 private:
  llvm::Value* compute(llvm::Instruction& instruction);
  llvm::Value* copyWith(const llvm::Instruction& instruction, llvm::ArrayRef<llvm::Value*> operands);

  const llvm::Loop &row_, &first_;
  const uint32_t blocksAhead_;
  llvm::IRBuilder<>& builder_;
  llvm::DenseMap<const llvm::Instruction*, llvm::Value*> known_;
};

}  // namespace musashim::mcc
