// Specialization of a block's function by block size, with a dispatch at run time. The sizes are those that
// the source launches with; without any, common values of blockDim.x of two-dimensional blocks.
#pragma once

#include "llvm/IR/PassManager.h"
#include "mcc/device_plugin/source_facts/launch_sizes.h"
#include "unit_function.h"

namespace musashim::mcc {

// Lets the vectoriser choose the interleave count: it knows best where the trip count is a constant.
void allowInterleaving(llvm::Function& function);

// Returns a function that dispatches on blockDim.x. Other values go to the unit's own code.
llvm::Function* cloneForRows(UnitFunction& unit, llvm::ArrayRef<uint32_t> lengths);

// Emits whether `block`, a MusaBlockContext, is of that size.
llvm::Value* isOfSize(llvm::IRBuilder<>& builder, llvm::Value* block, const BlockSize& size);

// Returns a function that runs the copy for the block's size, or else `generic`.
llvm::Function* chooseBySize(llvm::Function& generic,
                             llvm::ArrayRef<std::pair<BlockSize, llvm::Function*>> special);

}  // namespace musashim::mcc
