#include "guards.h"

#include "llvm/ADT/PostOrderIterator.h"
#include "llvm/Analysis/PostDominators.h"
#include "llvm/IR/CFG.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"
#include "llvm/Transforms/Utils/Cloning.h"
#include "lockstep.h"
#include "mcc/device_plugin/block/analysis/monotonic_conditions.h"
#include "mcc/device_plugin/block/analysis/suspend_points.h"
#include "mcc/device_plugin/block/analysis/thread_range.h"
#include "tail_duplicate_stores.h"

namespace musashim::mcc {
namespace {

using llvm::BasicBlock;
using llvm::BranchInst;
using llvm::Instruction;
using llvm::IRBuilder;
using llvm::PHINode;
using llvm::Value;

constexpr unsigned kMostGuards = 8;  // per kernel

class Guards {
 public:
  Guards(UnitFunction& unit)
      : unit_(unit),
        uniformity_(*unit.function, unit.warpSize),
        condition_(unit, uniformity_),
        after_(*unit.function) {}

  // Versions the first guard that is worth it. The analyses do not hold afterwards.
  bool splitOne(llvm::SmallPtrSetImpl<BasicBlock*>& done) {
    llvm::ReversePostOrderTraversal<llvm::Function*> order(unit_.function);
    for (BasicBlock* block : order) {
      if (block == &unit_.entry() || done.contains(block)) continue;
      auto* branch = llvm::dyn_cast<BranchInst>(block->getTerminator());
      if (branch == nullptr || !branch->isConditional()) continue;
      if (uniformity_.hasUniformTerminator(*block) || !uniformity_.isConverged(*block)) continue;
      if (branch->hasMetadata(kHeadMetadata)) continue;  // isolated
      const bool changed = split(*branch);
      done.insert(branch->getParent());
      if (changed) return true;
    }
    return false;
  }

 private:
  static bool onlyReturns(const BasicBlock& block) {
    return llvm::isa<llvm::ReturnInst>(*block.getFirstNonPHIOrDbg()) && block.phis().empty();
  }

  bool split(BranchInst& branch) {
    BasicBlock* block = branch.getParent();
    const bool wanted = !onlyReturns(*branch.getSuccessor(0));
    BasicBlock* taken = branch.getSuccessor(wanted ? 0 : 1);
    const auto* node = after_.getNode(block)->getIDom();
    BasicBlock* join = node == nullptr ? nullptr : node->getBlock();
    const auto blocks = blocksUpTo(taken, join);
    if (!blocks || blocks->empty() || llvm::is_contained(*blocks, block)) return false;
    if (!isSelfContained(*blocks, block, join)) return false;
    IRBuilder<> builder(&branch);
    Value* all = condition_.forAll(*branch.getCondition(), wanted, builder);
    if (all == nullptr) return false;
    if (join != nullptr) tailDuplicateStores(branch, *join, *blocks);
    copyFor(branch, all, *blocks, taken);
    return true;
  }

  // Before `branch`: to a copy of `blocks` when `all` holds.
  void copyFor(BranchInst& branch, Value* all, llvm::ArrayRef<BasicBlock*> blocks, BasicBlock* taken) {
    BasicBlock* block = branch.getParent();
    BasicBlock* some = llvm::SplitBlock(block, &branch);
    BasicBlock* every = BasicBlock::Create(block->getContext(), "every", unit_.function, some);
    llvm::ValueToValueMapTy map;
    map[some] = every;  // where the taken block's phis come from
    const auto copies = cloneBlocks(blocks, map, ".every");
    BranchInst::Create(llvm::cast<BasicBlock>(map[taken]), every);
    // Phis behind the copied blocks get what the copies bring.
    for (size_t i = 0; i < blocks.size(); ++i) {
      for (BasicBlock* next : llvm::successors(blocks[i])) {
        if (llvm::is_contained(blocks, next)) continue;
        for (PHINode& phi : next->phis()) addIncoming(phi, blocks[i], copies[i], map);
      }
    }
    block->getTerminator()->eraseFromParent();
    BranchInst* choice = BranchInst::Create(every, some, all, block);
    choice->setDebugLoc(branch.getDebugLoc());
    markCut(*choice);
  }

  static void addIncoming(PHINode& phi, BasicBlock* from, BasicBlock* copy, llvm::ValueToValueMapTy& map) {
    if (phi.getBasicBlockIndex(copy) >= 0) return;
    phi.addIncoming(copyOf(phi.getIncomingValueForBlock(from), map), copy);
  }

  UnitFunction& unit_;
  Uniformity uniformity_;
  BlockCondition condition_;
  llvm::PostDominatorTree after_;
};

// --- Guards on the thread index alone -----------------------------------------------------------

void markHead(BasicBlock& block) {
  block.getFirstNonPHIOrDbg()->setMetadata(kHeadMetadata, llvm::MDNode::get(block.getContext(), {}));
}

// True when the guarded code writes memory only: no value of it is used behind the guard.
bool isIsolable(BranchInst& branch, const Uniformity& uniformity) {
  BasicBlock* body = branch.getSuccessor(0);
  BasicBlock* join = branch.getSuccessor(1);
  if (!join->phis().empty() || !body->phis().empty() || !uniformity.isConverged(*join)) return false;
  const auto isUniform = [&](const Value& value) {
    return !llvm::isa<Instruction>(value) || uniformity.isUniform(value);
  };
  if (!comparesThreadIdx(*branch.getCondition(), isUniform)) return false;
  const auto blocks = blocksUpTo(body, join);
  if (!blocks || !isSelfContained(*blocks, branch.getParent(), join)) return false;
  return llvm::none_of(*blocks, [&](BasicBlock* block) {
    return llvm::isa<llvm::ReturnInst>(block->getTerminator()) || block == branch.getParent();
  });
}

}  // namespace

std::optional<llvm::SmallVector<BasicBlock*, 16>> blocksUpTo(BasicBlock* start, BasicBlock* end) {
  llvm::SmallVector<BasicBlock*, 16> blocks;
  llvm::SmallPtrSet<BasicBlock*, 16> seen;
  unsigned size = 0;
  if (start != end) blocks.push_back(start), seen.insert(start);
  for (size_t i = 0; i < blocks.size(); ++i) {
    size += static_cast<unsigned>(blocks[i]->size());
    if (size > kLargestCopy || llvm::any_of(*blocks[i], calledOp)) return std::nullopt;
    for (BasicBlock* next : llvm::successors(blocks[i])) {
      if (next != end && seen.insert(next).second) blocks.push_back(next);
    }
  }
  return blocks;
}

bool isSelfContained(llvm::ArrayRef<BasicBlock*> blocks, const BasicBlock* guard, const BasicBlock* join) {
  for (BasicBlock* block : blocks) {
    for (BasicBlock* previous : llvm::predecessors(block)) {
      if (previous != guard && !llvm::is_contained(blocks, previous)) return false;
    }
    for (Instruction& instruction : *block) {
      for (const llvm::User* user : instruction.users()) {
        const auto* other = llvm::cast<Instruction>(user);
        if (llvm::is_contained(blocks, other->getParent())) continue;
        if (!llvm::isa<PHINode>(other) || other->getParent() != join) return false;
      }
    }
  }
  return true;
}

void markCut(Instruction& branch) {
  branch.setMetadata(kCutMetadata, llvm::MDNode::get(branch.getContext(), {}));
}

llvm::SmallVector<BasicBlock*, 16> cloneBlocks(llvm::ArrayRef<BasicBlock*> blocks,
                                               llvm::ValueToValueMapTy& map, llvm::StringRef suffix) {
  llvm::SmallVector<BasicBlock*, 16> copies;
  for (BasicBlock* source : blocks) {
    copies.push_back(llvm::CloneBasicBlock(source, map, suffix, source->getParent()));
    map[source] = copies.back();
  }
  llvm::remapInstructionsInBlocks(copies, map);
  return copies;
}

Value* copyOf(Value* value, const llvm::ValueToValueMapTy& map) {
  const auto found = map.find(value);
  return found == map.end() ? value : static_cast<Value*>(found->second);
}

void isolateGuards(UnitFunction& unit) {
  if (unit.kind != UnitKind::kBlock) return;
  const Uniformity uniformity(*unit.function, unit.warpSize);
  llvm::SmallVector<BranchInst*, 8> guards;
  for (BasicBlock& block : *unit.function) {
    auto* branch = llvm::dyn_cast<BranchInst>(block.getTerminator());
    if (branch == nullptr || !branch->isConditional() || &block == &unit.entry()) continue;
    if (uniformity.hasUniformTerminator(block) || !uniformity.isConverged(block)) continue;
    if (isIsolable(*branch, uniformity)) guards.push_back(branch);
  }
  for (BranchInst* branch : guards) {
    markHead(*branch->getSuccessor(1));
    markHead(*llvm::SplitBlock(branch->getParent(), branch));
  }
}

void splitGuards(UnitFunction& unit) {
  llvm::SmallPtrSet<BasicBlock*, 16> done;
  for (unsigned copies = 0; copies < kMostGuards && Guards(unit).splitOne(done); ++copies) {
  }
}

}  // namespace musashim::mcc
