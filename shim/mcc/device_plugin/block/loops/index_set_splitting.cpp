// Index set splitting of a region's loop over threads, by a branch on the thread index, as at the edges of a
// tile. Each range of threads that goes one way gets a loop of its own without the branch, which is
// vectorised.
#include "llvm/ADT/DepthFirstIterator.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/Transforms/Utils/Local.h"
#include "mcc/device_plugin/block/emit/emitter.h"

namespace musashim::mcc {
namespace {

using llvm::BasicBlock;
using llvm::ICmpInst;
using llvm::Value;

constexpr unsigned kHoistDepth = 4;

constexpr uint64_t kLargestVector = 16;  // in threads: the widest vectors of 32-bit elements
constexpr uint64_t kMostThreads = 1024;  // of a block

struct Subset {
  llvm::SmallVector<IndexComparison, 2> threads;  // the ranges that it is
  bool holds;                                     // the branch's condition for them
};

// The first thread for which a comparison with a constant differs from thread 0's. 0 when there is none.
uint64_t splitPointOf(const IndexComparison& comparison) {
  const auto* bound = llvm::dyn_cast<llvm::ConstantInt>(comparison.bound);
  if (bound == nullptr || (ICmpInst::isEquality(comparison.predicate) && !bound->isZero())) return 0;
  const bool next = !ICmpInst::isLT(comparison.predicate) && !ICmpInst::isGE(comparison.predicate);
  const llvm::APInt splitPoint = bound->getValue() + (next ? 1 : 0);
  return splitPoint.ult(kMostThreads) ? splitPoint.getZExtValue() : 0;
}

// Loop peeling for alignment: the threads behind the split begin with the rest of a vector. Whole vectors
// follow, and none is left over at the end.
llvm::SmallVector<Subset, 3> alignedSubsets(const IndexComparison& comparison, uint64_t splitPoint) {
  const bool before = ICmpInst::isLT(comparison.predicate) || ICmpInst::isLE(comparison.predicate) ||
                      comparison.predicate == ICmpInst::ICMP_EQ;
  llvm::Type* i32 = llvm::Type::getInt32Ty(comparison.bound->getContext());
  const auto bound = [&](ICmpInst::Predicate predicate, uint64_t value) {
    return IndexComparison{comparison.axis, predicate, llvm::ConstantInt::get(i32, value)};
  };
  const uint64_t whole = llvm::alignTo(splitPoint, kLargestVector);
  return {{{bound(ICmpInst::ICMP_ULT, splitPoint)}, before},
          {{bound(ICmpInst::ICMP_UGE, splitPoint), bound(ICmpInst::ICMP_ULT, whole)}, !before},
          {{bound(ICmpInst::ICMP_UGE, whole)}, !before}};
}

llvm::SmallVector<Subset, 3> subsetsOf(const IndexComparison& comparison) {
  const uint64_t splitPoint = splitPointOf(comparison);
  if (comparison.axis == 0 && splitPoint % kLargestVector != 0) return alignedSubsets(comparison, splitPoint);
  const auto subset = [&](ICmpInst::Predicate predicate, bool holds) -> Subset {
    return {{{comparison.axis, predicate, comparison.bound}}, holds};
  };
  switch (comparison.predicate) {
    case ICmpInst::ICMP_EQ:
      return {subset(ICmpInst::ICMP_SLT, false), subset(ICmpInst::ICMP_EQ, true),
              subset(ICmpInst::ICMP_SGT, false)};
    case ICmpInst::ICMP_NE:
      return {subset(ICmpInst::ICMP_SLT, true), subset(ICmpInst::ICMP_EQ, false),
              subset(ICmpInst::ICMP_SGT, true)};
    default:
      return {subset(comparison.predicate, true),
              subset(ICmpInst::getInversePredicate(comparison.predicate), false)};
  }
}

}  // namespace

bool UnitEmitter::isKnownBefore(const Copy& copy, const Value& value) const {
  const auto* instruction = llvm::dyn_cast<llvm::Instruction>(&value);
  return instruction == nullptr || instruction->getParent() == copy.scalarPrologue ||
         instruction->getParent() == &unit_.entry();
}

// Hoists a uniform value that is computed per thread to before the loops, if it can be.
bool UnitEmitter::hoistBeforeLoops(const Copy& copy, Value& value, unsigned depth) const {
  if (isKnownBefore(copy, value)) return true;
  auto& instruction = llvm::cast<llvm::Instruction>(value);
  if (depth == 0 || llvm::isa<llvm::PHINode, llvm::CallInst>(instruction) ||
      instruction.mayReadOrWriteMemory() || !llvm::isSafeToSpeculativelyExecute(&instruction))
    return false;
  for (Value* operand : instruction.operands()) {
    if (!hoistBeforeLoops(copy, *operand, depth - 1)) return false;
  }
  instruction.removeFromParent();
  instruction.insertInto(copy.scalarPrologue, copy.scalarPrologue->end());
  return true;
}

// The first branch on a comparison of the thread index.
llvm::BranchInst* UnitEmitter::splittingBranch(const Copy& copy) const {
  for (BasicBlock* block : llvm::depth_first(copy.threadPrologue)) {
    auto* branch = llvm::dyn_cast_or_null<llvm::BranchInst>(block->getTerminator());
    if (branch == nullptr || !branch->isConditional()) continue;
    const auto comparison = comparisonOf(*branch->getCondition());
    if (comparison && hoistBeforeLoops(copy, *comparison->bound, kHoistDepth)) return branch;
  }
  return nullptr;
}

void UnitEmitter::emitSplitLoops(const Region& region, Copy& copy, const ThreadRange& range, bool keepPlaces,
                                 unsigned budget, Builder& builder) {
  size_t instructions = 0;
  for (const BasicBlock* block : llvm::depth_first(copy.threadPrologue)) instructions += block->size();
  llvm::BranchInst* branch = 3 * instructions <= budget ? splittingBranch(copy) : nullptr;
  if (branch == nullptr) {
    emitLoop(region, copy, range, /*activeOnly=*/false, keepPlaces, builder);
    return;
  }
  const IndexComparison comparison = *comparisonOf(*branch->getCondition());
  const auto subsets = subsetsOf(comparison);
  llvm::SmallVector<std::pair<Copy, llvm::BranchInst*>, 3> copies{{copy, branch}};
  while (copies.size() < subsets.size()) {
    llvm::ValueToValueMapTy map;
    Copy more = copyThreads(copy, map);
    copies.emplace_back(std::move(more), llvm::cast<llvm::BranchInst>(map[branch]));
  }
  for (size_t i = 0; i < subsets.size(); ++i) {
    auto& [part, decided] = copies[i];
    BasicBlock* decidedBlock = decided->getParent();
    decided->setCondition(builder.getInt1(subsets[i].holds));
    llvm::ConstantFoldTerminator(decidedBlock);
    ThreadRange ofSubset = range;
    for (const IndexComparison& bound : subsets[i].threads) narrow(unit_, bound, ofSubset, builder);
    BasicBlock* some = block("threads");
    BasicBlock* next = block("subset.end");
    builder.CreateCondBr(hasThreads(unit_, ofSubset, builder), some, next);
    builder.SetInsertPoint(some);
    emitSplitLoops(region, part, ofSubset, keepPlaces, budget / static_cast<unsigned>(subsets.size()),
                   builder);
    builder.CreateBr(next);
    builder.SetInsertPoint(next);
  }
}

}  // namespace musashim::mcc
