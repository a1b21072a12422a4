#pragma once

#include "llvm/IR/Function.h"

namespace musashim::mcc {

// Lets others run in loops that only look, again and again, at what another thread will write:
// `while (flag == 0);` of a volatile or an atomic. Threads that share a host thread would wait for ever else.
void yieldInSpinLoops(llvm::Function& function);

// How a kernel's blocks wait for each other in such loops, once those let others run.
struct BlockWaits {
  // A loop is about what another block will write, be it that a warp's threads look together
  // (`while (__any_sync(mask, flags[i] == 0));`).
  bool looksBack = false;
  // All that wait let others run at every look, and nobody waits otherwise, as for a lock.
  bool takesTurns = false;
  // For one value of a counter of arrivals (`while (count != goal);`), which the next round changes: all have
  // to look before one goes on.
  bool isForCount = false;
};

BlockWaits blockWaitsOf(llvm::Function& kernel);

}  // namespace musashim::mcc
