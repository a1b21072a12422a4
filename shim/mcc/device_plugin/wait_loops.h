#pragma once

#include "llvm/IR/Function.h"

namespace musashim::mcc {

// Lets others run in loops that only look, again and again, at what another thread will write:
// `while (flag == 0);` of a volatile or an atomic. Threads that share a host thread would wait for ever else.
void yieldInWaitLoops(llvm::Function& function);

// Such a loop is about what another block will write, be it that a warp's threads look together
// (`while (__any_sync(mask, flags[i] == 0));`).
bool waitsForBlocks(llvm::Function& function);

}  // namespace musashim::mcc
