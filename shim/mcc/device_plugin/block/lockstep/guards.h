// Conditions that decide which threads run a part of the kernel.
#pragma once

#include <optional>

#include "llvm/IR/Instructions.h"
#include "llvm/Transforms/Utils/ValueMapper.h"
#include "mcc/device_plugin/block/emit/unit_function.h"

namespace musashim::mcc {

inline constexpr unsigned kLargestCopy = 400;  // instructions that are worth having twice

// if (threadIdx.x < n) body  ->  a region of its own, which loops over these threads only
void isolateGuards(UnitFunction& unit);

// switch (threadIdx.x) of few cases  ->  a guard for each
void separateCases(UnitFunction& unit);

// if (i < n) body  ->  if (all threads) body else if (i < n) body
void splitGuards(UnitFunction& unit);

// Has the branch, the same for all threads, taken once for all.
void markCut(llvm::Instruction& branch);

// Blocks from `start` on, up to `end`; nullopt when they are too many or threads wait in them.
std::optional<llvm::SmallVector<llvm::BasicBlock*, 16>> blocksUpTo(llvm::BasicBlock* start,
                                                                   llvm::BasicBlock* end);

// True when `blocks` are entered from `guard` only, and give values to nothing but the phis of `meet`.
bool standsAlone(llvm::ArrayRef<llvm::BasicBlock*> blocks, const llvm::BasicBlock* guard,
                 const llvm::BasicBlock* meet);

// Copies that refer to each other, and otherwise to what `map` says.
llvm::SmallVector<llvm::BasicBlock*, 16> cloneBlocks(llvm::ArrayRef<llvm::BasicBlock*> blocks,
                                                     llvm::ValueToValueMapTy& map, llvm::StringRef suffix);

// What stands for `value` in copied code.
llvm::Value* copyOf(llvm::Value* value, const llvm::ValueToValueMapTy& map);

}  // namespace musashim::mcc
