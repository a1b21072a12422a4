// The accesses of a block's static shared memory: those of constant offset ("known"), and others.
#pragma once

#include <vector>

#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/Instructions.h"

namespace musashim::mcc {

// A load or store of constant offset, perhaps masked.
struct VariableAccess {
  llvm::Instruction* instruction;
  uint64_t offset;  // bytes from the start of the memory
  bool isStore() const { return stored() != nullptr; }
  llvm::Type* type() const { return isStore() ? stored()->getType() : instruction->getType(); }
  llvm::Value* stored() const;
  llvm::Value* mask() const;      // null: all lanes
  llvm::Value* passthru() const;  // of a masked load: the value of lanes that are masked off; else null
};

class SharedAccesses {
 public:
  // `start`: where the memory begins.
  explicit SharedAccesses(llvm::Instruction& start)
      : start_(start), layout_(start.getModule()->getDataLayout()) {}

  // False if an address of the memory escapes.
  bool find() { return find(start_); }

  // Splits basic blocks so that none has accesses of both kinds, nor accesses and the start.
  void splitByKind(llvm::DominatorTree& dominators);

  const std::vector<VariableAccess>& known() const { return known_; }

  // After splitByKind().
  bool hasUnknown(const llvm::BasicBlock& block) const { return withUnknown_.contains(&block); }
  // Accesses are in the block, or reachable from it.
  bool accessedFrom(llvm::BasicBlock& block) const;

 private:
  bool find(llvm::Instruction& pointer);
  void add(llvm::Instruction& instruction, const llvm::Value& pointer);
  bool isPlain(const VariableAccess& access) const;

  llvm::Instruction& start_;
  const llvm::DataLayout& layout_;
  std::vector<VariableAccess> known_;
  std::vector<llvm::Instruction*> unknown_;
  llvm::SmallPtrSet<const llvm::BasicBlock*, 8> accessing_, withUnknown_;
};

}  // namespace musashim::mcc
