// Array indices that are affine in the thread index: threadIdx.x plus terms that are uniform.
#pragma once

#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/IR/IRBuilder.h"
#include "mcc/device_plugin/block/emit/unit_function.h"

namespace musashim::mcc {

// A 64-bit index, extended from a 32-bit sum in which threadIdx.x occurs once.
struct AffineIndex {
  llvm::CastInst* index = nullptr;
  llvm::CallInst* thread = nullptr;

  bool isSigned() const { return llvm::isa<llvm::SExtInst>(index); }
  llvm::Value& sum() const { return *index->getOperand(0); }
};

// What stands for a uniform term, one that is the same for all threads; null for other values.
using UniformTerm = llvm::function_ref<llvm::Value*(llvm::Value&)>;

std::optional<AffineIndex> affineIndexOf(llvm::Instruction& instruction, UniformTerm uniform);

// Emits whether the sum wraps for no thread of the block.
llvm::Value* doesNotWrap(const AffineIndex& sum, UniformTerm uniform, const UnitFunction& unit,
                         llvm::IRBuilder<>& builder);

// Has the index computed in 64 bits. Only where the sum does not wrap.
void widen(const AffineIndex& sum, UniformTerm uniform);

}  // namespace musashim::mcc
