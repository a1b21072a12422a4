// Spin loops: loops that poll what another thread or block will write. Threads that share a host thread must
// yield in them.
#pragma once

#include "llvm/Analysis/LoopInfo.h"
#include "llvm/IR/Function.h"

namespace musashim::mcc {

// Yields in loops that only poll: `while (flag == 0);` of a volatile or an atomic, and in those that wait by
// atomic updates. Threads that share a host thread would wait for ever otherwise. Also in loops that only
// wait for a time: threads would wait for it one after the other.
void yieldInSpinLoops(llvm::Function& function);

// Lets other threads run, as waits do.
bool blockYields(const llvm::BasicBlock* block);

// Lanes that poll in it may wait for what other lanes of their warp will write, so these wait for them for a
// while only. Of locks and the like that is not to be feared: who holds one goes on.
bool waitsForLanes(llvm::Function& function);

// The loop yields, and does nothing but poll what others will write. Lanes that go through it once more have
// done nothing that the others could miss.
bool onlyWaits(const llvm::Loop& loop);

// Threads try in it again and again for what another has, a lock say, and do in it what they want it for.
bool triesAgain(const llvm::Loop& loop);

// How a kernel's blocks wait for each other by spin loops, once these yield.
struct BlockWaits {
  // Blocks spin on what other blocks write, as in decoupled look-back; also where a warp polls together
  // (`while (__any_sync(mask, flags[i] == 0));`).
  bool looksBack = false;
  // All spin loops yield in each iteration, and nobody waits in another way, as for a lock.
  bool takesTurns = false;
  // They wait for one value of an arrival counter (`while (count != goal);`), which the next round of the
  // barrier changes: all have to see it before one goes on.
  bool waitsForCount = false;
};

BlockWaits blockWaitsOf(llvm::Function& kernel);

}  // namespace musashim::mcc
