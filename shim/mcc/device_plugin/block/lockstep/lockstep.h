// Prepares a kernel so that loops over threads become the innermost loops, which are vectorised (loop
// interchange and versioning):
//
//   if (i < n) body      ->  if (all threads) body else if (i < n) body
//   while (i < n) body   ->  while (all threads) body; while (i < n) body
//   if (threadIdx.x < n) body  ->  a region of its own, which loops over these threads only
//   loops whose iterations all threads run, or nearly all: taken out of the loops over
//   threads, as loops with barriers are
//
// Threads are in *lockstep* in such a loop: all run an iteration before any runs the next.
#pragma once

#include "llvm/IR/PassManager.h"
#include "mcc/device_plugin/block/emit/unit_function.h"

namespace musashim::mcc {

// On branches that are cuts (barrier_regions.h).
inline constexpr llvm::StringRef kCutMetadata = "musa.cut";

// On the first instruction of a block that is to be a region's head.
inline constexpr llvm::StringRef kHeadMetadata = "musa.head";

void prepareLockstep(UnitFunction& unit, llvm::FunctionAnalysisManager& analyses);

}  // namespace musashim::mcc
