#include "check_rows.h"

#include "check_calls.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/ScalarEvolution.h"
#include "llvm/Analysis/ScalarEvolutionExpressions.h"
#include "llvm/Transforms/Scalar/LoopPassManager.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"
#include "llvm/Transforms/Utils/Cloning.h"
#include "llvm/Transforms/Utils/LCSSA.h"
#include "llvm/Transforms/Utils/LoopSimplify.h"
#include "llvm/Transforms/Utils/LoopUtils.h"
#include "llvm/Transforms/Utils/ScalarEvolutionExpander.h"
#include "llvm/Transforms/Utils/ValueMapper.h"
#include "mcc/device_plugin/block/loops/thread_loops.h"
#include "mcc/device_plugin/device_builtins.h"

namespace musashim::mcc {
namespace {

using llvm::BasicBlock;
using llvm::CallInst;
using llvm::Loop;
using llvm::SCEV;
using llvm::Value;

// A value that is affine in the loop's iteration.
struct Affine {
  const SCEV* first = nullptr;
  int64_t step = 0;
};

// A check that is hoisted before the loop.
struct Row {
  CallInst* check = nullptr;
  Affine place;   // its pointer, offset or mask
  Affine thread;  // where it matters who asks
  Value* clean = nullptr;
};

class LoopChecks {
 public:
  LoopChecks(CheckCode& code, Loop& loop, llvm::LoopInfo& loops, llvm::DominatorTree& dominators,
             llvm::ScalarEvolution& evolution)
      : code_(code), loop_(loop), loops_(loops), dominators_(dominators), evolution_(evolution) {}

  // Returns the checks of the loop as it was that must not be made again once the hoisted ones were clean.
  llvm::SmallVector<Row, 8> run() {
    if (!isSimple()) return {};
    arriveTogether();
    if (!findRows()) return {};
    BasicBlock* before = loop_.getLoopPreheader();
    llvm::SCEVExpander expander(evolution_, code_.layout, "row");
    llvm::IRBuilder<> builder(before->getTerminator());
    builder.SetCurrentDebugLocation(rows_.front().check->getDebugLoc());
    Value* count = expander.expandCodeFor(tripCount_, code_.i64, builder.GetInsertPoint());
    Value* clean = builder.getTrue();
    for (Row& row : rows_) {
      // What one check records in shadow memory must not be found by those before it, should these be made
      // again.
      Value* iterations =
          remembers(*row.check) ? builder.CreateSelect(clean, count, builder.getInt64(0)) : count;
      row.clean = ask(row, iterations, builder, expander);
      clean = builder.CreateAnd(clean, row.clean);
    }
    copyWithout(clean);
    llvm::SmallVector<Row, 8> again;
    for (const Row& row : rows_) {
      if (remembers(*row.check)) again.push_back(row);
    }
    return again;
  }

 private:
  bool isSimple() {
    if (!loop_.isLoopSimplifyForm() || loop_.getExitingBlock() != loop_.getLoopLatch()) return false;
    const SCEV* back = evolution_.getBackedgeTakenCount(&loop_);
    if (llvm::isa<llvm::SCEVCouldNotCompute>(back)) return false;
    back = evolution_.getTruncateOrZeroExtend(back, code_.i64);
    tripCount_ = evolution_.getAddExpr(back, evolution_.getOne(code_.i64));
    return llvm::all_of(loop_.blocks(),
                        [](const BasicBlock* block) { return llvm::all_of(*block, isHarmless); });
  }

  // Threads that end their iteration at a barrier, or end, arrive there together, with one call behind the
  // loop.
  void arriveTogether() {
    CallInst* arrival = nullptr;
    for (llvm::Instruction& instruction : *loop_.getLoopLatch()) {
      if (isArrival(instruction) && arrival == nullptr) {
        arrival = llvm::cast<CallInst>(&instruction);
      } else if (arrival != nullptr && isCheck(instruction)) {
        return;
      }
    }
    const Affine thread = arrival != nullptr ? affine(threadIn(*arrival)) : Affine{};
    if (thread.first == nullptr || thread.step != 1) return;
    llvm::SCEVExpander expander(evolution_, code_.layout, "row");
    llvm::IRBuilder<> builder(loop_.getLoopPreheader()->getTerminator());
    Value* first = expander.expandCodeFor(thread.first, code_.i32, builder.GetInsertPoint());
    Value* count = expander.expandCodeFor(tripCount_, code_.i64, builder.GetInsertPoint());
    builder.SetInsertPoint(&*loop_.getExitBlock()->getFirstInsertionPt());
    builder.SetCurrentDebugLocation(arrival->getDebugLoc());
    if (calledName(*arrival) == kLeaveCheck) {
      builder.CreateCall(code_.runtime("__musa_check_end", code_.none, {code_.i32, code_.i64}),
                         {first, count});
    } else {
      builder.CreateCall(code_.runtime("__musa_check_arrive", code_.none, {code_.ptr, code_.i32, code_.i64}),
                         {arrival->getArgOperand(1), first, count});
    }
    arrival->eraseFromParent();
  }

  static bool isArrival(const llvm::Instruction& instruction) {
    const llvm::StringRef name = calledName(instruction);
    return name == kBarrierCheck || name == kLeaveCheck;
  }

  // It waits for nobody, frees nothing, and does not leave the loop.
  static bool isHarmless(const llvm::Instruction& instruction) {
    const auto* call = llvm::dyn_cast<llvm::CallBase>(&instruction);
    if (call == nullptr || call->doesNotAccessMemory() || llvm::isa<llvm::IntrinsicInst>(call)) return true;
    const llvm::StringRef name = calledName(instruction);
    return name.starts_with(kInlinePrefix) || name == kRaceCheck || name == kWarpCheck;
  }

  bool findRows() {
    for (BasicBlock* block : loop_.blocks()) {
      const bool always = dominators_.dominates(block, loop_.getLoopLatch());
      for (llvm::Instruction& instruction : *block) {
        auto* call = llvm::dyn_cast<CallInst>(&instruction);
        if (call == nullptr || !hasRow(*call) || (!always && isAboutAll(*call))) continue;
        const Row row{call, affine(placeIn(*call)), affine(threadIn(*call)), nullptr};
        if (row.place.first != nullptr && isKnownWho(row)) rows_.push_back(row);
      }
    }
    return !rows_.empty();
  }

  // It is about all threads of the loop.
  static bool isAboutAll(const CallInst& check) {
    return remembers(check) || calledName(check) == kWarpCheck;
  }

  static bool isKnownWho(const Row& row) {
    const bool known = row.thread.first != nullptr;
    if (calledName(*row.check) == kWarpCheck) return known && row.thread.step == 1 && row.place.step == 0;
    return !remembersRaces(*row.check) || (known && row.thread.step >= 0 && row.thread.step <= 1);
  }

  Affine affine(Value* value) {
    const SCEV* place = evolution_.getSCEV(unchecked(value));
    if (evolution_.isLoopInvariant(place, &loop_)) return known(place, 0);
    const auto* line = llvm::dyn_cast<llvm::SCEVAddRecExpr>(place);
    if (line == nullptr || line->getLoop() != &loop_ || !line->isAffine()) return {};
    const auto* step = llvm::dyn_cast<llvm::SCEVConstant>(line->getStepRecurrence(evolution_));
    if (step == nullptr || !step->getAPInt().isSignedIntN(31)) return {};
    return known(line->getStart(), step->getAPInt().getSExtValue());
  }

  Affine known(const SCEV* first, int64_t step) {
    llvm::SCEVExpander expander(evolution_, code_.layout, "row");
    const llvm::Instruction* at = loop_.getLoopPreheader()->getTerminator();
    return expander.isSafeToExpandAt(first, at) ? Affine{first, step} : Affine{};
  }

  // The checked operand, when the value comes from a check in the loop.
  static Value* unchecked(Value* value) {
    while (calledName(*value).starts_with(kInlinePrefix)) value = askedAbout(*llvm::cast<CallInst>(value));
    return value;
  }

  Value* ask(const Row& row, Value* count, llvm::IRBuilder<>& builder, llvm::SCEVExpander& expander) {
    const CallInst& check = *row.check;
    Value* first =
        expander.expandCodeFor(row.place.first, placeIn(check)->getType(), builder.GetInsertPoint());
    Value* step = builder.getInt64(static_cast<uint64_t>(row.place.step));
    if (calledName(check) == kBoundsCheck) {
      Value* last =
          builder.CreateAdd(first, builder.CreateMul(step, builder.CreateSub(count, builder.getInt64(1))));
      Value* limit = check.getArgOperand(kCheckedLast);
      return builder.CreateAnd(builder.CreateICmpULE(first, limit), builder.CreateICmpULE(last, limit));
    }
    const auto thread = [&] {
      return expander.expandCodeFor(row.thread.first, code_.i32, builder.GetInsertPoint());
    };
    if (calledName(check) == kWarpCheck) {
      return builder.CreateCall(code_.inlined("warps"),
                                {code_.state(builder), siteOf(check), first, thread(), count});
    }
    Value* clean = nullptr;
    if (remembersRaces(check)) {
      clean = builder.CreateCall(
          code_.runtime("__musa_check_row_race", code_.i32,
                        {code_.ptr, code_.i64, code_.i64, code_.ptr, code_.i32, code_.i32}),
          {first, step, count, siteOf(check), thread(),
           code_.number(static_cast<uint64_t>(row.thread.step))});
    } else {
      clean = builder.CreateCall(
          code_.runtime("__musa_check_row", code_.i32,
                        {code_.ptr, code_.i64, code_.i64, code_.ptr, code_.i32, code_.i32}),
          {first, step, count, siteOf(check), check.getArgOperand(kCheckedSlot),
           check.getArgOperand(kCheckedInit)});
    }
    return builder.CreateICmpNE(clean, builder.getInt32(0));
  }

  // before: clean ? copy : loop
  void copyWithout(Value* clean) {
    BasicBlock* start = loop_.getLoopPreheader();
    BasicBlock* own = llvm::SplitBlock(start, start->getTerminator(), &dominators_, &loops_);
    own->setName("checked");
    BasicBlock* exit = loop_.getExitBlock();
    llvm::ValueToValueMapTy map;
    llvm::SmallVector<BasicBlock*, 8> blocks;
    Loop* copy =
        llvm::cloneLoopWithPreheader(own, start, &loop_, map, ".clean", &loops_, &dominators_, blocks);
    llvm::remapInstructionsInBlocks(blocks, map);
    llvm::Instruction* branch = start->getTerminator();
    llvm::BranchInst::Create(copy->getLoopPreheader(), own, clean, branch->getIterator());
    branch->eraseFromParent();
    for (llvm::PHINode& phi : exit->phis()) {
      Value* value = phi.getIncomingValueForBlock(loop_.getLoopLatch());
      const auto found = map.find(value);
      phi.addIncoming(found != map.end() ? static_cast<Value*>(found->second) : value, copy->getLoopLatch());
    }
    dominators_.changeImmediateDominator(exit, start);
    for (const Row& row : rows_) {
      auto* check = llvm::cast<CallInst>(map[row.check]);
      if (!check->getType()->isVoidTy()) check->replaceAllUsesWith(askedAbout(*check));
      check->eraseFromParent();
    }
    renameLoop(*copy);
    disableLoopTransforms(*llvm::cast<llvm::BranchInst>(loop_.getLoopLatch()->getTerminator()));
  }

  // Two loops share no properties.
  static void renameLoop(Loop& loop) {
    llvm::MDNode* properties = loop.getLoopID();
    if (properties == nullptr) return;
    llvm::SmallVector<llvm::Metadata*, 4> operands(properties->op_begin(), properties->op_end());
    llvm::MDNode* own = llvm::MDNode::getDistinct(properties->getContext(), operands);
    own->replaceOperandWith(0, own);
    loop.setLoopID(own);
  }

  CheckCode& code_;
  Loop& loop_;
  llvm::LoopInfo& loops_;
  llvm::DominatorTree& dominators_;
  llvm::ScalarEvolution& evolution_;
  const SCEV* tripCount_ = nullptr;
  llvm::SmallVector<Row, 8> rows_;
};

// if (!clean) check
void guard(const Row& row) {
  CallInst* check = row.check;
  llvm::IRBuilder<> builder(check);
  BasicBlock* before = check->getParent();
  llvm::Instruction* then = llvm::SplitBlockAndInsertIfThen(builder.CreateNot(row.clean), check, false);
  BasicBlock* after = check->getParent();
  check->moveBefore(then);
  if (check->getType()->isVoidTy() || check->use_empty()) return;
  llvm::PHINode* place = llvm::PHINode::Create(check->getType(), 2, "", after->begin());
  check->replaceAllUsesWith(place);
  place->addIncoming(askedAbout(*check), before);
  place->addIncoming(check, then->getParent());
}

}  // namespace

void checkRows(CheckCode& code, llvm::Function& function, llvm::FunctionAnalysisManager& analyses) {
  if (function.hasFnAttribute(llvm::Attribute::OptimizeNone)) return;
  auto& dominators = analyses.getResult<llvm::DominatorTreeAnalysis>(function);
  auto& loops = analyses.getResult<llvm::LoopAnalysis>(function);
  llvm::SmallVector<Loop*, 16> work;
  for (Loop* loop : loops.getLoopsInPreorder()) {
    if (!loop->isInnermost() || !isOverThreads(*loop)) continue;
    llvm::simplifyLoop(loop, &dominators, &loops, nullptr, nullptr, nullptr, /*PreserveLCSSA=*/false);
    llvm::formLCSSA(*loop, dominators, &loops, nullptr);
    work.push_back(loop);
  }
  auto& evolution = analyses.getResult<llvm::ScalarEvolutionAnalysis>(function);
  llvm::SmallVector<Row, 16> guarded;
  for (Loop* loop : work) {
    evolution.forgetAllLoops();
    guarded.append(LoopChecks(code, *loop, loops, dominators, evolution).run());
  }
  llvm::for_each(guarded, guard);
  analyses.invalidate(function, llvm::PreservedAnalyses::none());
}

}  // namespace musashim::mcc
