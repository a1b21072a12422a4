// Branches that one value of a variable takes: `if (threadIdx.x == 0)`.
#pragma once

#include <cstdint>
#include <vector>

#include "llvm/ADT/SmallVector.h"
#include "llvm/IR/Dominators.h"
#include "shared_address.h"

namespace musashim::mcc {

// Where it is known that `value` is `is`.
struct LaneGuard {
  const llvm::Value* value = nullptr;
  int64_t is = 0;

  // The address as it is there.
  SharedAddress apply(const SharedAddress& address) const;
};
using LaneGuards = llvm::SmallVector<LaneGuard, 2>;

class GuardFinder {
 public:
  GuardFinder(const llvm::Function& function, const llvm::DominatorTree& dominators);
  LaneGuards guardsOf(const llvm::Instruction& instruction) const;

 private:
  struct Branch {
    LaneGuard guard;
    llvm::BasicBlockEdge taken;
  };
  const llvm::DominatorTree& dominators_;
  std::vector<Branch> branches_;
};

}  // namespace musashim::mcc
