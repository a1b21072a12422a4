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

constexpr size_t kMostWays = 16;         // places at which warps go on, that get a loop of their own
constexpr unsigned kLargestWarp = 3000;  // instructions
constexpr unsigned kMostGrowth = 2;      // of all such loops, as multiple of the warp's code
constexpr unsigned kStateBits = 8;       // of a stop: a bit for each state; above them the place

// Warps in this state, and all that come after it, are to run.
Value* leastReady(IRBuilder<>& builder, Value* which) {
  static_assert(MUSA_UNIT_DONE < MUSA_UNIT_AT_BARRIER && MUSA_UNIT_AT_BARRIER < MUSA_UNIT_AT_RELEASE &&
                MUSA_UNIT_AT_RELEASE < MUSA_UNIT_YIELDS);
  Value* released = builder.CreateICmpNE(which, builder.getInt32(MUSA_UNITS_YIELDING));
  return builder.CreateSelect(released, builder.getInt32(MUSA_UNIT_AT_BARRIER),
                              builder.getInt32(MUSA_UNIT_YIELDS));
}

// A way through the function of a warp: from one of the places at which its unit goes on.
struct Way {
  llvm::ConstantInt* place;
  Function* function;
};

llvm::SwitchInst& placesOf(Function& warp) {
  return *llvm::cast<llvm::SwitchInst>(warp.getEntryBlock().getTerminator());
}

// The function's code for warps that go on at `place`; null: at none that it knows.
Function* codeFrom(Function& warp, llvm::ConstantInt* place) {
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

// Code for each place by itself; none where that is too much.
llvm::SmallVector<Way, 8> separateWays(Function& warp) {
  llvm::SmallVector<Way, 8> ways;
  llvm::SwitchInst& places = placesOf(warp);
  const unsigned whole = warp.getInstructionCount();
  if (places.getNumCases() > kMostWays || whole > kLargestWarp ||
      warp.getParent()->getNamedMetadata(kManyKernelsMetadata) != nullptr)
    return ways;
  unsigned size = 0;
  for (const auto& one : places.cases()) {
    ways.push_back({one.getCaseValue(), codeFrom(warp, one.getCaseValue())});
    size += ways.back().function->getInstructionCount();
    if (size <= kMostGrowth * whole) continue;
    for (const Way& way : ways) way.function->eraseFromParent();
    return {};
  }
  return ways;
}

// MusaUnitProgram::run. Warps mostly go on at one place, one like the other: each place has a loop of its own
// over the warps that stand there in a row, so that what is the same for them is computed once. In blocks of
// known size these are loops over all warps, which run while all have come to the same barrier; where each
// stands is looked at only when they have not.
class InterWarpLoops {
 public:
  InterWarpLoops(Function& warp, unsigned warpSize, const BlockSize* size)
      : warp_(warp),
        warpSize_(warpSize),
        size_(size),
        type_(unitType(warp.getContext())),
        i32_(llvm::Type::getInt32Ty(warp.getContext())),
        function_(createEntry(warp, ".sweep", i32_, {i32_, i32_})),
        builder_(block("entry")),
        aliasing_(warp.getContext()) {}

  Function* run() {
    // The code of a warp brings its places in the source along.
    function_->setSubprogram(warp_.getSubprogram());
    warp_.setSubprogram(nullptr);
    index_ = builder_.CreateAlloca(i32_);
    ways_ = separateWays(warp_);
    if (ways_.empty()) size_ = nullptr;  // nothing is known to go together
    any_ = builder_.CreateAlloca(i32_);
    all_ = builder_.CreateAlloca(i32_);
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
      const auto start = emitAllTogether();
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
    if (!ways_.empty()) markPlaces();
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
  // Nothing the kernel knows of points to where a warp stands.
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
    builder_.CreateStore(builder_.getInt32(0), any_);
    builder_.CreateStore(builder_.getInt32(~0u), all_);
  }

  // A loop over all warps for each place at which they may stand. Returns that for the block's start.
  BasicBlock* emitAllTogether() {
    IRBuilder<>::InsertPointGuard guard(builder_);
    for (const Way& way : ways_) {
      BasicBlock* loop = block("all");
      together_.push_back(loop);
      builder_.SetInsertPoint(loop);
      runOne(way.function);
      keepPlain(*builder_.CreateCondBr(hasMore(), loop, end_));
    }
    const auto isStart = [](const Way& way) { return way.place->isZero(); };
    const auto start = llvm::find_if(ways_, isStart);
    return start == ways_.end() ? head_ : together_[static_cast<size_t>(start - ways_.begin())];
  }

  // If all have stopped at the same barrier, on to the loop for its place.
  void goOnTogether() {
    BasicBlock* alike = block("alike");
    Value* any = builder_.CreateLoad(i32_, any_);
    Value* areAlike = builder_.CreateICmpEQ(any, builder_.CreateLoad(i32_, all_));
    toFirst();
    builder_.CreateCondBr(areAlike, alike, head_);
    builder_.SetInsertPoint(alike);
    llvm::SwitchInst* choice = builder_.CreateSwitch(builder_.CreateAShr(any, kStateBits), head_);
    for (size_t i = 0; i < ways_.size(); ++i) choice->addCase(ways_[i].place, together_[i]);
  }

  // Where the block's size is known, a warp's number says where it begins.
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

  // The next warp's state says whether it runs, its place in which loop; at the block's start all run.
  void emitChoice() {
    BasicBlock *look = block("look"), *skip = block("skip"), *choose = block("choose");
    Value* start = builder_.getInt32(0);
    builder_.SetInsertPoint(head_);
    builder_.CreateCondBr(hasMore(), look, end_);
    builder_.SetInsertPoint(look);
    Value* state = loadField(current(), kUnitStateField);
    builder_.CreateCondBr(builder_.CreateOr(isFresh(), isReady(state)), choose, skip);
    builder_.SetInsertPoint(skip);
    note(state);
    toNext();
    builder_.CreateBr(head_);
    builder_.SetInsertPoint(choose);
    Value* place = builder_.CreateSelect(isFresh(), start, loadField(current(), kUnitResumeField));
    const bool byPlace = size_ == nullptr && !ways_.empty();
    llvm::SwitchInst* choice = builder_.CreateSwitch(place, block("any"));
    builder_.SetInsertPoint(choice->getDefaultDest());
    aliasing_.markFrameAccess(*builder_.CreateStore(place, field(current(), kUnitResumeField)));
    runOne(byPlace ? codeFrom(warp_, nullptr) : &warp_);
    builder_.CreateBr(head_);
    for (const Way& way : byPlace ? llvm::ArrayRef(ways_) : llvm::ArrayRef<Way>()) {
      choice->addCase(way.place, block("way"));
      emitWay(way, choice->getSuccessor(choice->getNumCases()));
    }
    builder_.SetInsertPoint(end_);
    emitEnd();
  }

  // Barriers that ask for nothing but that all have come are released at once.
  void emitEnd() {
    BasicBlock *release = block("release"), *leave = block("leave");
    Value* states = builder_.CreateAnd(builder_.CreateLoad(i32_, any_), (1u << kStateBits) - 1);
    constexpr uint32_t kAtBarrier = 1u << MUSA_UNIT_AT_BARRIER;
    constexpr uint32_t kOthers = 1u << MUSA_UNIT_AT_RELEASE | 1u << MUSA_UNIT_YIELDS;
    Value* waiting = builder_.CreateAnd(states, builder_.getInt32(kAtBarrier | kOthers));
    builder_.CreateCondBr(builder_.CreateICmpEQ(waiting, builder_.getInt32(kAtBarrier)), release, leave);
    builder_.SetInsertPoint(release);
    builder_.CreateStore(builder_.getFalse(), fresh_);
    builder_.CreateStore(builder_.getInt32(MUSA_UNIT_AT_BARRIER), ready_);
    if (size_ != nullptr) {
      goOnTogether();
    } else {
      toFirst();
      builder_.CreateBr(head_);
    }
    builder_.SetInsertPoint(leave);
    builder_.CreateRet(states);
  }

  void emitWay(const Way& way, BasicBlock* loop) {
    builder_.SetInsertPoint(loop);
    runOne(way.function);
    BasicBlock *more = block("more"), *peek = block("peek"), *leave = block("leave");
    builder_.CreateCondBr(hasMore(), more, leave);
    builder_.SetInsertPoint(more);
    if (way.place->isZero()) {
      keepPlain(*builder_.CreateCondBr(isFresh(), loop, peek));
    } else {
      builder_.CreateBr(peek);
    }
    builder_.SetInsertPoint(peek);
    Value* next = current();
    Value* ready = isReady(loadField(next, kUnitStateField));
    Value* there = builder_.CreateICmpEQ(loadField(next, kUnitResumeField), way.place);
    keepPlain(*builder_.CreateCondBr(builder_.CreateAnd(ready, there), loop, leave));
    builder_.SetInsertPoint(leave);
    builder_.CreateBr(head_);
  }

  void runOne(Function* code) {
    Value* unit = current();
    llvm::CallInst* call = builder_.CreateCall(code, {unit, context_});
    llvm::StoreInst* store = builder_.CreateStore(call, field(unit, kUnitStateField));
    aliasing_.markFrameAccess(*store);
    note(call);
    calls_.emplace_back(call, store);
    BasicBlock* done = block("done");
    builder_.CreateBr(done);
    builder_.SetInsertPoint(done);
    toNext();
  }

  // Each end of the warp's code, which is inlined, has what follows in its block for itself: there it is
  // known in which state, and at which place, it ends.
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

  // How the current warp has stopped.
  void note(Value* state) {
    Value* stop = builder_.CreateShl(builder_.getInt32(1), state);
    if (size_ != nullptr) {
      Value* place = builder_.CreateShl(loadField(current(), kUnitResumeField), kStateBits);
      Value* ended = builder_.CreateICmpEQ(state, builder_.getInt32(MUSA_UNIT_DONE));
      stop = builder_.CreateOr(stop, builder_.CreateSelect(ended, builder_.getInt32(0), place));
      builder_.CreateStore(builder_.CreateAnd(builder_.CreateLoad(i32_, all_), stop), all_);
    }
    builder_.CreateStore(builder_.CreateOr(builder_.CreateLoad(i32_, any_), stop), any_);
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
  const BlockSize* size_;  // null: not known, or of no use
  llvm::StructType* type_;
  llvm::Type* i32_;
  Function* function_;
  IRBuilder<> builder_;
  const FrameAliasing aliasing_;
  // Variables: registers once they are cleaned up. The warp, what any and what all of those before it have in
  // their stops, whether the block starts, the least state of warps that run.
  Value *index_ = nullptr, *any_ = nullptr, *all_ = nullptr, *fresh_ = nullptr, *ready_ = nullptr;
  Value* context_ = nullptr;
  BasicBlock *head_ = nullptr, *end_ = nullptr;
  llvm::SmallVector<Way, 8> ways_;
  llvm::SmallVector<BasicBlock*, 8> together_;                                // loops, one for each way
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
  unit.function = InterWarpLoops(*warp, unit.warpSize, size).run();
  unit.function->takeName(warp);
  warp->eraseFromParent();
}

}  // namespace musashim::mcc
