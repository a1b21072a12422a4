// Divergence and reconvergence. Diverged units run in a function of their own. The runtime chooses a region,
// and the function runs the active threads of it, those whose place it is. Values are in the unit's memory.
// When all threads have reconverged at one place, the unit's own function goes on.
#include "emitter.h"
#include "llvm/IR/Module.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"
#include "llvm/Transforms/Utils/Cloning.h"
#include "llvm/Transforms/Utils/Local.h"
#include "mcc/device_plugin/block/analysis/row_uniformity.h"
#include "mcc/device_plugin/kernel_entry/entry_function.h"
#include "mcc/device_plugin/passes.h"

namespace musashim::mcc {

using llvm::BasicBlock;
using llvm::Function;
using llvm::Value;

void UnitEmitter::findLiveness() {
  llvm::DenseMap<const BasicBlock*, const Region*> home;
  for (const auto& region : graph_.regions()) {
    const Copy copy = original(*region);
    home[copy.scalarPrologue] = region.get();
    for (const BasicBlock* block : copy.blocks) home[block] = region.get();
  }
  liveness_.emplace(graph_, slots_, values_, home);
}

void UnitEmitter::spill(Builder& builder, const SlotSet& slots) {
  for (const Slot* slot : slots) slots_.copyToMemory(builder, *slot);
}

void UnitEmitter::reload(Builder& builder, const SlotSet& slots) {
  for (const Slot* slot : slots) slots_.copyFromMemory(builder, *slot);
}

void UnitEmitter::diverge(Builder& builder, const SlotSet& needed) {
  spill(builder, needed);
  builder.CreateBr(toDiverged_);
}

// Behind a region that threads leave by several branches: compares their places.
void UnitEmitter::emitDivergenceCheck(const Region& region, Builder& builder) {
  llvm::Type* i16 = builder.getInt16Ty();
  BasicBlock* before = builder.GetInsertBlock();
  Value* first = builder.CreateLoad(i16, placeAddress(builder, builder.getInt64(0)));
  CountedLoop loop = openLoop(builder, builder.getInt64Ty(), "compare");
  llvm::PHINode* differ = builder.CreatePHI(i16, 2);
  differ->addIncoming(builder.getInt16(0), before);
  Value* place = builder.CreateLoad(i16, placeAddress(builder, loop.index));
  Value* now = builder.CreateOr(differ, builder.CreateXor(place, first));
  differ->addIncoming(now, builder.GetInsertBlock());
  closeLoop(builder, loop, threadCount(builder));

  llvm::SmallSetVector<const Region*, 4> targets;
  for (const Stub& stub : stubs_[region.index]) targets.insert(stub.target);
  BasicBlock* converged = block("converged");
  BasicBlock* diverges = block("diverge");
  builder.CreateCondBr(builder.CreateIsNull(now), converged, diverges);
  SlotSet needed;
  BasicBlock* nowhere = block("nowhere");
  Builder(nowhere).CreateUnreachable();
  llvm::SwitchInst* places = Builder(converged).CreateSwitch(first, nowhere);
  for (const Region* target : targets) {
    places->addCase(builder.getInt16(static_cast<uint16_t>(placeOf(target))), entryOf(target));
    if (target == nullptr) continue;
    for (const Slot* slot : liveness_->before(*target)) needed.insert(slot);
  }
  builder.SetInsertPoint(diverges);
  diverge(builder, needed);
}

// Has every thread store its condition at the region's divergent branch.
UnitEmitter::Decisions UnitEmitter::recordDecisions(const Region& region, const Copy& copy) {
  auto* branch = llvm::cast<llvm::BranchInst>(region.divergentBranch->getTerminator());
  const auto isOfThread = [&](const Value& value) {
    const auto* instruction = llvm::dyn_cast<llvm::Instruction>(&value);
    return instruction != nullptr && llvm::is_contained(copy.blocks, instruction->getParent());
  };
  const bool same =
      unit_.kind == UnitKind::kWarp && isRowUniform(*branch->getCondition(), unit_.warpSize, isOfThread);
  Slot& slot = slots_.create(branch->getCondition()->getType(), /*scalar=*/false);
  Builder builder(branch);
  slots_.store(builder, branch->getCondition(), slot);
  return {&slot, same};
}

// Whether the condition holds for all threads, and whether for none.
std::pair<Value*, Value*> UnitEmitter::allOrNone(const Slot& decisions, Builder& builder) {
  llvm::Type* i8 = builder.getInt8Ty();
  if (unit_.kind == UnitKind::kBlock) {
    BasicBlock* before = builder.GetInsertBlock();
    CountedLoop loop = openLoop(builder, builder.getInt64Ty(), "compare");
    llvm::PHINode* any = builder.CreatePHI(i8, 2);
    llvm::PHINode* all = builder.CreatePHI(i8, 2);
    any->addIncoming(builder.getInt8(0), before);
    all->addIncoming(builder.getInt8(1), before);
    auto* decision = builder.CreateLoad(i8, slots_.elementAddress(builder, decisions, loop.index));
    slots_.aliasing().markFrameAccess(*decision);
    Value* anyNow = builder.CreateOr(any, decision);
    Value* allNow = builder.CreateAnd(all, decision);
    any->addIncoming(anyNow, builder.GetInsertBlock());
    all->addIncoming(allNow, builder.GetInsertBlock());
    closeLoop(builder, loop, threadCount(builder));
    return {builder.CreateIsNotNull(allNow), builder.CreateIsNull(anyNow)};
  }
  Value *any = nullptr, *all = nullptr;
  for (unsigned group = 0; group < unit_.warpSize; group += 32) {
    Value* address = slots_.elementAddress(builder, decisions, builder.getInt64(group));
    auto* bytes = builder.CreateAlignedLoad(llvm::FixedVectorType::get(i8, 32), address, llvm::Align(32));
    slots_.aliasing().markFrameAccess(*bytes);
    Value* bits = builder.CreateBitCast(builder.CreateIsNotNull(bytes), builder.getInt32Ty());
    any = any == nullptr ? bits : builder.CreateOr(any, bits);
    all = all == nullptr ? bits : builder.CreateAnd(all, bits);
  }
  return {builder.CreateICmpEQ(all, builder.getInt32(~0u)), builder.CreateIsNull(any)};
}

// Behind a region that all threads leave by one divergent branch.
void UnitEmitter::emitDivergentBranch(const Region& region, const Decisions& made, Builder& builder) {
  const auto& stubs = stubs_[region.index];  // of the branch's successors, in order
  const Region& yes = *stubs[0].target;
  const Region& no = *stubs[1].target;
  const Slot& decisions = *made.slot;
  if (made.areUniform) {
    auto* first =
        builder.CreateLoad(decisions.type, slots_.elementAddress(builder, decisions, builder.getInt64(0)));
    slots_.aliasing().markFrameAccess(*first);
    builder.CreateCondBr(builder.CreateIsNotNull(first), entryOf(&yes), entryOf(&no));
    return;
  }
  const auto [allYes, allNo] = allOrNone(decisions, builder);
  BasicBlock* notYes = block("not.all");
  BasicBlock* diverges = block("diverge");
  builder.CreateCondBr(allYes, entryOf(&yes), notYes);
  Builder(notYes).CreateCondBr(allNo, entryOf(&no), diverges);
  builder.SetInsertPoint(diverges);
  Value* places = unit_.loadField(builder, kUnitPcField);
  CountedLoop loop = openLoop(builder, builder.getInt64Ty(), "place");
  auto* decision = builder.CreateLoad(decisions.type, slots_.elementAddress(builder, decisions, loop.index));
  slots_.aliasing().markFrameAccess(*decision);
  const auto place = [&](const Region& target) {
    return builder.getInt16(static_cast<uint16_t>(placeOf(&target)));
  };
  builder.CreateStore(builder.CreateSelect(builder.CreateIsNotNull(decision), place(yes), place(no)),
                      builder.CreateInBoundsGEP(builder.getInt16Ty(), places, loop.index));
  disableLoopTransforms(*closeLoop(builder, loop, threadCount(builder)));
  SlotSet needed = liveness_->before(yes);
  for (const Slot* slot : liveness_->before(no)) needed.insert(slot);
  diverge(builder, needed);
}

// True where diverged threads may all reconverge.
bool UnitEmitter::mayReconvergeAt(const Region& region) const {
  if (!region.converged) return false;
  return llvm::any_of(graph_.regions(), [&](const auto& other) {
    return llvm::is_contained(other->next, &region) &&
           (!other->converged || other->exit == RegionExit::kDivergent);
  });
}

void UnitEmitter::emitExit(llvm::SwitchInst& next, int32_t code) {
  BasicBlock* exit = block("exit");
  Builder(exit).CreateUnreachable();  // becomes a return in the function for diverged threads
  exits_.emplace_back(exit, code);
  next.addCase(Builder(context_).getInt32(static_cast<uint32_t>(code)), exit);
}

void UnitEmitter::emitDispatch() {
  Builder builder(dispatch_);
  auto callee = runtime("__musa_next_region", builder.getInt32Ty(), {builder.getPtrTy()});
  Value* next = builder.CreateCall(callee, {unit_.unit});
  BasicBlock* wrong = block("wrong");
  llvm::SwitchInst* regions = builder.CreateSwitch(next, wrong);
  Builder(wrong).CreateUnreachable();
  emitExit(*regions, MUSA_NEXT_DONE);
  for (const auto& region : graph_.regions()) {
    regions->addCase(builder.getInt32(region->index), active_[region->index]);
    const uint32_t all = region->index | MUSA_NEXT_ALL;
    if (mayReconvergeAt(*region)) {
      emitExit(*regions, static_cast<int32_t>(all));
    } else {
      regions->addCase(builder.getInt32(all), active_[region->index]);
    }
  }
  if (unit_.kind != UnitKind::kWarp) return;
  emitExit(*regions, MUSA_NEXT_AT_BARRIER);
  emitExit(*regions, MUSA_NEXT_YIELD);
  if (unit_.hasSteps) emitExit(*regions, MUSA_NEXT_AT_STEP);
}

// In the unit's own function: calls the other one, and goes on when threads have reconverged.
void UnitEmitter::emitDiverged() {
  Builder builder(toDiverged_);
  setLocation(builder);
  divergedFunction_ = createEntry(*unit_.function, ".parted", builder.getInt32Ty());
  Value* code = builder.CreateCall(divergedFunction_, {unit_.unit});
  BasicBlock* wrong = block("wrong");
  llvm::SwitchInst* next = builder.CreateSwitch(code, wrong);
  Builder(wrong).CreateUnreachable();
  next->addCase(builder.getInt32(static_cast<uint32_t>(MUSA_NEXT_DONE)), done_);
  for (const auto& region : graph_.regions()) {
    if (!mayReconvergeAt(*region)) continue;
    Builder reconverge(block("reconverge"));
    reload(reconverge, liveness_->inside(*region));
    reconverge.CreateBr(values_.code(*region).scalarPrologue);
    next->addCase(builder.getInt32(region->index | MUSA_NEXT_ALL), reconverge.GetInsertBlock());
  }
  if (unit_.kind != UnitKind::kWarp) return;
  for (const auto& [left, state] :
       {std::pair{MUSA_NEXT_AT_BARRIER, MUSA_UNIT_AT_RELEASE}, std::pair{MUSA_NEXT_YIELD, MUSA_UNIT_YIELDS},
        std::pair{MUSA_NEXT_AT_STEP, MUSA_UNIT_AT_STEP}}) {
    if (state == MUSA_UNIT_AT_STEP && !unit_.hasSteps) continue;
    BasicBlock* leave = block("leave.unit");
    Builder(leave).CreateRet(builder.getInt32(state));
    next->addCase(builder.getInt32(static_cast<uint32_t>(left)), leave);
  }
}

// In the copy, slots are in the unit's memory from the start.
void UnitEmitter::keepSlotsInMemory(llvm::ValueToValueMapTy& map) {
  Builder builder(llvm::cast<BasicBlock>(map[&unit_.entry()])->getTerminator());
  for (const auto& slot : slots_.slots()) {
    if (!slot->local) continue;
    auto* variable = llvm::cast<llvm::AllocaInst>(map[slot->address]);
    variable->replaceAllUsesWith(slots_.memoryAddress(builder, *slot, divergedFunction_->getArg(0)));
    variable->eraseFromParent();
  }
}

// Both functions are emitted as one, of which each keeps what it can reach.
void UnitEmitter::outlineDiverged() {
  Function& diverged = *divergedFunction_;
  diverged.setSubprogram(nullptr);  // comes with the copy
  Value* unit = diverged.getArg(0);
  Builder builder(BasicBlock::Create(context_, "entry", &diverged));
  llvm::ValueToValueMapTy map;
  map[unit_.function->getArg(0)] = unit;
  map[unit_.context] = builder.CreateLoad(builder.getPtrTy(),
                                          builder.CreateStructGEP(unitType(context_), unit, kUnitBlockField));
  llvm::SmallVector<llvm::ReturnInst*, 8> returns;
  llvm::CloneFunctionInto(&diverged, unit_.function, map, llvm::CloneFunctionChangeType::LocalChangesOnly,
                          returns);
  diverged.addFnAttr(kColdAttribute);
  auto* entry = llvm::cast<BasicBlock>(map[&unit_.entry()]);
  builder.CreateBr(entry);
  if (unit_.kind == UnitKind::kBlock) replaceCall(llvm::cast<llvm::CallInst>(map[unit_.unit]), unit);
  keepSlotsInMemory(map);
  entry->getTerminator()->eraseFromParent();
  llvm::BranchInst::Create(llvm::cast<BasicBlock>(map[dispatch_]), entry);
  llvm::MergeBlockIntoPredecessor(entry);
  for (const auto& [exit, code] : exits_) {
    auto* copy = llvm::cast<BasicBlock>(map[exit]);
    copy->getTerminator()->eraseFromParent();
    Builder(copy).CreateRet(builder.getInt32(static_cast<uint32_t>(code)));
  }
  llvm::removeUnreachableBlocks(diverged);
  llvm::removeUnreachableBlocks(*unit_.function);
  diverged.addFnAttr(llvm::Attribute::NoInline);
  diverged.addFnAttr(llvm::Attribute::Cold);
  // Divergence is cold. Where there is much to compile, its code need not be good: of long functions, short
  // code takes less time to make than plain code.
  const bool many = unit_.function->getParent()->getNamedMetadata(kManyKernelsMetadata) != nullptr;
  if (many && !unit_.isLarge) {
    diverged.addFnAttr(llvm::Attribute::OptimizeNone);
  } else {
    diverged.addFnAttr(llvm::Attribute::OptimizeForSize);
    diverged.addFnAttr(llvm::Attribute::MinSize);
  }
}

}  // namespace musashim::mcc
