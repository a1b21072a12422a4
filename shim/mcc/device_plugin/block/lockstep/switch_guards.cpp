// LLVM turns `if (threadIdx.y == 0) a; if (threadIdx.y == 7) b;` into a switch whose cases share code. This
// makes guards of it again (guards.h), one behind the other, each with a loop over its own threads.
#include "guards.h"
#include "llvm/Analysis/PostDominators.h"
#include "llvm/IR/CFG.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"
#include "llvm/Transforms/Utils/Local.h"
#include "mcc/device_plugin/block/analysis/uniformity.h"
#include "mcc/device_plugin/device_builtins.h"

namespace musashim::mcc {
namespace {

using llvm::BasicBlock;
using llvm::IRBuilder;
using llvm::SwitchInst;

constexpr unsigned kMostCases = 4;

struct CasePath {
  llvm::ConstantInt* value;
  BasicBlock* target;
  llvm::SmallVector<BasicBlock*, 16> blocks;  // from the target up to the join
};

// Drops incoming values: a case's copy has fewer predecessors than the original.
void dropOtherPaths(llvm::ArrayRef<BasicBlock*> copies, const BasicBlock* guard) {
  for (BasicBlock* copy : copies) {
    for (llvm::PHINode& phi : llvm::make_early_inc_range(copy->phis())) {
      for (unsigned i = phi.getNumIncomingValues(); i-- > 0;) {
        const BasicBlock* from = phi.getIncomingBlock(i);
        if (from != guard && !llvm::is_contained(copies, from)) phi.removeIncomingValue(i, false);
      }
      if (phi.getNumIncomingValues() > 1) continue;
      phi.replaceAllUsesWith(phi.getIncomingValue(0));
      phi.eraseFromParent();
    }
  }
}

class SwitchGuards {
 public:
  SwitchGuards(SwitchInst& choice, BasicBlock* join) : choice_(choice), join_(join) {}

  // True when the cases are self-contained, so that they can run one after the other.
  bool find() {
    if (choice_.getNumCases() > kMostCases || choice_.getDefaultDest() != join_ || !join_->phis().empty())
      return false;
    llvm::SmallVector<BasicBlock*, 16> all;
    for (const auto& one : choice_.cases()) {
      const bool shared =
          llvm::any_of(paths_, [&](const CasePath& path) { return path.target == one.getCaseSuccessor(); });
      auto blocks = blocksUpTo(one.getCaseSuccessor(), join_);
      if (shared || !blocks || blocks->empty() || llvm::is_contained(*blocks, choice_.getParent()))
        return false;
      for (BasicBlock* block : *blocks) {
        if (llvm::isa<llvm::ReturnInst>(block->getTerminator())) return false;
        if (!llvm::is_contained(all, block)) all.push_back(block);
      }
      paths_.push_back({one.getCaseValue(), one.getCaseSuccessor(), std::move(*blocks)});
    }
    return isSelfContained(all, choice_.getParent(), join_);
  }

  void separate() {
    BasicBlock* head = choice_.getParent();
    llvm::SmallVector<BasicBlock*, kMostCases + 1> guards;
    for (size_t i = 0; i < paths_.size(); ++i)
      guards.push_back(BasicBlock::Create(head->getContext(), "case", head->getParent(), join_));
    guards.push_back(join_);
    for (size_t i = 0; i < paths_.size(); ++i) {
      llvm::ValueToValueMapTy map;
      map[head] = guards[i];
      map[join_] = guards[i + 1];
      const auto copies = cloneBlocks(paths_[i].blocks, map, ".case");
      dropOtherPaths(copies, guards[i]);
      IRBuilder<> builder(guards[i]);
      builder.SetCurrentDebugLocation(choice_.getDebugLoc());
      llvm::Value* is = builder.CreateICmpEQ(choice_.getCondition(), paths_[i].value);
      builder.CreateCondBr(is, llvm::cast<BasicBlock>(static_cast<llvm::Value*>(map[paths_[i].target])),
                           guards[i + 1]);
    }
    llvm::ReplaceInstWithInst(&choice_, llvm::BranchInst::Create(guards.front()));
  }

 private:
  SwitchInst& choice_;
  BasicBlock* join_;
  llvm::SmallVector<CasePath, kMostCases> paths_;
};

}  // namespace

void splitSwitchGuards(UnitFunction& unit) {
  const auto choosesByThread = [](BasicBlock& block) {
    const auto* choice = llvm::dyn_cast<SwitchInst>(block.getTerminator());
    return choice != nullptr && calledThreadIdx(*choice->getCondition()) != nullptr;
  };
  if (llvm::none_of(*unit.function, choosesByThread)) return;
  const Uniformity uniformity(*unit.function, unit.warpSize);
  const llvm::PostDominatorTree after(*unit.function);
  llvm::SmallVector<SwitchGuards, 4> found;
  for (BasicBlock& block : *unit.function) {
    if (!choosesByThread(block) || !uniformity.isConverged(block)) continue;
    const auto* node = after.getNode(&block)->getIDom();
    if (node == nullptr || node->getBlock() == nullptr) continue;
    SwitchGuards cases(*llvm::cast<SwitchInst>(block.getTerminator()), node->getBlock());
    if (cases.find()) found.push_back(std::move(cases));
  }
  // None holds another: cases with a switch in them do not converge there.
  for (SwitchGuards& cases : found) cases.separate();
  if (!found.empty()) llvm::removeUnreachableBlocks(*unit.function);
}

}  // namespace musashim::mcc
