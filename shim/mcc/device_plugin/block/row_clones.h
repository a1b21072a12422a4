// Copies of a block's function for the row lengths that blocks of two dimensions mostly have.
#pragma once

#include "llvm/IR/PassManager.h"
#include "unit_function.h"

namespace musashim::mcc {

// Returns a function that picks the copy; the unit's own serves all other lengths.
llvm::Function* cloneForRows(UnitFunction& unit, llvm::ArrayRef<uint32_t> lengths);

}  // namespace musashim::mcc
