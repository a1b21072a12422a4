#include "emitter.h"

#include "../device_builtins.h"
#include "../entry_function.h"
#include "../shared_atomics.h"
#include "guards.h"
#include "llvm/Analysis/CaptureTracking.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/Module.h"
#include "llvm/Transforms/Utils/Cloning.h"
#include "lockstep.h"

namespace musashim::mcc {
namespace {

using llvm::BasicBlock;
using llvm::Value;

bool anyAllocaEscapes(llvm::Function& function) {
  return llvm::any_of(llvm::instructions(function), [](llvm::Instruction& instruction) {
    return llvm::isa<llvm::AllocaInst>(instruction) &&
           llvm::PointerMayBeCaptured(&instruction, /*ReturnCaptures=*/false, /*StoreCaptures=*/true);
  });
}

// Functions that end the thread, or may, and name it.
constexpr llvm::StringRef kFaulting[] = {"__musa_assert_fail", "__musa_trap", "__musa_free"};

}  // namespace

UnitEmitter::UnitEmitter(UnitFunction& unit, RegionGraph& graph, SlotTable& slots, RegionValues& values,
                         bool publishThread)
    : unit_(unit),
      graph_(graph),
      slots_(slots),
      values_(values),
      publishThread_(publishThread),
      parts_(unit.kind == UnitKind::kWarp || graph.threadsPart()),
      escapes_(anyAllocaEscapes(*unit.function)),
      context_(unit.function->getContext()),
      group_(llvm::MDNode::getDistinct(context_, {})),
      stubs_(graph.regions().size()),
      cutTerminators_(graph.regions().size()),
      ways_(graph.regions().size()),
      present_(graph.regions().size()) {}

BasicBlock* UnitEmitter::block(const llvm::Twine& name) {
  return BasicBlock::Create(context_, name, unit_.function);
}

void UnitEmitter::setLocation(Builder& builder) const {
  llvm::DISubprogram* program = unit_.function->getSubprogram();
  if (program == nullptr) return;
  builder.SetCurrentDebugLocation(llvm::DILocation::get(context_, program->getLine(), 0, program));
}

uint32_t UnitEmitter::placeOf(const Region* target) {
  if (target == nullptr) return MUSA_PC_EXITED;
  return target->index | (target->completes != nullptr ? uint32_t{MUSA_PC_WAITS} : 0);
}

llvm::FunctionCallee UnitEmitter::runtime(llvm::StringRef name, llvm::Type* result,
                                          llvm::ArrayRef<llvm::Type*> parameters) {
  return unit_.function->getParent()->getOrInsertFunction(name,
                                                          llvm::FunctionType::get(result, parameters, false));
}

void UnitEmitter::run() {
  slots_.aliasing().markOthers(*unit_.function);
  done_ = block("done");
  for (const auto& region : graph_.regions()) makeStubs(*region);
  if (parts_) {
    findLiveness();
    parted_ = block("parted");
    dispatch_ = block("dispatch");
  }
  for (const auto& region : graph_.regions()) {
    ways_[region->index] = region->completes != nullptr ? block("way") : values_.code(*region).scalarPrologue;
  }
  if (parts_) {
    for (const auto& region : graph_.regions()) emitPresent(*region, duplicate(*region));
  }
  for (const auto& region : graph_.regions()) emitAll(*region, original(*region));
  for (const auto& region : graph_.regions()) {
    if (region->completes != nullptr) emitOperation(*region, ways_[region->index]);
  }
  if (parts_) {
    emitDispatch();
    emitParted();
  }
  emitResume();
  emitDone();
  for (llvm::Instruction* terminator : cutTerminators_) {
    if (terminator != nullptr) terminator->deleteValue();
  }
  if (parts_) takeOutParted();
}

// --- Stubs: where threads leave a region --------------------------------------------------

void UnitEmitter::addStub(const Region& region, llvm::Instruction& terminator, unsigned successor,
                          const Region* target) {
  BasicBlock* from = terminator.getParent();
  BasicBlock* stub = block("leave");
  Builder builder(stub);
  builder.SetCurrentDebugLocation(terminator.getDebugLoc());
  if (target != nullptr) values_.moveAlongEdge(builder, from, *target);
  if (target != nullptr) terminator.setSuccessor(successor, stub);
  stubs_[region.index].push_back({stub, target, false});
}

void UnitEmitter::makeStubs(const Region& region) {
  for (BasicBlock* from : region.blocks) {
    llvm::Instruction* terminator = from->getTerminator();
    if (from == region.cut) {
      BasicBlock* stub = block("leave");
      terminator->removeFromParent();
      cutTerminators_[region.index] = terminator;
      llvm::BranchInst::Create(stub, from)->setDebugLoc(terminator->getDebugLoc());
      stubs_[region.index].push_back({stub, nullptr, true});
      continue;
    }
    if (llvm::isa<llvm::ReturnInst>(terminator)) {
      addStub(region, *terminator, 0, nullptr);
      llvm::BranchInst::Create(stubs_[region.index].back().block, from)
          ->setDebugLoc(terminator->getDebugLoc());
      terminator->eraseFromParent();
      continue;
    }
    for (unsigned i = 0; i < terminator->getNumSuccessors(); ++i) {
      if (const Region* target = graph_.regionAt(terminator->getSuccessor(i)))
        addStub(region, *terminator, i, target);
    }
  }
}

UnitEmitter::Copy UnitEmitter::original(const Region& region) const {
  RegionCode& code = values_.code(region);
  Copy copy{code.scalarPrologue, code.lanePrologue, {code.lanePrologue}, stubs_[region.index]};
  copy.blocks.append(region.blocks.begin(), region.blocks.end());
  for (const Stub& stub : copy.stubs) copy.blocks.push_back(stub.block);
  return copy;
}

UnitEmitter::Copy UnitEmitter::copyLanes(const Copy& from, llvm::ValueToValueMapTy& map) {
  Copy copy{};
  copy.scalarPrologue = from.scalarPrologue;
  copy.blocks = cloneBlocks(from.blocks, map, ".part");
  copy.lanePrologue = copy.blocks.front();
  for (const Stub& stub : from.stubs) {
    copy.stubs.push_back({llvm::cast<BasicBlock>(map[stub.block]), stub.target, stub.cut});
  }
  return copy;
}

UnitEmitter::Copy UnitEmitter::duplicate(const Region& region) {
  const Copy from = original(region);
  llvm::ValueToValueMapTy map;
  BasicBlock* scalarPrologue = cloneBlocks({from.scalarPrologue}, map, ".part").front();
  Copy copy = copyLanes(from, map);
  copy.scalarPrologue = scalarPrologue;
  return copy;
}

// --- A region's loops -------------------------------------------------------------------------

// Nothing in it differs between threads, and running it once or for each is the same.
bool UnitEmitter::isScalarOnly(const Copy& copy) const {
  for (BasicBlock* block : copy.blocks) {
    for (llvm::Instruction& instruction : *block) {
      if (calledName(instruction) == kLaneName || calledThreadIdx(instruction) != nullptr) return false;
      if (const auto* store = llvm::dyn_cast<llvm::StoreInst>(&instruction)) {
        if (llvm::isa<llvm::AllocaInst>(store->getPointerOperand()) ||
            store->getMetadata(llvm::LLVMContext::MD_alias_scope) != nullptr)
          continue;  // of a scalar slot
      }
      if (instruction.mayHaveSideEffects() && !llvm::isa<llvm::DbgInfoIntrinsic>(instruction)) return false;
    }
  }
  return true;
}

void UnitEmitter::emitScalarOnly(Copy& copy, BasicBlock* after) {
  llvm::BranchInst::Create(copy.lanePrologue, copy.scalarPrologue);
  for (const Stub& stub : copy.stubs) llvm::BranchInst::Create(after, stub.block);
}

// Device code that faults on purpose names its thread.
void UnitEmitter::publishBeforeFaults(BasicBlock& block, const LaneLoops& loops) {
  for (llvm::Instruction& instruction : block) {
    if (!llvm::is_contained(kFaulting, calledName(instruction))) continue;
    Builder builder(&instruction);
    storeThread(builder, *unit_.function->getParent(), loops.threadIdx(), loops.linearIdx(builder));
  }
}

void UnitEmitter::lowerThread(Copy& copy, const LaneLoops& loops) {
  for (BasicBlock* block : copy.blocks) {
    for (llvm::Instruction& instruction : llvm::make_early_inc_range(*block)) {
      if (calledName(instruction) == kLaneName) {
        replaceCall(llvm::cast<llvm::CallInst>(&instruction), loops.lane());
      } else if (const Builtin* threadIdx = calledThreadIdx(instruction)) {
        replaceCall(llvm::cast<llvm::CallInst>(&instruction), loops.threadIdx()[threadIdx->axis]);
      }
    }
    if (!publishThread_) publishBeforeFaults(*block, loops);
  }
}

// Threads of a region do not depend on each other's plain accesses: those that might would race.
void UnitEmitter::markIndependent(Copy& copy) {
  for (BasicBlock* block : copy.blocks) {
    for (llvm::Instruction& instruction : *block) {
      const Value* pointer = llvm::getLoadStorePointerOperand(&instruction);
      if (pointer == nullptr || instruction.hasMetadata(kDependentMetadata)) continue;
      const Value* object = llvm::getUnderlyingObject(pointer);
      const bool ofFrame = instruction.getMetadata(llvm::LLVMContext::MD_alias_scope) != nullptr;
      if (llvm::isa<llvm::AllocaInst>(object) && !ofFrame) continue;
      const bool mayBePrivate = escapes_ && llvm::isa<llvm::Instruction>(object);
      if (mayBePrivate && !ofFrame) continue;
      instruction.setMetadata(llvm::LLVMContext::MD_access_group, group_);
    }
  }
}

// The condition at the region's head without which a thread does nothing in it.
llvm::BranchInst* UnitEmitter::laneGuard(const Region& region, const Copy& copy) const {
  if (unit_.kind != UnitKind::kBlock || region.exit != RegionExit::kOne || copy.stubs.empty()) return nullptr;
  BasicBlock* head = copy.lanePrologue->getSingleSuccessor();
  auto* branch = llvm::dyn_cast<llvm::BranchInst>(head->getTerminator());
  if (branch == nullptr || !branch->isConditional() || !branch->hasMetadata(kHeadMetadata)) return nullptr;
  const bool skips = llvm::any_of(copy.stubs, [&](const Stub& stub) {
    return stub.block == branch->getSuccessor(1) && stub.block->empty();
  });
  const auto isUniform = [&](const Value& value) { return isKnownBefore(copy, value); };
  if (!skips || !comparesThreadIdx(*branch->getCondition(), isUniform)) return nullptr;
  for (BasicBlock* block : {copy.lanePrologue, head}) {
    if (llvm::any_of(*block,
                     [](const llvm::Instruction& instruction) { return instruction.mayHaveSideEffects(); }))
      return nullptr;
  }
  return branch;
}

// Returns the block behind the loops, which has no terminator.
BasicBlock* UnitEmitter::emitLoops(const Region& region, Copy& copy, bool presentOnly, bool keepPlaces) {
  Builder builder(copy.scalarPrologue);
  setLocation(builder);
  LaneRange range;
  BasicBlock* skip = nullptr;
  if (llvm::BranchInst* guard = presentOnly || publishThread_ ? nullptr : laneGuard(region, copy)) {
    range = narrowLanes(unit_, *guard->getCondition(), builder);
    BasicBlock* some = block("threads");
    skip = block("region.end");
    builder.CreateCondBr(hasThreads(unit_, range, builder), some, skip);
    builder.SetInsertPoint(some);
    guard->setCondition(builder.getTrue());
  }
  if (presentOnly || publishThread_ || unit_.kind == UnitKind::kWarp) {
    emitLoop(region, copy, range, presentOnly, keepPlaces, builder);
  } else {
    emitSplitLoops(region, copy, range, keepPlaces, kLargestCopy, builder);
  }
  if (skip == nullptr) return builder.GetInsertBlock();
  builder.CreateBr(skip);
  return skip;
}

void UnitEmitter::emitLoop(const Region& region, Copy& copy, const LaneRange& range, bool presentOnly,
                           bool keepPlaces, Builder& builder) {
  LaneLoops loops(unit_, builder, /*inRow=*/!presentOnly, range);
  BasicBlock* latch = block("thread.end");
  if (presentOnly) {
    Value* place = builder.CreateLoad(builder.getInt16Ty(), placeAddress(builder, loops.lane()));
    Value* here = builder.CreateICmpEQ(place, builder.getInt16(static_cast<uint16_t>(region.index)));
    BasicBlock* enter = block("present");
    builder.CreateCondBr(here, enter, latch);
    builder.SetInsertPoint(enter);
  }
  if (publishThread_)
    storeThread(builder, *unit_.function->getParent(), loops.threadIdx(), loops.linearIdx(builder));
  builder.CreateBr(copy.lanePrologue);
  for (const Stub& stub : copy.stubs) {
    Builder leave(stub.block);
    if (keepPlaces && !stub.cut) {
      leave.CreateStore(leave.getInt16(static_cast<uint16_t>(placeOf(stub.target))),
                        placeAddress(leave, loops.lane()));
    }
    leave.CreateBr(latch);
  }
  lowerThread(copy, loops);
  if (!presentOnly) markIndependent(copy);
  builder.SetInsertPoint(latch);
  loops.close(builder, presentOnly ? nullptr : group_);
}

void UnitEmitter::emitCut(const Region& region, Builder& builder,
                          llvm::function_ref<BasicBlock*(const Region*)> way) {
  llvm::Instruction* terminator = cutTerminators_[region.index]->clone();
  terminator->insertInto(builder.GetInsertBlock(), builder.GetInsertBlock()->end());
  if (Slot* slot = values_.cutCondition(region)) {
    builder.SetInsertPoint(terminator);
    llvm::Use& condition = terminator->getOperandUse(0);  // of branches and switches alike
    condition.set(slots_.load(builder, *slot, condition->getType()));
  }
  for (unsigned i = 0; i < terminator->getNumSuccessors(); ++i) {
    terminator->setSuccessor(i, way(graph_.regionAt(terminator->getSuccessor(i))));
  }
}

// For units whose threads are all here.
void UnitEmitter::emitAll(const Region& region, Copy copy) {
  const bool parted = region.exit == RegionExit::kParted;
  const Slot* decisions = region.fork != nullptr ? &keepDecisions(region) : nullptr;
  BasicBlock* after = nullptr;
  if (!parted && !publishThread_ && isScalarOnly(copy)) {
    after = block("after");
    emitScalarOnly(copy, after);
  } else {
    after = emitLoops(region, copy, /*presentOnly=*/false, /*keepPlaces=*/parted && decisions == nullptr);
  }
  Builder builder(after);
  if (decisions != nullptr) {
    emitFork(region, *decisions, builder);
  } else if (parted) {
    emitGather(region, builder);
  } else if (region.cut != nullptr) {
    emitCut(region, builder, [this](const Region* target) { return wayTo(target); });
  } else if (copy.stubs.empty()) {
    builder.CreateUnreachable();  // every thread faults or loops for ever
  } else {
    builder.CreateBr(wayTo(copy.stubs.front().target));
  }
}

// For the threads of a unit that are here, according to their places.
void UnitEmitter::emitPresent(const Region& region, Copy copy) {
  present_[region.index] = copy.scalarPrologue;
  BasicBlock* after = emitLoops(region, copy, /*presentOnly=*/true, /*keepPlaces=*/true);
  Builder builder(after);
  if (region.cut == nullptr) {
    builder.CreateBr(dispatch_);
    return;
  }
  emitCut(region, builder, [&](const Region* target) {
    BasicBlock* move = block("move");
    Builder mover(move);
    auto callee = runtime("__musa_move_threads", mover.getVoidTy(),
                          {mover.getPtrTy(), mover.getInt32Ty(), mover.getInt32Ty()});
    mover.CreateCall(callee, {unit_.unit, mover.getInt32(region.index), mover.getInt32(placeOf(target))});
    mover.CreateBr(dispatch_);
    return move;
  });
}

// --- Between regions --------------------------------------------------------------------------

BasicBlock* UnitEmitter::wayTo(const Region* target) {
  return target == nullptr ? done_ : ways_[target->index];
}

Value* UnitEmitter::placeAddress(Builder& builder, Value* lane) {
  return builder.CreateInBoundsGEP(builder.getInt16Ty(), unit_.loadField(builder, kUnitPcField), lane);
}

Value* UnitEmitter::threadCount(Builder& builder) {
  if (unit_.kind == UnitKind::kWarp) return builder.getInt64(unit_.warpSize);
  Value* count = builder.CreateMul(builder.CreateMul(unit_.blockDim[0], unit_.blockDim[1], "", true, true),
                                   unit_.blockDim[2], "", true, true);
  return builder.CreateZExt(count, builder.getInt64Ty());
}

void UnitEmitter::setAllPlaces(Builder& builder, uint32_t place) {
  auto callee =
      runtime("__musa_place_threads", builder.getVoidTy(), {builder.getPtrTy(), builder.getInt32Ty()});
  builder.CreateCall(callee, {unit_.unit, builder.getInt32(place)});
}

// The entry goes to the first region, or where the unit left off.
void UnitEmitter::emitResume() {
  llvm::Instruction* branch = unit_.entry().getTerminator();
  Builder builder(branch);
  BasicBlock* start = wayTo(graph_.regions().front().get());
  if (unit_.kind == UnitKind::kBlock) {
    branch->setSuccessor(0, start);
    return;
  }
  llvm::SwitchInst* resume = builder.CreateSwitch(unit_.loadField(builder, kUnitResumeField), parted_);
  resume->addCase(builder.getInt32(0), start);
  for (const auto& region : graph_.regions()) {
    if (region->completes == nullptr || region->index == 0) continue;
    if (!musaOpIsBarrier(region->completes->op) && region->completes->op != MUSA_OP_YIELD) continue;
    Builder again(block("again"));
    reload(again, liveness_->inside(*region));
    again.CreateBr(values_.code(*region).scalarPrologue);
    resume->addCase(builder.getInt32(region->index), again.GetInsertBlock());
  }
  branch->eraseFromParent();
}

void UnitEmitter::emitDone() {
  Builder builder(done_);
  unit_.kind == UnitKind::kWarp ? builder.CreateRet(builder.getInt32(MUSA_UNIT_DONE))
                                : builder.CreateRetVoid();
}

}  // namespace musashim::mcc
