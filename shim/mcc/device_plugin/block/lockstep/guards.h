// Guards: conditions that decide which threads run a part of the kernel.
#pragma once

#include <optional>

#include "llvm/IR/Instructions.h"
#include "llvm/Transforms/Utils/ValueMapper.h"
#include "mcc/device_plugin/block/emit/unit_function.h"

namespace musashim::mcc {

inline constexpr unsigned kLargestCopy = 400;  // instructions: the most that are duplicated

// if (threadIdx.x < n) body  ->  a region of its own, which loops over these threads only
void isolateGuards(UnitFunction& unit);

// switch (threadIdx.x) of few cases  ->  a guard for each
void splitSwitchGuards(UnitFunction& unit);

// if (i < n) body  ->  if (all threads) body else if (i < n) body
void splitGuards(UnitFunction& unit);

// Marks a uniform branch as a cut (barrier_regions.h).
void markCut(llvm::Instruction& branch);

// The blocks between `start` and `end`. nullopt when they are too many, or contain a suspend point.
std::optional<llvm::SmallVector<llvm::BasicBlock*, 16>> blocksUpTo(llvm::BasicBlock* start,
                                                                   llvm::BasicBlock* end);

// True when `blocks` are entered from `guard` alone, and their values are used outside by nothing but the
// phis of `join`.
bool isSelfContained(llvm::ArrayRef<llvm::BasicBlock*> blocks, const llvm::BasicBlock* guard,
                     const llvm::BasicBlock* join);

// Copies that refer to each other, and otherwise to what `map` says.
llvm::SmallVector<llvm::BasicBlock*, 16> cloneBlocks(llvm::ArrayRef<llvm::BasicBlock*> blocks,
                                                     llvm::ValueToValueMapTy& map, llvm::StringRef suffix);

// What stands for `value` in copied code.
llvm::Value* copyOf(llvm::Value* value, const llvm::ValueToValueMapTy& map);

}  // namespace musashim::mcc
