// Where a thread leaves what it does, so that it need not call the runtime: an array for each step and
// access, with an element per thread. The runtime reads what a warp's lanes have left at once.
#pragma once

#include <vector>

#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/IRBuilder.h"
#include "visit_numbers.h"

namespace musashim::mcc {

// The steps and accesses of a loop's own blocks, or of those outside of loops.
struct SlotGroup {
  const llvm::Loop* loop = nullptr;
  bool usable = false;    // else each visit is a call
  bool together = false;  // all threads of the block go round together, so that slots are read on the way
  unsigned rounds = 1;    // for which an access has slots
  llvm::Instruction* turns = nullptr;   // at a round's end
  llvm::Instruction* before = nullptr;  // of an inner loop: its slots are read there, as it may run again
};

class ThreadSlots {
 public:
  ThreadSlots(llvm::Function& kernel, const llvm::LoopInfo& loops, const VisitNumbers& visits);

  const std::vector<SlotGroup>& groups() const { return groups_; }
  unsigned groupOf(const llvm::BasicBlock& block) const;

  // A thread that comes to the block at all does so in each round up to its last: a number tells how often.
  bool isInEachRound(const llvm::BasicBlock& block) const { return inEachRound_.contains(&block); }

  // Of the block's thread; 64 bits.
  llvm::Value* thread() const { return thread_; }

  // Has the thread leave the number of rounds in which it has come to the block, in `slot`.
  void storeRounds(llvm::IRBuilder<>& builder, const llvm::BasicBlock& block, unsigned slot) const;
  // Has it leave a value in that of the slots from `first` on that the round has. Returns where rounds go
  // that have none; null when all have.
  llvm::Instruction* storeInRound(llvm::Instruction& before, const llvm::BasicBlock& block,
                                  llvm::Value* value, unsigned first) const;

  // Has the runtime read slots that are needed again, once all else is in place.
  void readOnTheWay(const llvm::DenseSet<unsigned>& groupsWithRings);

 private:
  void findTogether(llvm::Function& kernel);
  void findInEachRound(const llvm::BasicBlock& block);
  void plan(const llvm::Loop& loop);
  llvm::Instruction* meetingBefore(const llvm::Loop& loop) const;
  bool isTogether(const llvm::BasicBlock* block) const {
    return block != nullptr && together_.contains(block);
  }
  llvm::Value* address(llvm::IRBuilder<>& builder, llvm::Value* slot) const;
  void read(llvm::Instruction& before, llvm::StringRef function, unsigned group) const;

  llvm::Function& kernel_;
  const llvm::LoopInfo& loops_;
  const VisitNumbers& visits_;
  llvm::DominatorTree dominators_;
  llvm::DenseSet<const llvm::BasicBlock*> inEachRound_;
  llvm::DenseSet<const llvm::BasicBlock*> together_;  // all threads of the block run them, together
  std::vector<SlotGroup> groups_;                     // the first is of what is outside of loops
  llvm::DenseMap<const llvm::Loop*, unsigned> numbers_;
  llvm::Value* thread_ = nullptr;
  llvm::Value* slots_ = nullptr;   // of the block that the host thread counts
  llvm::Value* stride_ = nullptr;  // bytes from slot to slot
  llvm::Value* own_ = nullptr;     // bytes to the thread's element
};

}  // namespace musashim::mcc
