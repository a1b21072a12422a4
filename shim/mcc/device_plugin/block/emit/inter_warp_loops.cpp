#include "inter_warp_loops.h"

#include "abi/musa_unit_abi.h"
#include "emitter.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/Transforms/Utils/Cloning.h"
#include "llvm/Transforms/Utils/Local.h"
#include "mcc/device_plugin/block/loops/thread_loops.h"
#include "mcc/device_plugin/kernel_entry/entry_function.h"

namespace musashim::mcc {

using llvm::BasicBlock;
using llvm::Function;
using llvm::IRBuilder;
using llvm::Value;

namespace {

constexpr size_t kMostResumePoints = 16;  // that get a loop of their own
constexpr unsigned kLargestWarp = 3000;   // instructions
constexpr unsigned kMostGrowth = 2;       // of the code of all such loops, as a multiple of the warp's
constexpr unsigned kStateBits = 8;        // of a stop word: a bit for each state; the place is above them

// The least state of warps that run now.
Value* leastReady(IRBuilder<>& builder, Value* which) {
  static_assert(MUSA_UNIT_DONE < MUSA_UNIT_AT_BARRIER && MUSA_UNIT_AT_BARRIER < MUSA_UNIT_AT_RELEASE &&
                MUSA_UNIT_AT_RELEASE < MUSA_UNIT_YIELDS && MUSA_UNIT_YIELDS < MUSA_UNIT_AT_STEP);
  Value* released = builder.CreateICmpNE(which, builder.getInt32(MUSA_UNITS_YIELDING));
  return builder.CreateSelect(released, builder.getInt32(MUSA_UNIT_AT_BARRIER),
                              builder.getInt32(MUSA_UNIT_YIELDS));
}

// The function of a warp, specialized for one of the places at which it is resumed.
struct ResumePoint {
  llvm::ConstantInt* place;
  Function* function;
};

llvm::SwitchInst& placesOf(Function& warp) {
  return *llvm::cast<llvm::SwitchInst>(warp.getEntryBlock().getTerminator());
}

// A copy of the function for warps resumed at `place`; null: at a place that has no case.
Function* codeResumedAt(Function& warp, llvm::ConstantInt* place) {
  llvm::ValueToValueMapTy map;
  Function* copy = llvm::CloneFunction(&warp, map);
  llvm::SwitchInst& places = placesOf(*copy);
  if (place != nullptr) {
    places.setCondition(place);
  } else {
    while (places.getNumCases() > 0) places.removeCase(places.case_begin());
  }
  llvm::ConstantFoldTerminator(&copy->getEntryBlock(), /*DeleteDeadConditions=*/true);
  llvm::removeUnreachableBlocks(*copy);
  return copy;
}

// A copy for each place; none where that is too much code.
llvm::SmallVector<ResumePoint, 8> specializeResumePoints(Function& warp) {
  llvm::SmallVector<ResumePoint, 8> points;
  llvm::SwitchInst& places = placesOf(warp);
  const unsigned whole = warp.getInstructionCount();
  if (places.getNumCases() > kMostResumePoints || whole > kLargestWarp ||
      warp.getParent()->getNamedMetadata(kManyKernelsMetadata) != nullptr)
    return points;
  unsigned size = 0;
  for (const auto& one : places.cases()) {
    points.push_back({one.getCaseValue(), codeResumedAt(warp, one.getCaseValue())});
    size += points.back().function->getInstructionCount();
    if (size <= kMostGrowth * whole) continue;
    for (const ResumePoint& point : points) point.function->eraseFromParent();
    return {};
  }
  return points;
}

// Makes MusaUnitProgram::run. Warps are mostly resumed at one place, one after the other. So each place has a
// loop of its own over consecutive warps that stand there, and what is the same for them is computed once.
// For blocks of known size these loops run over all warps, as long as all have come to the same barrier. Only
// when they have not does the code look where each warp stands.
class InterWarpLoops {
 public:
  InterWarpLoops(const UnitFunction& unit, const BlockSize* size)
      : warp_(*unit.function),
        warpSize_(unit.warpSize),
        hasSteps_(unit.hasSteps),
        size_(size),
        type_(unitType(warp_.getContext())),
        i32_(llvm::Type::getInt32Ty(warp_.getContext())),
        function_(createEntry(warp_, ".sweep", i32_, {i32_, i32_})),
        builder_(block("entry")),
        aliasing_(warp_.getContext()) {}

  Function* run() {
    // The code of a warp brings its places in the source along.
    function_->setSubprogram(warp_.getSubprogram());
    warp_.setSubprogram(nullptr);
    index_ = builder_.CreateAlloca(i32_);
    resumePoints_ = specializeResumePoints(warp_);
    if (resumePoints_.empty()) size_ = nullptr;  // nothing is known to go together
    anyStop_ = builder_.CreateAlloca(i32_);
    allStops_ = builder_.CreateAlloca(i32_);
    fresh_ = builder_.CreateAlloca(builder_.getInt1Ty());
    ready_ = builder_.CreateAlloca(i32_);
    Value* which = function_->getArg(2);
    Value* atStart = builder_.CreateICmpEQ(which, builder_.getInt32(MUSA_UNITS_START));
    builder_.CreateStore(size_ != nullptr ? builder_.getFalse() : atStart, fresh_);
    builder_.CreateStore(leastReady(builder_, which), ready_);
    toFirst();
    context_ = builder_.CreateLoad(builder_.getPtrTy(), field(function_->getArg(0), kUnitBlockField));
    head_ = block("warp");
    end_ = block("end");
    if (size_ != nullptr) {
      const auto start = emitConvergedLoops();
      builder_.CreateCondBr(atStart, start, head_);
    } else {
      builder_.CreateBr(head_);
    }
    emitChoice();
    for (const auto& [call, store] : calls_) {
      Function* callee = call->getCalledFunction();
      inlineKernel(call);
      if (callee != &warp_) callee->eraseFromParent();
      auto* state = llvm::dyn_cast<llvm::PHINode>(store->getValueOperand());
      if (state != nullptr && state->getParent() == store->getParent()) separateEnds(*state);
    }
    if (!resumePoints_.empty()) markPlaces();
    if (size_ != nullptr) computeOrigins();
    return function_;
  }

 private:
  BasicBlock* block(const llvm::Twine& name) {
    return BasicBlock::Create(warp_.getContext(), name, function_);
  }
  Value* field(Value* unit, UnitField index) { return builder_.CreateStructGEP(type_, unit, index); }
  void markPlaces() {
    for (llvm::Instruction& instruction : llvm::instructions(function_)) {
      if (instruction.hasMetadata(kPlaceMetadata)) aliasing_.markFrameAccess(instruction);
    }
    aliasing_.markOthers(*function_);
  }
  // No pointer of the kernel leads to where a warp stands.
  Value* loadField(Value* unit, UnitField index) {
    llvm::LoadInst* value = builder_.CreateLoad(i32_, field(unit, index));
    aliasing_.markFrameAccess(*value);
    return value;
  }
  Value* current() {
    Value* index = builder_.CreateZExt(builder_.CreateLoad(i32_, index_), builder_.getInt64Ty());
    return builder_.CreateInBoundsGEP(type_, function_->getArg(0), index);
  }

  void toFirst() {
    builder_.CreateStore(builder_.getInt32(0), index_);
    builder_.CreateStore(builder_.getInt32(0), anyStop_);
    builder_.CreateStore(builder_.getInt32(~0u), allStops_);
  }

  // A loop over all warps for each place. Returns the loop for the block's start.
  BasicBlock* emitConvergedLoops() {
    IRBuilder<>::InsertPointGuard guard(builder_);
    for (const ResumePoint& point : resumePoints_) {
      BasicBlock* loop = block("all");
      convergedLoops_.push_back(loop);
      builder_.SetInsertPoint(loop);
      runOne(point.function);
      disableLoopTransforms(*builder_.CreateCondBr(hasMore(), loop, end_));
    }
    const auto isStart = [](const ResumePoint& point) { return point.place->isZero(); };
    const auto start = llvm::find_if(resumePoints_, isStart);
    return start == resumePoints_.end() ? head_
                                        : convergedLoops_[static_cast<size_t>(start - resumePoints_.begin())];
  }

  // If all have stopped at one barrier, on to the loop for its place.
  void goOnConverged() {
    BasicBlock* uniform = block("alike");
    Value* any = builder_.CreateLoad(i32_, anyStop_);
    Value* areUniform = builder_.CreateICmpEQ(any, builder_.CreateLoad(i32_, allStops_));
    toFirst();
    builder_.CreateCondBr(areUniform, uniform, head_);
    builder_.SetInsertPoint(uniform);
    llvm::SwitchInst* choice = builder_.CreateSwitch(builder_.CreateAShr(any, kStateBits), head_);
    for (size_t i = 0; i < resumePoints_.size(); ++i)
      choice->addCase(resumePoints_[i].place, convergedLoops_[i]);
  }

  // For blocks of known size, the first thread's index follows from the warp's number.
  void computeOrigins() {
    const uint32_t warpsOfRow = (*size_)[0] / warpSize_;
    for (llvm::Instruction& load : llvm::make_early_inc_range(llvm::instructions(function_))) {
      const llvm::MDNode* mark = load.getMetadata(kOriginMetadata);
      if (mark == nullptr) continue;
      const uint64_t axis = llvm::mdconst::extract<llvm::ConstantInt>(mark->getOperand(0))->getZExtValue();
      builder_.SetInsertPoint(&load);
      Value* index = builder_.CreateLoad(i32_, index_);
      Value* row = builder_.CreateUDiv(index, builder_.getInt32(warpsOfRow));
      Value* origin = builder_.CreateNUWMul(builder_.CreateURem(index, builder_.getInt32(warpsOfRow)),
                                            builder_.getInt32(warpSize_));
      if (axis == 1) origin = builder_.CreateURem(row, builder_.getInt32((*size_)[1]));
      if (axis == 2) origin = builder_.CreateUDiv(row, builder_.getInt32((*size_)[1]));
      load.replaceAllUsesWith(origin);
      load.eraseFromParent();
    }
  }

  // The next warp's state says whether it runs, and its place in which loop. At the block's start all run.
  void emitChoice() {
    BasicBlock *look = block("look"), *skip = block("skip"), *choose = block("choose");
    Value* start = builder_.getInt32(0);
    builder_.SetInsertPoint(head_);
    builder_.CreateCondBr(hasMore(), look, end_);
    builder_.SetInsertPoint(look);
    Value* state = loadField(current(), kUnitStateField);
    builder_.CreateCondBr(builder_.CreateOr(isFresh(), isReady(state)), choose, skip);
    builder_.SetInsertPoint(skip);
    noteStop(state);
    toNext();
    builder_.CreateBr(head_);
    builder_.SetInsertPoint(choose);
    Value* place = builder_.CreateSelect(isFresh(), start, loadField(current(), kUnitResumeField));
    const bool byPlace = size_ == nullptr && !resumePoints_.empty();
    llvm::SwitchInst* choice = builder_.CreateSwitch(place, block("any"));
    builder_.SetInsertPoint(choice->getDefaultDest());
    aliasing_.markFrameAccess(*builder_.CreateStore(place, field(current(), kUnitResumeField)));
    runOne(byPlace ? codeResumedAt(warp_, nullptr) : &warp_);
    builder_.CreateBr(head_);
    for (const ResumePoint& point : byPlace ? llvm::ArrayRef(resumePoints_) : llvm::ArrayRef<ResumePoint>()) {
      choice->addCase(point.place, block("resume"));
      emitResumeLoop(point, choice->getSuccessor(choice->getNumCases()));
    }
    builder_.SetInsertPoint(end_);
    emitEnd();
  }

  // Barriers without a result are released here, without the runtime, and so are steps while nobody yields.
  void emitEnd() {
    BasicBlock *release = block("release"), *leave = block("leave");
    Value* states = builder_.CreateAnd(builder_.CreateLoad(i32_, anyStop_), (1u << kStateBits) - 1);
    constexpr uint32_t kAtBarrier = 1u << MUSA_UNIT_AT_BARRIER, kAtStep = 1u << MUSA_UNIT_AT_STEP;
    constexpr uint32_t kOthers = 1u << MUSA_UNIT_AT_RELEASE | 1u << MUSA_UNIT_YIELDS;
    Value* waiting =
        builder_.CreateAnd(states, builder_.getInt32(kAtBarrier | kOthers | (hasSteps_ ? kAtStep : 0)));
    Value* goesOn = builder_.CreateICmpEQ(waiting, builder_.getInt32(kAtBarrier));
    Value* ready = builder_.getInt32(MUSA_UNIT_AT_BARRIER);
    if (hasSteps_) {
      Value* runs = builder_.CreateAnd(states, builder_.getInt32(1u << MUSA_UNIT_YIELDS | kAtStep));
      Value* areAtStep = builder_.CreateICmpEQ(runs, builder_.getInt32(kAtStep));
      ready = builder_.CreateSelect(areAtStep, builder_.getInt32(MUSA_UNIT_AT_STEP), ready);
      goesOn = builder_.CreateOr(goesOn, areAtStep);
    }
    builder_.CreateCondBr(goesOn, release, leave);
    builder_.SetInsertPoint(release);
    builder_.CreateStore(builder_.getFalse(), fresh_);
    builder_.CreateStore(ready, ready_);
    if (size_ != nullptr) {
      goOnConverged();
    } else {
      toFirst();
      builder_.CreateBr(head_);
    }
    builder_.SetInsertPoint(leave);
    builder_.CreateRet(states);
  }

  void emitResumeLoop(const ResumePoint& point, BasicBlock* loop) {
    builder_.SetInsertPoint(loop);
    runOne(point.function);
    BasicBlock *more = block("more"), *peek = block("peek"), *leave = block("leave");
    builder_.CreateCondBr(hasMore(), more, leave);
    builder_.SetInsertPoint(more);
    if (point.place->isZero()) {
      disableLoopTransforms(*builder_.CreateCondBr(isFresh(), loop, peek));
    } else {
      builder_.CreateBr(peek);
    }
    builder_.SetInsertPoint(peek);
    Value* next = current();
    Value* ready = isReady(loadField(next, kUnitStateField));
    Value* there = builder_.CreateICmpEQ(loadField(next, kUnitResumeField), point.place);
    disableLoopTransforms(*builder_.CreateCondBr(builder_.CreateAnd(ready, there), loop, leave));
    builder_.SetInsertPoint(leave);
    builder_.CreateBr(head_);
  }

  void runOne(Function* code) {
    Value* unit = current();
    llvm::CallInst* call = builder_.CreateCall(code, {unit, context_});
    llvm::StoreInst* store = builder_.CreateStore(call, field(unit, kUnitStateField));
    aliasing_.markFrameAccess(*store);
    noteStop(call);
    calls_.emplace_back(call, store);
    BasicBlock* done = block("done");
    builder_.CreateBr(done);
    builder_.SetInsertPoint(done);
    toNext();
  }

  // Tail duplication: each exit of the inlined warp code gets a copy of what follows. There the state and the
  // place are constants.
  static void separateEnds(llvm::PHINode& state) {
    BasicBlock* after = state.getParent();
    for (unsigned i = state.getNumIncomingValues(); i-- > 0;) {
      BasicBlock* end = state.getIncomingBlock(i);
      const auto* branch = llvm::dyn_cast<llvm::BranchInst>(end->getTerminator());
      if (branch == nullptr || branch->isConditional() || state.getNumIncomingValues() == 1 ||
          !llvm::isa<llvm::Constant>(state.getIncomingValue(i)))
        continue;
      llvm::ValueToValueMapTy map;
      BasicBlock* own = llvm::CloneBasicBlock(after, map, ".end", after->getParent());
      llvm::remapInstructionsInBlocks({own}, map);
      for (llvm::PHINode& phi : llvm::make_early_inc_range(own->phis())) {
        phi.replaceAllUsesWith(phi.getIncomingValueForBlock(end));
        phi.eraseFromParent();
      }
      end->getTerminator()->replaceSuccessorWith(after, own);
      after->removePredecessor(end, /*KeepOneInputPHIs=*/true);
    }
  }

  // Records how the current warp has stopped.
  void noteStop(Value* state) {
    Value* stop = builder_.CreateShl(builder_.getInt32(1), state);
    if (size_ != nullptr) {
      Value* place = builder_.CreateShl(loadField(current(), kUnitResumeField), kStateBits);
      Value* ended = builder_.CreateICmpEQ(state, builder_.getInt32(MUSA_UNIT_DONE));
      stop = builder_.CreateOr(stop, builder_.CreateSelect(ended, builder_.getInt32(0), place));
      builder_.CreateStore(builder_.CreateAnd(builder_.CreateLoad(i32_, allStops_), stop), allStops_);
    }
    builder_.CreateStore(builder_.CreateOr(builder_.CreateLoad(i32_, anyStop_), stop), anyStop_);
  }

  void toNext() {
    Value* next = builder_.CreateNUWAdd(builder_.CreateLoad(i32_, index_), builder_.getInt32(1));
    builder_.CreateStore(next, index_);
  }
  Value* isFresh() { return builder_.CreateLoad(builder_.getInt1Ty(), fresh_); }
  Value* isReady(Value* state) { return builder_.CreateICmpUGE(state, builder_.CreateLoad(i32_, ready_)); }
  Value* hasMore() {
    Value* warps = function_->getArg(1);
    if (size_ != nullptr) warps = builder_.getInt32((*size_)[0] * (*size_)[1] * (*size_)[2] / warpSize_);
    return builder_.CreateICmpULT(builder_.CreateLoad(i32_, index_), warps);
  }

  Function& warp_;
  const unsigned warpSize_;
  const bool hasSteps_;
  const BlockSize* size_;  // null: not known, or of no use
  llvm::StructType* type_;
  llvm::Type* i32_;
  Function* function_;
  IRBuilder<> builder_;
  const FrameAliasing aliasing_;
  // Variables that become registers: the warp's number; the union and the intersection of the stop words
  // before it; whether the block starts; the least state of warps that run.
  Value *index_ = nullptr, *anyStop_ = nullptr, *allStops_ = nullptr, *fresh_ = nullptr, *ready_ = nullptr;
  Value* context_ = nullptr;
  BasicBlock *head_ = nullptr, *end_ = nullptr;
  llvm::SmallVector<ResumePoint, 8> resumePoints_;
  llvm::SmallVector<BasicBlock*, 8> convergedLoops_;                          // one for each resume point
  llvm::SmallVector<std::pair<llvm::CallInst*, llvm::StoreInst*>, 8> calls_;  // stores of what they return
};

}  // namespace

Function* createWarpFunction(Function& kernel, unsigned warpSize) {
  llvm::LLVMContext& context = kernel.getContext();
  return createEntry(kernel, ".musa_warp" + llvm::Twine(warpSize), llvm::Type::getInt32Ty(context),
                     {llvm::PointerType::getUnqual(context)});
}

void compileInterWarpLoops(UnitFunction& unit, const BlockSize* size) {
  Function* warp = unit.function;
  unit.function = InterWarpLoops(unit, size).run();
  unit.function->takeName(warp);
  warp->eraseFromParent();
}

}  // namespace musashim::mcc
