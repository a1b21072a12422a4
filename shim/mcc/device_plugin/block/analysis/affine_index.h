// Sums of a thread's index and of what is the same for all threads, as indices of arrays.
#pragma once

#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/IR/IRBuilder.h"
#include "mcc/device_plugin/block/emit/unit_function.h"

namespace musashim::mcc {

// An index of 64 bits from a sum of 32, in which the thread's index along x comes once.
struct AffineIndex {
  llvm::CastInst* index = nullptr;
  llvm::CallInst* thread = nullptr;

  bool isSigned() const { return llvm::isa<llvm::SExtInst>(index); }
  llvm::Value& sum() const { return *index->getOperand(0); }
};

// What stands for a term that is the same for all threads; null for other values.
using UniformTerm = llvm::function_ref<llvm::Value*(llvm::Value&)>;

std::optional<AffineIndex> affineIndexOf(llvm::Instruction& instruction, UniformTerm uniform);

// Emits whether the sum wraps between no two threads of the block.
llvm::Value* isInOrder(const AffineIndex& sum, UniformTerm uniform, const UnitFunction& unit,
                       llvm::IRBuilder<>& builder);

// Has the index computed in 64 bits, where that is known.
void widen(const AffineIndex& sum, UniformTerm uniform);

}  // namespace musashim::mcc
