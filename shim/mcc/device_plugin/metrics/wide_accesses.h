// Neighbouring accesses of a thread that a GPU makes one: the members of a float4 or int2.
#pragma once

#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/IR/BasicBlock.h"

namespace musashim::mcc {

// Loads, or stores, of 8 or 16 bytes in sum that follow each other in memory, with nothing in between that
// may write, of which the first is aligned to the sum.
class WideAccesses {
 public:
  explicit WideAccesses(llvm::BasicBlock& block);

  // The access is done by an earlier one.
  bool isPartOfAnother(const llvm::Instruction& instruction) const { return parts_.contains(&instruction); }
  // What the access moves with all its parts; 0: it has none.
  uint64_t bytes(const llvm::Instruction& instruction) const { return wholes_.lookup(&instruction); }

 private:
  llvm::DenseSet<const llvm::Instruction*> parts_;
  llvm::DenseMap<const llvm::Instruction*, uint64_t> wholes_;
};

}  // namespace musashim::mcc
