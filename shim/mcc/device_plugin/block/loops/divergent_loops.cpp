// Finds loops of arithmetic with divergent trip counts (escape times, root finding, rejection sampling), to
// be vectorised by strip mining.
#include "divergent_loop.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/Transforms/Utils/LoopSimplify.h"
#include "llvm/Transforms/Utils/LoopUtils.h"
#include "mcc/device_plugin/block/analysis/vectorizable.h"
#include "mcc/device_plugin/passes.h"
#include "thread_loops.h"

namespace musashim::mcc {
namespace {

using llvm::BasicBlock;
using llvm::BranchInst;
using llvm::Instruction;
using llvm::IRBuilder;
using llvm::Loop;
using llvm::PHINode;

constexpr unsigned kLargestBody = 150;  // instructions

class Finder {
 public:
  Finder(Loop& threads, llvm::DominatorTree& dominators, llvm::LoopInfo& loops,
         llvm::ScalarEvolution& evolution, unsigned vectorBits)
      : loop_{threads, **threads.begin()},
        function_(*threads.getHeader()->getParent()),
        dominators_(dominators),
        loops_(loops),
        evolution_(evolution) {
    loop_.vectorBits = vectorBits;
  }

  // The analyses do not hold afterwards, but for the dominators.
  std::optional<DivergentLoop> run() {
    llvm::simplifyLoop(&loop_.threads, &dominators_, &loops_, &evolution_, nullptr, nullptr,
                       /*PreserveLCSSA=*/false);
    if (!isCandidate()) return std::nullopt;
    llvm::formLCSSA(loop_.body, dominators_, &loops_, &evolution_);
    loop_.exit = exits_.size() == 1 ? exits_.front() : joinExits();
    findParts();
    return loop_;
  }

 private:
  bool isCandidate() {
    // Accesses that are not independent, as to words that threads update in turn, must keep their order.
    if (!loop_.threads.isAnnotatedParallel()) return false;
    if (!loop_.threads.isLoopSimplifyForm() || !loop_.body.isLoopSimplifyForm()) return false;
    if (loop_.threads.getExitingBlock() != loop_.threads.getLoopLatch() ||
        loop_.threads.getExitBlock() == nullptr)
      return false;
    loop_.index = loop_.threads.getInductionVariable(evolution_);
    loop_.body.getUniqueExitBlocks(exits_);
    loop_.preheader = loop_.body.getLoopPreheader();
    const auto phis = loop_.threads.getHeader()->phis();
    if (loop_.index == nullptr || exits_.empty() || exits_.size() > 2 ||
        std::distance(phis.begin(), phis.end()) != 1)
      return false;
    loop_.backedgeTakenCount = evolution_.getBackedgeTakenCount(&loop_.threads);
    if (llvm::isa<llvm::SCEVCouldNotCompute>(loop_.backedgeTakenCount)) return false;
    if (const auto* constant = llvm::dyn_cast<llvm::SCEVConstant>(loop_.backedgeTakenCount)) {
      const llvm::APInt& backedgeTakenCount = constant->getAPInt();
      if (backedgeTakenCount.ult(loop_.stripThreads() - 1)) loop_.vectorBits = kAtLeastVectorBits;
      if (backedgeTakenCount.ult(loop_.stripThreads() - 1)) return false;
    }
    const llvm::SCEV* trips = evolution_.getBackedgeTakenCount(&loop_.body);
    if (!llvm::isa<llvm::SCEVCouldNotCompute>(trips) && evolution_.isLoopInvariant(trips, &loop_.threads))
      return false;
    return isArithmetic() && staysInside();
  }

  bool isArithmetic() {
    unsigned size = 0;
    for (BasicBlock* block : loop_.body.blocks()) {
      if (!llvm::isa<BranchInst>(block->getTerminator())) return false;
      for (const Instruction& instruction : *block) {
        if (instruction.isTerminator() || instruction.isDebugOrPseudoInst()) continue;
        if (!isVectorArithmetic(instruction) || instruction.mayReadOrWriteMemory()) return false;
        loop_.widestBits = std::max(loop_.widestBits, instruction.getType()->getScalarSizeInBits());
        ++size;
      }
    }
    return size <= kLargestBody;
  }

  // No value of the loop over threads is used behind it.
  bool staysInside() const {
    return llvm::all_of(loop_.threads.blocks(), [&](BasicBlock* block) {
      return llvm::all_of(*block, [&](const Instruction& instruction) {
        return llvm::all_of(instruction.users(), [&](const llvm::User* user) {
          return loop_.threads.contains(llvm::cast<Instruction>(user));
        });
      });
    });
  }

  // Gives the body one exit block, which branches to each thread's own exit.
  BasicBlock* joinExits() {
    BasicBlock* joined = BasicBlock::Create(function_.getContext(), "exits", &function_, exits_.front());
    loop_.threads.addBasicBlockToLoop(joined, loops_);
    IRBuilder<> builder(joined);
    PHINode* second = builder.CreatePHI(builder.getInt1Ty(), 2);
    llvm::SmallVector<std::pair<BasicBlock*, BasicBlock*>, 4> edges;
    for (BasicBlock* exit : exits_) {
      for (BasicBlock* from : llvm::predecessors(exit)) edges.emplace_back(from, exit);
    }
    for (const auto& [from, exit] : edges) second->addIncoming(builder.getInt1(exit == exits_[1]), from);
    for (BasicBlock* own : exits_) {
      for (PHINode& phi : llvm::make_early_inc_range(own->phis())) {
        PHINode* result = builder.CreatePHI(phi.getType(), 2);
        for (const auto& [from, exit] : edges) {
          result->addIncoming(
              exit == own ? phi.getIncomingValueForBlock(from) : llvm::PoisonValue::get(phi.getType()), from);
        }
        phi.replaceAllUsesWith(result);
        phi.eraseFromParent();
      }
    }
    for (const auto& [from, exit] : edges) from->getTerminator()->replaceSuccessorWith(exit, joined);
    builder.CreateCondBr(second, exits_[1], exits_[0]);
    dominators_.recalculate(function_);
    return joined;
  }

  void findParts() {
    llvm::SmallSetVector<BasicBlock*, 8> after;
    after.insert(loop_.exit);
    for (size_t i = 0; i < after.size(); ++i) {
      for (BasicBlock* next : llvm::successors(after[i])) {
        if (loop_.threads.contains(next) && next != loop_.threads.getHeader()) after.insert(next);
      }
    }
    loop_.after.assign(after.begin(), after.end());
    loop_.edges.push_back({loop_.preheader, loop_.body.getHeader()});
    for (BasicBlock* block : loop_.threads.blocks()) {
      if (loop_.body.contains(block) || after.contains(block)) continue;
      loop_.before.push_back(block);
      for (BasicBlock* next : llvm::successors(block)) {
        if (after.contains(next)) loop_.edges.push_back({block, next});
      }
    }
  }

  DivergentLoop loop_;
  llvm::Function& function_;
  llvm::DominatorTree& dominators_;
  llvm::LoopInfo& loops_;
  llvm::ScalarEvolution& evolution_;
  llvm::SmallVector<BasicBlock*, 2> exits_;  // before they were joined
};

Loop* firstOf(llvm::LoopInfo& loops, llvm::SmallPtrSetImpl<BasicBlock*>& seen) {
  for (Loop* loop : loops.getLoopsInPreorder()) {
    if (!isOverThreads(*loop) || loop->getSubLoops().size() != 1 || !(*loop->begin())->isInnermost())
      continue;
    if (seen.insert(loop->getHeader()).second) return loop;
  }
  return nullptr;
}

}  // namespace

llvm::PreservedAnalyses DivergentLoops::run(llvm::Function& function,
                                            llvm::FunctionAnalysisManager& analyses) {
  if (function.hasOptSize() || function.hasOptNone()) return llvm::PreservedAnalyses::all();
  llvm::SmallPtrSet<BasicBlock*, 8> seen;
  const unsigned bits = vectorBits(analyses.getResult<llvm::TargetIRAnalysis>(function));
  while (Loop* loop = firstOf(analyses.getResult<llvm::LoopAnalysis>(function), seen)) {
    auto& dominators = analyses.getResult<llvm::DominatorTreeAnalysis>(function);
    auto& evolution = analyses.getResult<llvm::ScalarEvolutionAnalysis>(function);
    auto& loops = analyses.getResult<llvm::LoopAnalysis>(function);
    if (const auto found = Finder(*loop, dominators, loops, evolution, bits).run())
      stripMine(*found, dominators, evolution);
    analyses.invalidate(function, llvm::PreservedAnalyses::none());
  }
  return seen.empty() ? llvm::PreservedAnalyses::all() : llvm::PreservedAnalyses::none();
}

}  // namespace musashim::mcc
