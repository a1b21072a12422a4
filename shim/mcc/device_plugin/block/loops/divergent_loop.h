// A loop with a divergent trip count, inside the loop over threads:
//
//   for (each thread) { before; do { body } while (mine); after }
#pragma once

#include "llvm/ADT/SmallVector.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/ScalarEvolution.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/Instructions.h"

namespace musashim::mcc {

//   for (each thread) { before; do { body } while (mine); after }
struct DivergentLoop {
  // An edge from before the body into it, or past it.
  struct Edge {
    llvm::BasicBlock *from, *to;
  };

  llvm::Loop& threads;
  llvm::Loop& body;
  llvm::PHINode* index = nullptr;                  // of the loop over threads
  const llvm::SCEV* backedgeTakenCount = nullptr;  // of the loop over threads
  llvm::BasicBlock* preheader = nullptr;           // of the body
  llvm::BasicBlock* exit = nullptr;                // of the body
  unsigned widestBits = 0;                         // of the body's values
  unsigned vectorBits = 0;                         // of the processor
  llvm::SmallVector<llvm::BasicBlock*, 8> before = {}, after = {};
  llvm::SmallVector<Edge, 2> edges = {};  // the first leads into the body

  // Threads of a strip: a vector of floats, two of doubles.
  unsigned stripThreads() const { return vectorBits / 32; }
};

// Strip mining: runs the threads in strips of stripThreads(), if not too many values pass between its parts.
// The function's analyses do not hold afterwards.
void stripMine(const DivergentLoop& loop, llvm::DominatorTree& dominators, llvm::ScalarEvolution& evolution);

}  // namespace musashim::mcc
