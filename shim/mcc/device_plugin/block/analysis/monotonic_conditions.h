// Conditions that are monotonic in the thread index. They are decided for a whole block at once: `i < n`
// holds for all threads when it holds for the last one.
#pragma once

#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/IR/IRBuilder.h"
#include "mcc/device_plugin/block/emit/unit_function.h"
#include "uniformity.h"

namespace musashim::mcc {

class BlockCondition {
 public:
  BlockCondition(const UnitFunction& unit, const Uniformity& uniformity)
      : unit_(unit), uniformity_(uniformity) {}

  // Values made since the uniformity was computed that are the same for all threads.
  void addUniform(const llvm::Value& value) { uniform_.insert(&value); }
  bool isUniform(const llvm::Value& value) const;

  // Emits whether the condition holds for every thread of the block (or for none, when `wanted` is false).
  // Conservative: it may say no where the answer is yes. Null when it cannot be told.
  llvm::Value* forAll(llvm::Value& condition, bool wanted, llvm::IRBuilder<>& builder) const;

  // A sum of thread indices and of what is uniform.
  bool growsWithThread(const llvm::Value& value, unsigned depth = 8) const;

 private:
  enum class Corner { kFirst, kLast };
  llvm::Value* compareForAll(llvm::ICmpInst& compare, bool wanted, llvm::IRBuilder<>& builder) const;
  llvm::Value* at(llvm::Value& value, Corner corner, llvm::IRBuilder<>& builder) const;
  // How much greater a 32-bit sum is for the last thread than for the first, unless it wraps. Null for other
  // operations.
  llvm::Value* growthOf(llvm::Value& value, llvm::IRBuilder<>& builder) const;

  const UnitFunction& unit_;
  const Uniformity& uniformity_;
  llvm::SmallPtrSet<const llvm::Value*, 16> uniform_;
};

}  // namespace musashim::mcc
