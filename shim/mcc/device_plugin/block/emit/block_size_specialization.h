// Which of the functions made for certain block sizes runs a block: those of the sizes that the source
// launches with, or copies for the row lengths that blocks of two dimensions mostly have.
#pragma once

#include "llvm/IR/PassManager.h"
#include "mcc/device_plugin/source_facts/launch_sizes.h"
#include "unit_function.h"

namespace musashim::mcc {

// The vectoriser knows best how much of a row of known length to do at a time.
void allowInterleaving(llvm::Function& function);

// Returns a function that picks the copy; the unit's own serves all other lengths.
llvm::Function* cloneForRows(UnitFunction& unit, llvm::ArrayRef<uint32_t> lengths);

// Whether `block`, a MusaBlockContext, is of that size.
llvm::Value* isOfSize(llvm::IRBuilder<>& builder, llvm::Value* block, const BlockSize& size);

// Returns a function that runs the code made for the block's size, or else `generic`.
llvm::Function* chooseBySize(llvm::Function& generic,
                             llvm::ArrayRef<std::pair<BlockSize, llvm::Function*>> special);

}  // namespace musashim::mcc
