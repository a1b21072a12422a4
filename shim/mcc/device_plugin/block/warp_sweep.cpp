#include "warp_sweep.h"

#include "../entry_function.h"
#include "abi/musa_unit_abi.h"
#include "emitter.h"
#include "lane_loops.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/Transforms/Utils/Cloning.h"
#include "llvm/Transforms/Utils/Local.h"

namespace musashim::mcc {

using llvm::BasicBlock;
using llvm::Function;
using llvm::IRBuilder;
using llvm::Value;

namespace {

constexpr size_t kMostWays = 16;         // places at which warps go on, that get a loop of their own
constexpr unsigned kLargestWarp = 3000;  // instructions
constexpr unsigned kMostGrowth = 2;      // of all such loops, as multiple of the warp's code

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
// over the warps that stand there in a row, so that what is the same for them is computed once.
class Sweep {
 public:
  explicit Sweep(Function& warp)
      : warp_(warp),
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
    states_ = builder_.CreateAlloca(i32_);
    fresh_ = builder_.CreateAlloca(builder_.getInt1Ty());
    ready_ = builder_.CreateAlloca(i32_);
    Value* which = function_->getArg(2);
    builder_.CreateStore(builder_.CreateICmpEQ(which, builder_.getInt32(MUSA_UNITS_START)), fresh_);
    builder_.CreateStore(leastReady(builder_, which), ready_);
    toFirst();
    context_ = builder_.CreateLoad(builder_.getPtrTy(), field(function_->getArg(0), kUnitBlockField));
    head_ = block("warp");
    builder_.CreateBr(head_);
    emitChoice();
    for (llvm::CallInst* call : calls_) {
      Function* callee = call->getCalledFunction();
      inlineKernel(call);
      if (callee != &warp_) callee->eraseFromParent();
    }
    if (hasLoops_) markPlaces();
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
    builder_.CreateStore(builder_.getInt32(0), states_);
  }

  // The next warp's state says whether it runs, its place in which loop; at the block's start all run.
  void emitChoice() {
    BasicBlock *look = block("look"), *skip = block("skip"), *choose = block("choose"), *end = block("end");
    Value* start = builder_.getInt32(0);
    builder_.SetInsertPoint(head_);
    builder_.CreateCondBr(hasMore(), look, end);
    builder_.SetInsertPoint(look);
    Value* state = loadField(current(), kUnitStateField);
    builder_.CreateCondBr(builder_.CreateOr(isFresh(), isReady(state)), choose, skip);
    builder_.SetInsertPoint(skip);
    note(state);
    builder_.CreateBr(head_);
    builder_.SetInsertPoint(choose);
    Value* place = builder_.CreateSelect(isFresh(), start, loadField(current(), kUnitResumeField));
    const llvm::SmallVector<Way, 8> ways = separateWays(warp_);
    hasLoops_ = !ways.empty();
    llvm::SwitchInst* choice = builder_.CreateSwitch(place, block("any"));
    builder_.SetInsertPoint(choice->getDefaultDest());
    aliasing_.markFrameAccess(*builder_.CreateStore(place, field(current(), kUnitResumeField)));
    runOne(ways.empty() ? &warp_ : codeFrom(warp_, nullptr));
    builder_.CreateBr(head_);
    for (const Way& way : ways) {
      choice->addCase(way.place, block("way"));
      emitWay(way, choice->getSuccessor(choice->getNumCases()));
    }
    builder_.SetInsertPoint(end);
    emitEnd();
  }

  // Barriers that ask for nothing but that all have come are released at once.
  void emitEnd() {
    BasicBlock *release = block("release"), *leave = block("leave");
    Value* states = builder_.CreateLoad(i32_, states_);
    constexpr uint32_t kAtBarrier = 1u << MUSA_UNIT_AT_BARRIER;
    constexpr uint32_t kOthers = 1u << MUSA_UNIT_AT_RELEASE | 1u << MUSA_UNIT_YIELDS;
    Value* waiting = builder_.CreateAnd(states, builder_.getInt32(kAtBarrier | kOthers));
    builder_.CreateCondBr(builder_.CreateICmpEQ(waiting, builder_.getInt32(kAtBarrier)), release, leave);
    builder_.SetInsertPoint(release);
    builder_.CreateStore(builder_.getFalse(), fresh_);
    builder_.CreateStore(builder_.getInt32(MUSA_UNIT_AT_BARRIER), ready_);
    toFirst();
    builder_.CreateBr(head_);
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
    aliasing_.markFrameAccess(*builder_.CreateStore(call, field(unit, kUnitStateField)));
    note(call);
    calls_.push_back(call);
  }

  // Done with the current warp.
  void note(Value* state) {
    Value* seen = builder_.CreateShl(builder_.getInt32(1), state);
    builder_.CreateStore(builder_.CreateOr(builder_.CreateLoad(i32_, states_), seen), states_);
    Value* next = builder_.CreateNUWAdd(builder_.CreateLoad(i32_, index_), builder_.getInt32(1));
    builder_.CreateStore(next, index_);
  }
  Value* isFresh() { return builder_.CreateLoad(builder_.getInt1Ty(), fresh_); }
  Value* isReady(Value* state) { return builder_.CreateICmpUGE(state, builder_.CreateLoad(i32_, ready_)); }
  Value* hasMore() { return builder_.CreateICmpULT(builder_.CreateLoad(i32_, index_), function_->getArg(1)); }

  Function& warp_;
  llvm::StructType* type_;
  llvm::Type* i32_;
  Function* function_;
  IRBuilder<> builder_;
  const FrameAliasing aliasing_;
  // Variables: registers once they are cleaned up. The warp, the states of those before it, whether the block
  // starts, the least state of warps that run.
  Value *index_ = nullptr, *states_ = nullptr, *fresh_ = nullptr, *ready_ = nullptr;
  Value* context_ = nullptr;
  BasicBlock* head_ = nullptr;
  bool hasLoops_ = false;  // over warps that stand at one place
  llvm::SmallVector<llvm::CallInst*, 8> calls_;
};

}  // namespace

Function* createWarpFunction(Function& kernel, unsigned warpSize) {
  llvm::LLVMContext& context = kernel.getContext();
  return createEntry(kernel, ".musa_warp" + llvm::Twine(warpSize), llvm::Type::getInt32Ty(context),
                     {llvm::PointerType::getUnqual(context)});
}

void sweepWarps(UnitFunction& unit) {
  Function* warp = unit.function;
  unit.function = Sweep(*warp).run();
  unit.function->takeName(warp);
  warp->eraseFromParent();
}

}  // namespace musashim::mcc
