// The threads for which a condition on the thread index holds, as a range: a loop runs these and no others.
#pragma once

#include <array>
#include <optional>

#include "llvm/IR/Instructions.h"
#include "mcc/device_plugin/block/emit/unit_function.h"

namespace musashim::mcc {

// The threads [first, end) along an axis, as i32; null: from 0, or to the block's size.
struct AxisRange {
  llvm::Value* first = nullptr;
  llvm::Value* end = nullptr;
};
using ThreadRange = std::array<AxisRange, 3>;

// True for what narrowThreads() understands: comparisons of a thread index with a uniform value, and
// conjunctions of them.
bool comparesThreadIdx(llvm::Value& condition, llvm::function_ref<bool(const llvm::Value&)> isUniform);

// Emits the ranges of the threads for which `condition` holds.
ThreadRange narrowThreads(const UnitFunction& unit, llvm::Value& condition, llvm::IRBuilder<>& builder);

// A comparison of a thread index with a bound, turned so that the index comes first.
struct IndexComparison {
  unsigned axis;
  llvm::ICmpInst::Predicate predicate;
  llvm::Value* bound;
};
std::optional<IndexComparison> comparisonOf(const llvm::Value& condition);

// Narrows `range` to the threads for which the comparison holds.
void narrow(const UnitFunction& unit, const IndexComparison& comparison, ThreadRange& range,
            llvm::IRBuilder<>& builder);

// Emits whether there is any thread in the range; null when that is certain.
llvm::Value* hasThreads(const UnitFunction& unit, const ThreadRange& range, llvm::IRBuilder<>& builder);

}  // namespace musashim::mcc
