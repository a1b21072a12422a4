// What is calculated in a loop over a row of threads, as a block to come will calculate it.
#pragma once

#include "llvm/ADT/DenseMap.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/IR/IRBuilder.h"

namespace musashim::mcc {

// Values as the first thread of the row has them in the block to come, `blocksAhead` behind this one: in the
// same round of loops around the row's, or at the start of one of them, `first`, before which the builder
// stands.
class PrefetchAddress {
 public:
  PrefetchAddress(const llvm::Loop& row, const llvm::Loop& first, uint32_t blocksAhead,
                  llvm::IRBuilder<>& builder)
      : row_(row), first_(first), blocksAhead_(blocksAhead), builder_(builder) {}

  llvm::Value* of(llvm::Value* value);

 private:
  llvm::Value* made(llvm::Instruction& instruction);
  llvm::Value* copyWith(const llvm::Instruction& instruction, llvm::ArrayRef<llvm::Value*> operands);

  const llvm::Loop &row_, &first_;
  const uint32_t blocksAhead_;
  llvm::IRBuilder<>& builder_;
  llvm::DenseMap<const llvm::Instruction*, llvm::Value*> known_;
};

}  // namespace musashim::mcc
