// A loop that the threads of a block leave at different times, inside the loop over them.
#pragma once

#include "llvm/ADT/SmallVector.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/ScalarEvolution.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/Instructions.h"

namespace musashim::mcc {

//   for (each thread) { before; do { body } while (mine); after }
struct DivergentLoop {
  // From before the body into it, or past it.
  struct Way {
    llvm::BasicBlock *from, *to;
  };

  llvm::Loop& threads;
  llvm::Loop& body;
  llvm::PHINode* index = nullptr;         // of the loop over threads
  const llvm::SCEV* rounds = nullptr;     // of the loop over threads, less one
  llvm::BasicBlock* preheader = nullptr;  // of the body
  llvm::BasicBlock* exit = nullptr;       // of the body
  unsigned widestBits = 0;                // of the body's values
  unsigned vectorBits = 0;                // of the processor
  llvm::SmallVector<llvm::BasicBlock*, 8> before = {}, after = {};
  llvm::SmallVector<Way, 2> ways = {};  // the first leads into the body

  unsigned stripThreads() const {
    return vectorBits / 32;
  }  // that go together: a vector of floats, two of doubles
};

// Runs the threads in strips of stripThreads(), if what passes from part to part is not too much. The
// function's analyses do not hold afterwards.
void stripMine(const DivergentLoop& loop, llvm::DominatorTree& dominators, llvm::ScalarEvolution& evolution);

}  // namespace musashim::mcc
