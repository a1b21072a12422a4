// Branches that some values of a variable take: `if (threadIdx.x == 0)`, `if (lane < 16)`, `if (lane <
// distance)`.
#pragma once

#include <cstdint>
#include <vector>

#include "llvm/ADT/SmallVector.h"
#include "llvm/IR/Dominators.h"
#include "shared_address.h"

namespace musashim::mcc {

// Where it is known that `value` is in a range, or below `bound`, which is null otherwise.
struct LaneGuard {
  const llvm::Value* value = nullptr;
  int64_t least = INT32_MIN, most = INT32_MAX;
  const llvm::Value* bound = nullptr;

  bool isOneValue() const { return least == most; }
  // The address is made of the value.
  bool isIn(const SharedAddress& address) const;
  // The address as it is for that value.
  SharedAddress apply(const SharedAddress& address) const;
};
using LaneGuards = llvm::SmallVector<LaneGuard, 2>;

// Both let the same lane through alone.
bool isOneLane(const LaneGuards& one, const LaneGuards& other);

// Two lanes, of which each is let through by guards of its own, may have values of `leaf` that are `distance`
// apart: the other's less the one's.
bool mayBeApart(const LaneGuards& one, const LaneGuards& other, const llvm::Value& leaf, int64_t distance);

// Lanes that are `distance` behind others are not let through: only those below it are, or one of a group of
// so many.
bool keepApart(const LaneGuards& guards, const llvm::Value& distance);

class GuardFinder {
 public:
  GuardFinder(const llvm::Function& function, const llvm::DominatorTree& dominators);
  LaneGuards guardsOf(const llvm::Instruction& instruction) const;
  // A branch that asks for the thread's index leads to the one instruction, and none that asks the same to
  // the other: lanes may do the other that don't do the one.
  bool isOfFewerLanes(const llvm::Instruction& one, const llvm::Instruction& other) const;

 private:
  // One of the conditions that hold, or don't, where a branch has been taken.
  struct Condition {
    const llvm::Value* value;
    bool holds;
    LaneGuard guard;  // null value: it says nothing of the kind
    bool asksForIndex;
    llvm::BasicBlockEdge taken;
  };
  void note(llvm::Value& condition, bool holds, const llvm::BasicBlockEdge& taken);
  bool hasCondition(const llvm::Instruction& instruction, const Condition& condition) const;

  const llvm::DominatorTree& dominators_;
  std::vector<Condition> conditions_;
};

}  // namespace musashim::mcc
