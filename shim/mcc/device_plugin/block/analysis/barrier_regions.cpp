#include "barrier_regions.h"

#include <map>
#include <set>

#include "llvm/ADT/PostOrderIterator.h"
#include "llvm/IR/CFG.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"
#include "mcc/device_plugin/block/lockstep/lockstep.h"

namespace musashim::mcc {
namespace {

using llvm::BasicBlock;
using SuspendPoints = std::vector<std::unique_ptr<SuspendPoint>>;

const BasicBlock* const kEnd = nullptr;  // the successor of a return

// For every block, what threads in it may reach next: suspend points, cuts, the end.
class NextPlaces {
 public:
  NextPlaces(llvm::Function& function, const llvm::DenseSet<const BasicBlock*>& places) : places_(places) {
    for (bool changed = true; changed;) {
      changed = false;
      for (BasicBlock* block : llvm::post_order(&function)) {
        std::set<const BasicBlock*> reached = from(*block);
        if (reached == next_[block]) continue;
        next_[block] = std::move(reached);
        changed = true;
      }
    }
  }

  const std::set<const BasicBlock*>& of(const BasicBlock* block) { return next_[block]; }

  // True when the terminator of `block` decides what threads reach next.
  bool separates(const BasicBlock& block) {
    const auto* terminator = block.getTerminator();
    for (unsigned i = 1; i < terminator->getNumSuccessors(); ++i) {
      if (next_[terminator->getSuccessor(i)] != next_[terminator->getSuccessor(0)]) return true;
    }
    return false;
  }

 private:
  std::set<const BasicBlock*> from(const BasicBlock& block) {
    if (places_.contains(&block)) return {&block};
    if (llvm::succ_empty(&block)) {
      if (llvm::isa<llvm::UnreachableInst>(block.getTerminator())) return {};
      return {kEnd};
    }
    std::set<const BasicBlock*> result;
    for (const BasicBlock* successor : llvm::successors(&block)) {
      result.insert(next_[successor].begin(), next_[successor].end());
    }
    return result;
  }

  const llvm::DenseSet<const BasicBlock*>& places_;
  std::map<const BasicBlock*, std::set<const BasicBlock*>> next_;
};

}  // namespace

RegionGraph::RegionGraph(llvm::Function& function, const SuspendPoints& suspendPoints, unsigned warpSize)
    : cutsDivergentBranches_(warpSize != 0) {
  uniformity_ = std::make_unique<Uniformity>(function, warpSize);
  findCuts(function, suspendPoints);
  if (!cuts_.empty()) {
    splitCutEdges(function);
    uniformity_ = std::make_unique<Uniformity>(function, warpSize);
  }
  assignBlocks(function, suspendPoints);
  for (const auto& region : regions_) findExits(*region);
  findCycles();
  findEndings();
}

bool RegionGraph::threadsDiverge() const {
  return llvm::any_of(regions_, [](const auto& region) { return region->exit == RegionExit::kDivergent; });
}

bool RegionGraph::mayCut(const BasicBlock& block, bool separates) const {
  if (!uniformity_->isConverged(block)) return false;
  const llvm::Instruction* terminator = block.getTerminator();
  if (cutsDivergentBranches_ && separates && llvm::isa<llvm::BranchInst>(terminator)) return true;
  return (separates || terminator->hasMetadata(kCutMetadata)) && uniformity_->hasUniformTerminator(block) &&
         llvm::isa<llvm::BranchInst, llvm::SwitchInst>(terminator);
}

// Uniform branches that decide where threads wait next are taken once for all threads,
// outside of the loops over them.
void RegionGraph::findCuts(llvm::Function& function, const SuspendPoints& suspendPoints) {
  llvm::DenseSet<const BasicBlock*> places;
  for (const auto& suspendPoint : suspendPoints) places.insert(suspendPoint->before);
  for (bool found = true; found;) {
    found = false;
    NextPlaces next(function, places);
    for (BasicBlock& block : function) {
      if (&block == &function.getEntryBlock() || places.contains(&block)) continue;
      if (!mayCut(block, next.separates(block))) continue;
      cuts_.push_back(&block);
      found = true;
    }
    for (BasicBlock* cut : cuts_) places.insert(cut);
  }
}

// Every edge of a cut gets a block of its own, where the values that it carries are moved.
void RegionGraph::splitCutEdges(llvm::Function&) {
  for (BasicBlock* cut : cuts_) {
    llvm::Instruction* terminator = cut->getTerminator();
    for (unsigned i = 0; i < terminator->getNumSuccessors(); ++i) {
      BasicBlock* successor = terminator->getSuccessor(i);
      BasicBlock* edge = BasicBlock::Create(cut->getContext(), "edge", cut->getParent(), successor);
      llvm::BranchInst::Create(successor, edge);
      // One incoming value per edge: several edges of a switch may lead to the same block.
      for (llvm::PHINode& phi : successor->phis()) {
        phi.setIncomingBlock(static_cast<unsigned>(phi.getBasicBlockIndex(cut)), edge);
      }
      terminator->setSuccessor(i, edge);
      cutEdges_.push_back(edge);
    }
  }
}

void RegionGraph::assignBlocks(llvm::Function& function, const SuspendPoints& suspendPoints) {
  llvm::ReversePostOrderTraversal<llvm::Function*> order(&function);
  llvm::DenseMap<const BasicBlock*, const BasicBlock*> headOf;
  BasicBlock* entry = &function.getEntryBlock();
  BasicBlock* first = entry->getSingleSuccessor();
  headOf[first] = first;
  for (const auto& suspendPoint : suspendPoints) headOf[suspendPoint->after] = suspendPoint->after;
  for (const BasicBlock* edge : cutEdges_) headOf[edge] = edge;
  for (BasicBlock& block : function) {
    const llvm::Instruction* begin = block.getFirstNonPHIOrDbg();
    if (begin->hasMetadata(kHeadMetadata) && uniformity_->isConverged(block)) headOf[&block] = &block;
  }
  // A block that is reached from several regions begins one of its own.
  for (bool changed = true; changed;) {
    changed = false;
    for (BasicBlock* block : order) {
      if (block == entry || headOf.lookup(block) == block) continue;
      const BasicBlock* common = nullptr;
      for (const BasicBlock* previous : llvm::predecessors(block)) {
        const BasicBlock* head = headOf.lookup(previous);
        if (head == nullptr) continue;
        common = common == nullptr || common == head ? head : block;
      }
      if (common == headOf.lookup(block)) continue;
      headOf[block] = common;
      changed = true;
    }
  }
  for (BasicBlock* block : order) {
    if (block == entry) continue;
    if (headOf[block] == block) {
      auto region = std::make_unique<Region>();
      region->index = static_cast<unsigned>(regions_.size());
      region->head = block;
      region->converged = uniformity_->isConverged(*block);
      heads_[block] = region.get();
      regions_.push_back(std::move(region));
    }
    // In reverse post-order a region's head comes before its other blocks.
    Region* region = heads_.lookup(headOf[block]);
    region->blocks.push_back(block);
    owner_[block] = region;
  }
  for (const auto& suspendPoint : suspendPoints) {
    if (Region* region = heads_.lookup(suspendPoint->after)) region->completes = suspendPoint.get();
  }
}

void RegionGraph::findExits(Region& region) {
  std::set<Region*> targets;  // null: the end
  llvm::SmallVector<BasicBlock*, 2> cuts;
  bool othersLeave = false;
  for (BasicBlock* block : region.blocks) {
    const bool isCut = llvm::is_contained(cuts_, block);
    if (isCut) cuts.push_back(block);
    if (llvm::isa<llvm::ReturnInst>(block->getTerminator())) {
      targets.insert(nullptr);
      othersLeave = true;
    }
    for (BasicBlock* successor : llvm::successors(block)) {
      Region* target = heads_.lookup(successor);
      if (target == nullptr) continue;
      targets.insert(target);
      othersLeave |= !isCut;
    }
  }
  for (Region* target : targets) {
    if (target != nullptr) region.next.push_back(target);
  }
  llvm::sort(region.next, [](const Region* a, const Region* b) { return a->index < b->index; });
  if (targets.size() <= 1) {
    region.exit = RegionExit::kOne;
  } else if (cuts.size() == 1 && !othersLeave && uniformity_->hasUniformTerminator(*cuts.front())) {
    region.exit = RegionExit::kUniform;
    region.cut = cuts.front();
  } else {
    region.exit = RegionExit::kDivergent;
    region.divergentBranch = findDivergentBranch(region);
  }
}

BasicBlock* RegionGraph::findDivergentBranch(const Region& region) const {
  BasicBlock* divergentBranch = nullptr;
  for (BasicBlock* block : region.blocks) {
    const bool leaves =
        llvm::isa<llvm::ReturnInst>(block->getTerminator()) ||
        llvm::any_of(llvm::successors(block), [&](BasicBlock* next) { return heads_.contains(next); });
    if (!leaves) continue;
    if (divergentBranch != nullptr) return nullptr;
    divergentBranch = block;
  }
  const auto* branch = llvm::dyn_cast<llvm::BranchInst>(divergentBranch->getTerminator());
  const bool allLeave = branch != nullptr && branch->isConditional() &&
                        heads_.contains(branch->getSuccessor(0)) && heads_.contains(branch->getSuccessor(1));
  return allLeave ? divergentBranch : nullptr;
}

// Finds the regions behind which threads never wait again. Diverged threads run them without reconvergence.
void RegionGraph::findEndings() {
  for (const auto& region : regions_) region->ending = true;
  for (bool changed = true; changed;) {
    changed = false;
    for (const auto& region : regions_) {
      const bool waits = llvm::any_of(
          region->next, [](const Region* next) { return next->completes != nullptr || !next->ending; });
      if (!region->ending || !waits) continue;
      region->ending = false;
      changed = true;
    }
  }
  if (!threadsDiverge()) return;
  for (const auto& region : regions_) region->converged &= !region->ending || region->completes != nullptr;
}

void RegionGraph::findCycles() {
  for (const auto& start : regions_) {
    llvm::DenseSet<Region*> seen;
    llvm::SmallVector<Region*, 8> work(start->next.begin(), start->next.end());
    while (!work.empty()) {
      Region* region = work.pop_back_val();
      if (!seen.insert(region).second) continue;
      work.append(region->next.begin(), region->next.end());
    }
    start->inCycle = seen.contains(start.get());
  }
}

}  // namespace musashim::mcc
