// Prepares a kernel so that loops over threads become the inner, vectorised ones:
//
//   if (i < n) body      ->  if (all threads) body else if (i < n) body
//   while (i < n) body   ->  while (all threads) body; while (i < n) body
//   if (threadIdx.x < n) body  ->  a region of its own, which loops over these threads only
//   loops of which all threads run the same rounds, or nearly all: taken out of the
//   loops over threads, like loops with barriers
#pragma once

#include "llvm/IR/PassManager.h"
#include "mcc/device_plugin/block/emit/unit_function.h"

namespace musashim::mcc {

// A branch with this metadata is the same for all threads and to be taken once for all.
inline constexpr llvm::StringRef kCutMetadata = "musa.cut";

// The block that begins with such an instruction is to begin a region.
inline constexpr llvm::StringRef kHeadMetadata = "musa.head";

void prepareLockstep(UnitFunction& unit);

}  // namespace musashim::mcc
