// The accesses of a block's static shared memory: those of places that are known, and others.
#pragma once

#include <vector>

#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/Instructions.h"

namespace musashim::mcc {

// A load or store of a place that is known, some lanes of it perhaps left out by a mask.
struct SharedAccess {
  llvm::Instruction* instruction;
  uint64_t offset;  // bytes from the start of the memory
  bool isStore() const { return stored() != nullptr; }
  llvm::Type* type() const { return isStore() ? stored()->getType() : instruction->getType(); }
  llvm::Value* stored() const;
  llvm::Value* mask() const;    // null: all lanes
  llvm::Value* others() const;  // what a load gives lanes that are left out; null: nothing, as all are there
};

class SharedAccesses {
 public:
  // `start`: where the memory begins.
  explicit SharedAccesses(llvm::Instruction& start)
      : start_(start), layout_(start.getModule()->getDataLayout()) {}

  // False if the memory is used in another way.
  bool find() { return find(start_); }

  // Has no block with accesses of both kinds, nor one with where the memory begins.
  void separate(llvm::DominatorTree& dominators);

  const std::vector<SharedAccess>& known() const { return known_; }

  // Once they are separate.
  bool hasUnknown(const llvm::BasicBlock& block) const { return withUnknown_.contains(&block); }
  // Some are in the block, or in others that can come next.
  bool comeFrom(llvm::BasicBlock& block) const;

 private:
  bool find(llvm::Instruction& pointer);
  void add(llvm::Instruction& instruction, const llvm::Value& pointer);
  bool isPlain(const SharedAccess& access) const;

  llvm::Instruction& start_;
  const llvm::DataLayout& layout_;
  std::vector<SharedAccess> known_;
  std::vector<llvm::Instruction*> unknown_;
  llvm::SmallPtrSet<const llvm::BasicBlock*, 8> accessing_, withUnknown_;
};

}  // namespace musashim::mcc
