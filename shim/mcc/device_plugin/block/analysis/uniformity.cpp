#include "uniformity.h"

#include "llvm/ADT/BitVector.h"
#include "llvm/ADT/PostOrderIterator.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/Analysis/CycleAnalysis.h"
#include "llvm/Analysis/TargetTransformInfoImpl.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/CFG.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Module.h"
#include "llvm/IR/PassInstrumentation.h"
#include "mcc/device_plugin/device_builtins.h"
#include "mcc/device_plugin/shared_memory/shared_atomics.h"
#include "suspend_points.h"
#include "threads_apart.h"
#include "warp_uniformity.h"

namespace musashim::mcc {
namespace {

using llvm::BasicBlock;

bool isSuspendPoint(const llvm::Instruction& instruction) { return calledOp(instruction).has_value(); }

// A GPU for LLVM's uniformity analysis: says which values differ between threads.
class GpuTarget final : public llvm::TargetTransformInfoImplCRTPBase<GpuTarget> {
 public:
  // `divergent`: phis whose value depends on the path that a thread has taken, and values of other times.
  GpuTarget(const llvm::DataLayout& layout, const llvm::SmallPtrSetImpl<const llvm::Value*>& divergent,
            unsigned warpSize)
      : llvm::TargetTransformInfoImplCRTPBase<GpuTarget>(layout),
        divergent_(divergent),
        warpSize_(warpSize) {}

  bool hasBranchDivergence(const llvm::Function* = nullptr) const { return true; }
  bool isAlwaysUniform(const llvm::Value* value) const { return isWarpUniform(*value, warpSize_); }

  bool isSourceOfDivergence(const llvm::Value* value) const {
    const auto* instruction = llvm::dyn_cast<llvm::Instruction>(value);
    if (instruction == nullptr) return false;
    if (divergent_.contains(instruction)) return true;
    if (const auto* load = llvm::dyn_cast<llvm::LoadInst>(instruction)) return !isPlainSharedLoad(*load);
    if (const auto* call = llvm::dyn_cast<llvm::CallBase>(instruction)) {
      return !isPureCall(*call) && !isWarpUniform(*call, warpSize_);
    }
    return llvm::isa<llvm::AtomicRMWInst, llvm::AtomicCmpXchgInst, llvm::AllocaInst, llvm::VAArgInst>(
        instruction);
  }

 private:
  // Without synchronisation no thread may write what others read: one address, one value. Atomic updates do,
  // also those that are loads and stores by now.
  static bool isPlainSharedLoad(const llvm::LoadInst& load) {
    return load.isSimple() && !load.hasMetadata(kDependentMetadata) &&
           !llvm::isa<llvm::AllocaInst>(llvm::getUnderlyingObject(load.getPointerOperand()));
  }

  static bool isPureCall(const llvm::CallBase& call) {
    const llvm::Function* callee = call.getCalledFunction();
    // A function of the program may ask which thread it is.
    if (callee == nullptr || isSuspendPoint(call) || !callee->isDeclaration()) return false;
    if (const Builtin* builtin = findBuiltin(callee->getName()))
      return builtin->value != BlockValue::kThreadIdx;
    return callee->doesNotAccessMemory();
  }

  const llvm::SmallPtrSetImpl<const llvm::Value*>& divergent_;
  const unsigned warpSize_;
};

// Blocks where disjoint paths from `branch` join, by `order`, a reverse post-order. Each path is named by its
// first block, or by the last block at which paths have joined. Back edges do not count.
llvm::SmallVector<const BasicBlock*, 4> joinsOf(const BasicBlock& branch,
                                                llvm::ArrayRef<const BasicBlock*> order) {
  llvm::SmallSetVector<const BasicBlock*, 4> joins;
  llvm::DenseMap<const BasicBlock*, const BasicBlock*> pathTo;
  const auto arrive = [&](const BasicBlock* block, const BasicBlock* path) {
    const auto [known, isFirst] = pathTo.try_emplace(block, path);
    if (isFirst || known->second == path) return;
    known->second = block;
    joins.insert(block);
  };
  llvm::SmallPtrSet<const BasicBlock*, 32> done;
  for (const BasicBlock* block : order) {
    done.insert(block);
    const BasicBlock* path = pathTo.lookup(block);
    if (path == nullptr && block != &branch) continue;
    for (const BasicBlock* next : llvm::successors(block)) {
      if (!done.contains(next)) arrive(next, block == &branch ? next : path);
    }
  }
  return joins.takeVector();
}

bool endsThreads(const BasicBlock& block) { return llvm::succ_empty(&block); }

// The control flow graph by number. Edges to the end of a thread, without another suspend point on the path,
// are left out where the branch has another successor.
class Flow {
 public:
  explicit Flow(llvm::Function& function) {
    for (BasicBlock& block : function) {
      number_[&block] = static_cast<unsigned>(blocks_.size());
      blocks_.push_back(&block);
    }
    markEnding();
    for (const BasicBlock* block : blocks_) successors_.push_back(pathsOn(*block));
    keepEndsOfLoops();
    computePostDominators();
  }

  size_t size() const { return blocks_.size(); }
  const BasicBlock& block(unsigned number) const { return *blocks_[number]; }

  // The influence region of `branch`: blocks that threads may run before its immediate reconvergence point.
  llvm::BitVector influencedBy(unsigned branch) const {
    llvm::BitVector seen(size());
    llvm::SmallVector<unsigned, 16> work(successors_[branch].begin(), successors_[branch].end());
    if (successors_[branch].size() < 2) return seen;
    while (!work.empty()) {
      const unsigned next = work.pop_back_val();
      const bool allMeet = next != branch && postDominators_[branch][next];
      if (allMeet || seen[next]) continue;
      seen.set(next);
      work.append(successors_[next].begin(), successors_[next].end());
    }
    return seen;
  }

 private:
  // Blocks from which no suspend point is reached any more.
  void markEnding() {
    ending_.resize(size(), true);
    llvm::SmallVector<const BasicBlock*, 16> work;
    for (const BasicBlock* block : blocks_) {
      if (llvm::any_of(*block, isSuspendPoint)) work.push_back(block);
    }
    while (!work.empty()) {
      const BasicBlock* block = work.pop_back_val();
      if (!ending_[number_[block]]) continue;
      ending_.reset(number_[block]);
      for (const BasicBlock* previous : llvm::predecessors(block)) work.push_back(previous);
    }
  }

  llvm::SmallVector<unsigned, 2> allPaths(const BasicBlock& block) const {
    llvm::SmallVector<unsigned, 2> paths;
    for (const BasicBlock* next : llvm::successors(&block)) paths.push_back(number_.lookup(next));
    return paths;
  }

  llvm::SmallVector<unsigned, 2> pathsOn(const BasicBlock& block) const {
    llvm::SmallVector<unsigned, 2> paths = allPaths(block);
    if (llvm::any_of(paths, [this](unsigned next) { return !ending_[next]; })) {
      llvm::erase_if(paths, [this](unsigned next) { return ending_[next]; });
    }
    return paths;
  }

  // Where the only way out of a loop leads to the end, that edge is kept. Otherwise everything would seem to
  // come after an infinite loop.
  void keepEndsOfLoops() {
    llvm::BitVector ends(static_cast<unsigned>(size()));
    for (bool changed = true; changed;) {
      changed = false;
      for (unsigned block = 0; block < size(); ++block) {
        const bool reaches = successors_[block].empty() ||
                             llvm::any_of(successors_[block], [&](unsigned next) { return ends[next]; });
        if (!reaches || ends[block]) continue;
        ends.set(block);
        changed = true;
      }
    }
    for (unsigned block = 0; block < size(); ++block) {
      if (!ends[block]) successors_[block] = allPaths(*blocks_[block]);
    }
  }

  void computePostDominators() {
    postDominators_.assign(size(), llvm::BitVector(size(), true));
    for (bool changed = true; changed;) {
      changed = false;
      for (unsigned block = static_cast<unsigned>(size()); block-- > 0;) {
        llvm::BitVector meet(size(), !successors_[block].empty());
        for (const unsigned next : successors_[block]) meet &= postDominators_[next];
        meet.set(block);
        if (meet == postDominators_[block]) continue;
        postDominators_[block] = std::move(meet);
        changed = true;
      }
    }
  }

  std::vector<const BasicBlock*> blocks_;
  llvm::DenseMap<const BasicBlock*, unsigned> number_;
  std::vector<llvm::SmallVector<unsigned, 2>> successors_;
  std::vector<llvm::BitVector> postDominators_;
  llvm::BitVector ending_;
};

// LLVM takes a phi of a value and of nothing (undef) for that value, which it may choose. Here the threads
// that have nothing run the same code in turn: what is kept once for all would be theirs.
bool mergesNothing(const llvm::PHINode& phi) {
  return llvm::any_of(phi.incoming_values(),
                      [](const llvm::Use& use) { return llvm::isa<llvm::UndefValue>(use); });
}

}  // namespace

// Analyses of its own: in those of the pipeline the target is the host's processor, where nothing diverges.
Uniformity::Uniformity(llvm::Function& function, unsigned warpSize) : warpSize_(warpSize) {
  analyses_.registerPass([] { return llvm::PassInstrumentationAnalysis(); });
  analyses_.registerPass([] { return llvm::DominatorTreeAnalysis(); });
  analyses_.registerPass([] { return llvm::CycleAnalysis(); });
  analyses_.registerPass([] { return llvm::UniformityInfoAnalysis(); });
  analyses_.registerPass([this, warpSize] {
    return llvm::TargetIRAnalysis([this, warpSize](const llvm::Function& f) {
      return llvm::TargetTransformInfo(GpuTarget(f.getParent()->getDataLayout(), divergent_, warpSize));
    });
  });
  const auto analyse = [&] {
    analyses_.clear(function, function.getName());
    info_ = &analyses_.getResult<llvm::UniformityInfoAnalysis>(function);
  };
  do {
    do analyse();
    while (addJoins(function));
    findDivergedBlocks(function);
  } while (addThreadsApart(function));
  for (const llvm::Instruction& instruction : llvm::instructions(function)) analysed_.insert(&instruction);
}

// LLVM 19 misses some joins of divergent paths of which one goes through a loop.
bool Uniformity::addJoins(const llvm::Function& function) {
  const llvm::ReversePostOrderTraversal<const llvm::Function*> traversal(&function);
  const std::vector<const BasicBlock*> order(traversal.begin(), traversal.end());
  bool added = false;
  for (const BasicBlock* block : order) {
    if (hasUniformTerminator(*block)) continue;
    for (const BasicBlock* join : joinsOf(*block, order)) {
      for (const llvm::PHINode& phi : join->phis()) {
        const bool mayDiffer = !phi.hasConstantOrUndefValue() || mergesNothing(phi);
        if (info_->isUniform(&phi) && mayDiffer) added |= divergent_.insert(&phi).second;
      }
    }
  }
  return added;
}

bool Uniformity::isUniform(const llvm::Value& value) const {
  if (llvm::isa<llvm::Instruction>(value) && !analysed_.contains(&value)) return false;
  if (!info_->isUniform(&value)) return false;
  // Temporal divergence: a value may be uniform in a loop, but not behind it, where threads leave at
  // different iterations.
  return llvm::none_of(value.uses(), [this](const llvm::Use& use) { return info_->isDivergentUse(use); });
}

bool Uniformity::hasUniformTerminator(const BasicBlock& block) const {
  return endsThreads(block) || !info_->hasDivergentTerminator(block);
}

void Uniformity::findDivergedBlocks(llvm::Function& function) {
  const Flow flow(function);
  for (unsigned number = 0; number < flow.size(); ++number) {
    if (hasUniformTerminator(flow.block(number))) continue;
    const llvm::BitVector influenced = flow.influencedBy(number);
    for (const unsigned block : influenced.set_bits()) diverged_.insert(&flow.block(block));
  }
}

// True if more values are divergent by it than were known.
bool Uniformity::addThreadsApart(const llvm::Function& function) {
  ThreadsApart apart(warpSize_);
  apart.find(function, [this](const BasicBlock& block) { return !isConverged(block); });
  diverged_.insert(apart.blocks().begin(), apart.blocks().end());
  bool added = false;
  for (const llvm::Value* value : apart.valuesOfOtherTimes()) added |= divergent_.insert(value).second;
  return added;
}

}  // namespace musashim::mcc
