#include "lockstep.h"

#include "guards.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/CFG.h"
#include "llvm/IR/Dominators.h"
#include "llvm/Transforms/Utils/Cloning.h"
#include "llvm/Transforms/Utils/LoopSimplify.h"
#include "llvm/Transforms/Utils/LoopUtils.h"
#include "llvm/Transforms/Utils/ValueMapper.h"
#include "mcc/device_plugin/block/analysis/monotonic_conditions.h"
#include "mcc/device_plugin/block/analysis/suspend_points.h"
#include "mcc/device_plugin/block/loops/arithmetic_loops.h"
#include "mcc/device_plugin/block/loops/row_loops.h"
#include "mcc/device_plugin/checks/check_calls.h"
#include "mcc/device_plugin/checks/check_inline.h"
#include "mcc/device_plugin/shared_memory/shared_atomics.h"
#include "no_wrap_checks.h"
#include "phi_rematerialization.h"

namespace musashim::mcc {
namespace {

using llvm::BasicBlock;
using llvm::BranchInst;
using llvm::Instruction;
using llvm::IRBuilder;
using llvm::Loop;
using llvm::PHINode;
using llvm::Value;

constexpr unsigned kMostLoops = 16;         // per kernel
constexpr unsigned kLargestChecked = 1000;  // instructions of a loop, most of them checks

class LockstepLoop {
 public:
  LockstepLoop(UnitFunction& unit, const Uniformity& uniformity, Loop& loop, llvm::LoopInfo& loops,
               llvm::DominatorTree& dominators)
      : unit_(unit),
        uniformity_(uniformity),
        condition_(unit, uniformity),
        loop_(loop),
        loops_(loops),
        dominators_(dominators) {}

  // True when the function was changed.
  bool run() {
    if (waitsInStep()) return splitInductionVariables(loop_);
    if (!isCandidate()) return false;
    auto* branch = llvm::cast<BranchInst>(loop_.getLoopLatch()->getTerminator());
    if (uniformity_.hasUniformTerminator(*branch->getParent())) {
      splitInductionVariables(loop_);
      markCut(*branch);
      return true;
    }
    return peelCommonIterations(*branch);
  }

 private:
  // A loop with barriers, which all threads run alike: it is between the loops over threads already.
  bool waitsInStep() const {
    BasicBlock* preheader = loop_.getLoopPreheader();
    if (preheader == nullptr || loop_.getLoopLatch() == nullptr || !uniformity_.isConverged(*preheader))
      return false;
    llvm::SmallVector<BasicBlock*, 4> exiting;
    loop_.getExitingBlocks(exiting);
    if (!llvm::all_of(exiting,
                      [&](const BasicBlock* block) { return uniformity_.hasUniformTerminator(*block); }))
      return false;
    return llvm::any_of(loop_.blocks(), [](BasicBlock* block) { return llvm::any_of(*block, calledOp); });
  }

  bool isCandidate() {
    BasicBlock* latch = loop_.getLoopLatch();
    if (!loop_.isInnermost() || latch == nullptr || loop_.getExitingBlock() != latch ||
        !loop_.isLoopSimplifyForm())
      return false;
    if (!llvm::isa<BranchInst>(latch->getTerminator()) || !uniformity_.isConverged(*loop_.getLoopPreheader()))
      return false;
    unsigned size = 0, coalesced = 0, scattered = 0;
    const bool checked = llvm::any_of(loop_.blocks(), [](const BasicBlock* block) {
      return llvm::any_of(*block, [](const Instruction& instruction) { return isCheck(instruction); });
    });
    for (BasicBlock* block : loop_.blocks()) {
      size += static_cast<unsigned>(block->size());
      for (const Instruction& instruction : *block) {
        if (instruction.isAtomic() || instruction.isVolatile() || calledOp(instruction)) return false;
        const auto* call = llvm::dyn_cast<llvm::CallBase>(&instruction);
        if (call != nullptr && !call->doesNotAccessMemory() && !isCheck(*call)) return false;
        // Read-modify-writes of shared memory hit the caches in either order.
        const Value* pointer = llvm::getLoadStorePointerOperand(&instruction);
        if (pointer == nullptr || instruction.hasMetadata(kDependentMetadata)) continue;
        if (checked && instruction.hasMetadata(llvm::LLVMContext::MD_invariant_load)) continue;  // a check's
        ++(isCoalesced(*uncheckedPointer(pointer)) ? coalesced : scattered);
      }
    }
    // Checks of adjacent places are done as one. That gains more than the values cost that are kept from
    // iteration to iteration.
    if (checked) return size <= kLargestChecked && coalesced > 0;
    const bool uniform = uniformity_.hasUniformTerminator(*latch);
    if (coalesced > scattered || isRowLoop(loop_))
      return uniform || size <= kLargestCopy;  // else it is copied
    return uniform && coalesced + scattered == 0 && isLongArithmetic(loop_);
  }

  // The access is coalesced: threads that run together access one address, or adjacent ones.
  bool isCoalesced(const Value& pointer) const {
    if (condition_.isUniform(pointer)) return true;
    const auto* address = llvm::dyn_cast<llvm::GetElementPtrInst>(&pointer);
    if (address == nullptr) return isCoalescedInduction(pointer);
    // A member, or a row of what has been chosen by the thread before the loop.
    if (llvm::all_of(address->indices(), [&](const Value* index) { return condition_.isUniform(*index); }))
      return isCoalesced(*address->getPointerOperand());
    const Value* index = address->getOperand(address->getNumOperands() - 1);
    for (unsigned i = 0; i + 1 < address->getNumOperands(); ++i) {
      if (!condition_.isUniform(*address->getOperand(i)) && !isCoalescedInduction(*address->getOperand(i)))
        return false;
    }
    return condition_.growsWithThread(*index) || isCoalescedIndex(*index);
  }

  bool isCoalescedIndex(const Value& index) const {
    const Value* value = &index;
    while (const auto* cast = llvm::dyn_cast<llvm::CastInst>(value)) value = cast->getOperand(0);
    if (isCoalescedInduction(*value) || condition_.growsWithThread(*value)) return true;
    const auto* sum = llvm::dyn_cast<llvm::BinaryOperator>(value);
    if (sum == nullptr || sum->getOpcode() != Instruction::Add) return false;
    return isCoalescedIndex(*sum->getOperand(0)) && isCoalescedIndex(*sum->getOperand(1));
  }

  // An induction variable whose start differs by the thread's index, and whose step is uniform.
  bool isCoalescedInduction(const Value& value) const {
    const auto* phi = llvm::dyn_cast<PHINode>(&value);
    if (phi == nullptr || phi->getParent() != loop_.getHeader() || stepOf(*phi, loop_) == nullptr)
      return false;
    const Value* start = phi->getIncomingValueForBlock(loop_.getLoopPreheader());
    if (const auto* address = llvm::dyn_cast<llvm::GetElementPtrInst>(start)) {
      return condition_.growsWithThread(*address->getOperand(address->getNumOperands() - 1));
    }
    return condition_.growsWithThread(*start);
  }

  // The step of an induction variable; null when `phi` is none.
  Value* stepOf(const PHINode& phi, const Loop& loop) const {
    const Value* next = phi.getIncomingValueForBlock(loop.getLoopLatch());
    const auto* sum = llvm::dyn_cast<Instruction>(next);
    if (sum == nullptr || !loop.contains(sum)) return nullptr;
    Value* step = nullptr;
    if (sum->getOpcode() == Instruction::Add) {
      if (sum->getOperand(0) == &phi) step = sum->getOperand(1);
      if (sum->getOperand(1) == &phi) step = sum->getOperand(0);
    } else if (const auto* address = llvm::dyn_cast<llvm::GetElementPtrInst>(sum)) {
      if (address->getPointerOperand() == &phi && address->getNumIndices() == 1)
        step = address->getOperand(1);
    }
    if (step == nullptr || !loop.isLoopInvariant(step) || !condition_.isUniform(*step)) return nullptr;
    return step;
  }

  // variable = start + advance, where `advance` is an induction variable that is uniform. True when there is
  // one.
  bool splitInductionVariables(Loop& loop) {
    BasicBlock* header = loop.getHeader();
    bool changed = false;
    for (PHINode& phi : llvm::make_early_inc_range(header->phis())) {
      if (condition_.isUniform(phi)) continue;
      Value* step = stepOf(phi, loop);
      if (step == nullptr) continue;
      Value* start = phi.getIncomingValueForBlock(loop.getLoopPreheader());
      IRBuilder<> builder(&*header->getFirstNonPHIOrDbg());
      PHINode* advance = PHINode::Create(step->getType(), 2, "", header->begin());
      Value* value = nullptr;
      if (phi.getType()->isPointerTy()) {
        auto* address =
            llvm::cast<llvm::GetElementPtrInst>(phi.getIncomingValueForBlock(loop.getLoopLatch()));
        value = builder.CreateGEP(address->getSourceElementType(), start, advance);
      } else {
        value = builder.CreateAdd(start, advance);
      }
      IRBuilder<> atLatch(loop.getLoopLatch()->getTerminator());
      Value* next = atLatch.CreateAdd(advance, step);
      advance->addIncoming(llvm::ConstantInt::get(step->getType(), 0), loop.getLoopPreheader());
      advance->addIncoming(next, loop.getLoopLatch());
      condition_.addUniform(*advance);
      condition_.addUniform(*next);
      phi.replaceAllUsesWith(value);
      phi.eraseFromParent();
      changed = true;
    }
    return changed;
  }

  // The iterations that all threads run come first, in a loop of their own. The loop as it was runs the rest.
  bool peelCommonIterations(BranchInst& branch) {
    const bool staysOnTrue = branch.getSuccessor(0) == loop_.getHeader();
    if (!hasMonotonicCondition(*branch.getCondition())) return false;
    BasicBlock* exit = loop_.getExitBlock();
    if (exit == nullptr) return false;
    llvm::formLCSSA(loop_, dominators_, &loops_, nullptr);
    // Nothing but the way to the loop is copied with it: not the phis of a loop around it, whose other ways
    // in the copy is not on.
    BasicBlock* before = loop_.getLoopPreheader();
    BasicBlock* preheader = llvm::SplitBlock(before, before->getTerminator(), &dominators_, &loops_);
    BasicBlock* header = loop_.getHeader();
    BasicBlock* latch = loop_.getLoopLatch();
    llvm::ValueToValueMapTy map;
    llvm::SmallVector<BasicBlock*, 8> copies;
    Loop* common = llvm::cloneLoopWithPreheader(header, preheader, &loop_, map, ".common", &loops_,
                                                &dominators_, copies);
    llvm::remapInstructionsInBlocks(copies, map);
    for (const auto& [source, copy] : map) {
      if (llvm::isa<Instruction>(source) && condition_.isUniform(*source)) condition_.addUniform(*copy);
    }
    llvm::SmallVector<Value*, 8> starts;
    for (PHINode& phi : header->phis()) starts.push_back(phi.getIncomingValueForBlock(preheader));
    preheader->getTerminator()->replaceSuccessorWith(header, common->getLoopPreheader());
    // Behind the common iterations each thread stays or leaves. Mostly all are done.
    auto* again = llvm::cast<BranchInst>(llvm::cast<BasicBlock>(map[latch])->getTerminator());
    BasicBlock* rest = BasicBlock::Create(header->getContext(), "rest", unit_.function, header);
    Value* goesOn = again->getCondition();
    BranchInst::Create(staysOnTrue ? header : exit, staysOnTrue ? exit : header, goesOn, rest);
    for (PHINode& phi : header->phis()) {
      const auto start = static_cast<unsigned>(phi.getBasicBlockIndex(preheader));
      phi.setIncomingValue(start, copyOf(phi.getIncomingValueForBlock(latch), map));
      phi.setIncomingBlock(start, rest);
    }
    for (PHINode& phi : exit->phis()) {
      phi.addIncoming(copyOf(phi.getIncomingValueForBlock(latch), map), rest);
    }
    const llvm::WeakTrackingVH asked = nextSigned(*again->getCondition(), *common);
    splitInductionVariables(*common);
    IRBuilder<> builder(again);
    Value* all = condition_.forAll(*again->getCondition(), staysOnTrue, builder);
    NoWrapChecks indices(*common, unit_, condition_);
    const bool widens = all != nullptr && !indices.empty();
    if (all == nullptr) all = builder.getFalse();
    if (widens) all = builder.CreateAnd(all, indices.noneWraps(*common->getLoopLatch(), asked, builder));
    BasicBlock* last = leaveUniformly(*again, staysOnTrue, *rest, *exit);
    BranchInst* choice = BranchInst::Create(common->getHeader(), last, all, again->getIterator());
    choice->setDebugLoc(again->getDebugLoc());
    markCut(*choice);
    again->eraseFromParent();
    if (widens) {
      checkBeforeFirst(indices, *common, *rest, starts);
      indices.widen();
    }
    return true;
  }

  // The induction variable whose next value the condition compares as a signed number.
  static PHINode* nextSigned(const Value& condition, const Loop& loop) {
    const auto* compare = llvm::dyn_cast<llvm::ICmpInst>(&condition);
    if (compare == nullptr || !compare->isSigned()) return nullptr;
    for (PHINode& phi : loop.getHeader()->phis()) {
      if (llvm::is_contained(compare->operands(), phi.getIncomingValueForBlock(loop.getLoopLatch())))
        return &phi;
    }
    return nullptr;
  }

  // Where indices may not be widened in the first iteration, `rest` runs all, from `starts` on.
  void checkBeforeFirst(const NoWrapChecks& indices, const Loop& common, BasicBlock& rest,
                        llvm::ArrayRef<Value*> starts) {
    BasicBlock* before = common.getLoopPreheader();
    auto* decision = llvm::cast<BranchInst>(rest.getTerminator());
    const bool staysOnTrue = decision->getSuccessor(0) == loop_.getHeader();
    for (const auto [phi, start] : llvm::zip(loop_.getHeader()->phis(), starts)) {
      const int fromRest = phi.getBasicBlockIndex(&rest);
      phi.setIncomingValue(fromRest, mergeIncoming(rest, *phi.getIncomingValue(fromRest), *start, *before));
    }
    for (PHINode& phi : loop_.getExitBlock()->phis()) {
      const int fromRest = phi.getBasicBlockIndex(&rest);
      auto* never = llvm::PoisonValue::get(phi.getType());
      phi.setIncomingValue(fromRest, mergeIncoming(rest, *phi.getIncomingValue(fromRest), *never, *before));
    }
    auto* goesOn = llvm::ConstantInt::getBool(rest.getContext(), staysOnTrue);
    decision->setCondition(mergeIncoming(rest, *decision->getCondition(), *goesOn, *before));
    IRBuilder<> builder(before->getTerminator());
    markCut(*builder.CreateCondBr(indices.noneWraps(*before, nullptr, builder), common.getHeader(), &rest));
    before->getTerminator()->eraseFromParent();
  }

  // A phi in `block`: `value`, or `another` on the edge from `there`, which is no predecessor yet.
  static Value* mergeIncoming(BasicBlock& block, Value& value, Value& another, BasicBlock& there) {
    PHINode* phi = PHINode::Create(value.getType(), 2, "", block.begin());
    for (BasicBlock* before : llvm::predecessors(&block)) phi->addIncoming(&value, before);
    phi->addIncoming(&another, &there);
    return phi;
  }

  // The block behind the common iterations: branches to `exit` when no thread has another iteration, else to
  // `rest`.
  BasicBlock* leaveUniformly(BranchInst& again, bool staysOnTrue, BasicBlock& rest, BasicBlock& exit) {
    BasicBlock* last = BasicBlock::Create(rest.getContext(), "last", unit_.function, &rest);
    IRBuilder<> builder(last);
    builder.SetCurrentDebugLocation(again.getDebugLoc());
    Value* none = condition_.forAll(*again.getCondition(), !staysOnTrue, builder);
    if (none == nullptr) {
      builder.CreateBr(&rest);
      return last;
    }
    markCut(*builder.CreateCondBr(none, &exit, &rest));
    for (PHINode& phi : exit.phis()) phi.addIncoming(phi.getIncomingValueForBlock(&rest), last);
    return last;
  }

  // The condition compares an induction variable, or its next value, with a uniform value.
  bool hasMonotonicCondition(const Value& condition) const {
    const auto* compare = llvm::dyn_cast<llvm::ICmpInst>(&condition);
    if (compare == nullptr || compare->isEquality()) return false;
    const bool leftUniform = condition_.isUniform(*compare->getOperand(0));
    if (!leftUniform && !condition_.isUniform(*compare->getOperand(1))) return false;
    const Value* counter = compare->getOperand(leftUniform ? 1 : 0);
    while (const auto* cast = llvm::dyn_cast<llvm::CastInst>(counter)) counter = cast->getOperand(0);
    for (const PHINode& phi : loop_.getHeader()->phis()) {
      if (&phi != counter && phi.getIncomingValueForBlock(loop_.getLoopLatch()) != counter) continue;
      return stepOf(phi, loop_) != nullptr && phi.getType()->isIntegerTy() &&
             condition_.growsWithThread(*phi.getIncomingValueForBlock(loop_.getLoopPreheader()));
    }
    return false;
  }

  UnitFunction& unit_;
  const Uniformity& uniformity_;
  BlockCondition condition_;
  Loop& loop_;
  llvm::LoopInfo& loops_;
  llvm::DominatorTree& dominators_;
};

void separateLoops(UnitFunction& unit) {
  llvm::SmallPtrSet<BasicBlock*, 16> done;
  bool changed = true;
  for (unsigned attempts = 0; changed && attempts < kMostLoops; ++attempts) {
    changed = false;
    const Uniformity uniformity(*unit.function, unit.warpSize);
    llvm::DominatorTree dominators(*unit.function);
    llvm::LoopInfo loops(dominators);
    for (Loop* loop : loops.getLoopsInPreorder()) {
      if (!done.insert(loop->getHeader()).second) continue;
      llvm::simplifyLoop(loop, &dominators, &loops, nullptr, nullptr, nullptr, /*PreserveLCSSA=*/false);
      if (!LockstepLoop(unit, uniformity, *loop, loops, dominators).run()) continue;
      changed = true;
      break;  // the analyses are out of date
    }
  }
}

}  // namespace

void prepareLockstep(UnitFunction& unit, llvm::FunctionAnalysisManager& analyses) {
  rematerializePhis(*unit.function);
  hoistToEntry(unit);
  // No lockstep: a thread that holds a lock must come to its release before the next one tries.
  if (unit.maySpin) return;
  splitSwitchGuards(unit);
  isolateGuards(unit);
  splitGuards(unit);
  unrollArithmeticLoops(unit, analyses);
  separateLoops(unit);
}

}  // namespace musashim::mcc
