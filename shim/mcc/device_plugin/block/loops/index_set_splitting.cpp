// Regions in which a branch on the thread index decides, as at the edges of a tile: threads
// of a range go one way, the others another. Each range has loops of its own without the
// branch, which vectorise.
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

constexpr uint64_t kVector = 16;         // threads: the widest vectors of 32 bits
constexpr uint64_t kMostThreads = 1024;  // of a block

struct Way {
  llvm::SmallVector<IndexComparison, 2> threads;  // that go it
  bool holds;                                     // what the branch's condition is for them
};

// The first thread for which a comparison with a constant is another one than for thread 0; 0 when there is
// none.
uint64_t turnOf(const IndexComparison& comparison) {
  const auto* bound = llvm::dyn_cast<llvm::ConstantInt>(comparison.bound);
  if (bound == nullptr || (ICmpInst::isEquality(comparison.predicate) && !bound->isZero())) return 0;
  const bool next = !ICmpInst::isLT(comparison.predicate) && !ICmpInst::isGE(comparison.predicate);
  const llvm::APInt turn = bound->getValue() + (next ? 1 : 0);
  return turn.ult(kMostThreads) ? turn.getZExtValue() : 0;
}

// Those behind the turn begin with the rest of a vector, so that whole ones follow, and none is left over at
// the end.
llvm::SmallVector<Way, 3> alignedWays(const IndexComparison& comparison, uint64_t turn) {
  const bool before = ICmpInst::isLT(comparison.predicate) || ICmpInst::isLE(comparison.predicate) ||
                      comparison.predicate == ICmpInst::ICMP_EQ;
  llvm::Type* i32 = llvm::Type::getInt32Ty(comparison.bound->getContext());
  const auto bound = [&](ICmpInst::Predicate predicate, uint64_t value) {
    return IndexComparison{comparison.axis, predicate, llvm::ConstantInt::get(i32, value)};
  };
  const uint64_t whole = llvm::alignTo(turn, kVector);
  return {{{bound(ICmpInst::ICMP_ULT, turn)}, before},
          {{bound(ICmpInst::ICMP_UGE, turn), bound(ICmpInst::ICMP_ULT, whole)}, !before},
          {{bound(ICmpInst::ICMP_UGE, whole)}, !before}};
}

llvm::SmallVector<Way, 3> waysOf(const IndexComparison& comparison) {
  const uint64_t turn = turnOf(comparison);
  if (comparison.axis == 0 && turn % kVector != 0) return alignedWays(comparison, turn);
  const auto way = [&](ICmpInst::Predicate predicate, bool holds) -> Way {
    return {{{comparison.axis, predicate, comparison.bound}}, holds};
  };
  switch (comparison.predicate) {
    case ICmpInst::ICMP_EQ:
      return {way(ICmpInst::ICMP_SLT, false), way(ICmpInst::ICMP_EQ, true), way(ICmpInst::ICMP_SGT, false)};
    case ICmpInst::ICMP_NE:
      return {way(ICmpInst::ICMP_SLT, true), way(ICmpInst::ICMP_EQ, false), way(ICmpInst::ICMP_SGT, true)};
    default:
      return {way(comparison.predicate, true),
              way(ICmpInst::getInversePredicate(comparison.predicate), false)};
  }
}

}  // namespace

bool UnitEmitter::isKnownBefore(const Copy& copy, const Value& value) const {
  const auto* instruction = llvm::dyn_cast<llvm::Instruction>(&value);
  return instruction == nullptr || instruction->getParent() == copy.scalarPrologue ||
         instruction->getParent() == &unit_.entry();
}

// Uniform values may have been computed again for each thread.
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

// The first branch by which threads go different ways according to their index.
llvm::BranchInst* UnitEmitter::splittingBranch(const Copy& copy) const {
  for (BasicBlock* block : llvm::depth_first(copy.lanePrologue)) {
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
  for (const BasicBlock* block : llvm::depth_first(copy.lanePrologue)) instructions += block->size();
  llvm::BranchInst* branch = 3 * instructions <= budget ? splittingBranch(copy) : nullptr;
  if (branch == nullptr) {
    emitLoop(region, copy, range, /*presentOnly=*/false, keepPlaces, builder);
    return;
  }
  const IndexComparison comparison = *comparisonOf(*branch->getCondition());
  const auto ways = waysOf(comparison);
  llvm::SmallVector<std::pair<Copy, llvm::BranchInst*>, 3> copies{{copy, branch}};
  while (copies.size() < ways.size()) {
    llvm::ValueToValueMapTy map;
    Copy more = copyLanes(copy, map);
    copies.emplace_back(std::move(more), llvm::cast<llvm::BranchInst>(map[branch]));
  }
  for (size_t i = 0; i < ways.size(); ++i) {
    auto& [part, decided] = copies[i];
    BasicBlock* decidedBlock = decided->getParent();
    decided->setCondition(builder.getInt1(ways[i].holds));
    llvm::ConstantFoldTerminator(decidedBlock);
    ThreadRange ofWay = range;
    for (const IndexComparison& bound : ways[i].threads) narrow(unit_, bound, ofWay, builder);
    BasicBlock* some = block("threads");
    BasicBlock* next = block("way.end");
    builder.CreateCondBr(hasThreads(unit_, ofWay, builder), some, next);
    builder.SetInsertPoint(some);
    emitSplitLoops(region, part, ofWay, keepPlaces, budget / static_cast<unsigned>(ways.size()), builder);
    builder.CreateBr(next);
    builder.SetInsertPoint(next);
  }
}

}  // namespace musashim::mcc
