#include "emitter.h"

#include "llvm/Analysis/CaptureTracking.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Module.h"
#include "llvm/Transforms/Utils/Cloning.h"
#include "mcc/device_plugin/block/lockstep/guards.h"
#include "mcc/device_plugin/block/lockstep/no_wrap_checks.h"

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

}  // namespace

UnitEmitter::UnitEmitter(UnitFunction& unit, RegionGraph& graph, SlotTable& slots, RegionValues& values,
                         bool publishThread)
    : unit_(unit),
      graph_(graph),
      slots_(slots),
      values_(values),
      publishThread_(publishThread),
      mayDiverge_(unit.kind == UnitKind::kWarp || graph.threadsDiverge()),
      escapes_(anyAllocaEscapes(*unit.function)),
      context_(unit.function->getContext()),
      group_(llvm::MDNode::getDistinct(context_, {})),
      stubs_(graph.regions().size()),
      cutTerminators_(graph.regions().size()),
      entries_(graph.regions().size()),
      active_(graph.regions().size()) {}

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
  if (mayDiverge_) {
    findLiveness();
    toDiverged_ = block("diverged");
    dispatch_ = block("dispatch");
  }
  for (const auto& region : graph_.regions()) {
    entries_[region->index] =
        region->completes != nullptr ? block("entry") : values_.code(*region).scalarPrologue;
  }
  if (mayDiverge_) {
    for (const auto& region : graph_.regions()) emitActive(*region, duplicate(*region));
  }
  if (unit_.kind == UnitKind::kWarp) widenIndices();
  for (const auto& region : graph_.regions()) emitConverged(*region, original(*region));
  for (const auto& region : graph_.regions()) {
    if (region->completes != nullptr) emitOperation(*region, entries_[region->index]);
  }
  if (mayDiverge_) {
    emitDispatch();
    emitDiverged();
  }
  emitResume();
  emitDone();
  for (llvm::Instruction* terminator : cutTerminators_) {
    if (terminator != nullptr) terminator->deleteValue();
  }
  if (mayDiverge_) outlineDiverged();
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
  Copy copy{code.scalarPrologue, code.threadPrologue, {code.threadPrologue}, stubs_[region.index]};
  copy.blocks.append(region.blocks.begin(), region.blocks.end());
  for (const Stub& stub : copy.stubs) copy.blocks.push_back(stub.block);
  return copy;
}

UnitEmitter::Copy UnitEmitter::copyThreads(const Copy& from, llvm::ValueToValueMapTy& map) {
  Copy copy{};
  copy.scalarPrologue = from.scalarPrologue;
  copy.blocks = cloneBlocks(from.blocks, map, ".part");
  copy.threadPrologue = copy.blocks.front();
  for (const Stub& stub : from.stubs) {
    copy.stubs.push_back({llvm::cast<BasicBlock>(map[stub.block]), stub.target, stub.cut});
  }
  return copy;
}

UnitEmitter::Copy UnitEmitter::duplicate(const Region& region) {
  const Copy from = original(region);
  llvm::ValueToValueMapTy map;
  BasicBlock* scalarPrologue = cloneBlocks({from.scalarPrologue}, map, ".part").front();
  Copy copy = copyThreads(from, map);
  copy.scalarPrologue = scalarPrologue;
  return copy;
}

void UnitEmitter::emitCut(const Region& region, Builder& builder,
                          llvm::function_ref<BasicBlock*(const Region*)> entry) {
  llvm::Instruction* terminator = cutTerminators_[region.index]->clone();
  terminator->insertInto(builder.GetInsertBlock(), builder.GetInsertBlock()->end());
  if (Slot* slot = values_.cutCondition(region)) {
    builder.SetInsertPoint(terminator);
    llvm::Use& condition = terminator->getOperandUse(0);  // of branches and switches alike
    condition.set(slots_.load(builder, *slot, condition->getType()));
  }
  for (unsigned i = 0; i < terminator->getNumSuccessors(); ++i) {
    terminator->setSuccessor(i, entry(graph_.regionAt(terminator->getSuccessor(i))));
  }
}

// Index widening, in code for converged units.
void UnitEmitter::widenIndices() {
  llvm::SmallVector<BasicBlock*, 32> blocks;
  for (const auto& region : graph_.regions()) blocks.append(original(*region).blocks);
  noWrap_ = widenUnitIndices(unit_, blocks);
}

// For converged units: all threads run the region.
void UnitEmitter::emitConverged(const Region& region, Copy copy) {
  const bool diverges = region.exit == RegionExit::kDivergent;
  std::optional<Decisions> decisions;
  if (region.divergentBranch != nullptr) decisions = recordDecisions(region, copy);
  BasicBlock* after = nullptr;
  if (!diverges && !publishThread_ && isScalarOnly(copy)) {
    after = block("after");
    emitScalarOnly(copy, after);
  } else {
    after = emitLoops(region, copy, /*activeOnly=*/false, /*keepPlaces=*/diverges && !decisions);
  }
  Builder builder(after);
  if (decisions) {
    emitDivergentBranch(region, *decisions, builder);
  } else if (diverges) {
    emitDivergenceCheck(region, builder);
  } else if (region.cut != nullptr) {
    emitCut(region, builder, [this](const Region* target) { return entryOf(target); });
  } else if (copy.stubs.empty()) {
    builder.CreateUnreachable();  // every thread faults or loops for ever
  } else {
    const Region* target = copy.stubs.front().target;
    if (target != nullptr) values_.moveBetween(builder, region, *target);
    builder.CreateBr(entryOf(target));
  }
}

// For diverged units: the active threads run the region, those whose place it is.
void UnitEmitter::emitActive(const Region& region, Copy copy) {
  active_[region.index] = copy.scalarPrologue;
  BasicBlock* after = emitLoops(region, copy, /*activeOnly=*/true, /*keepPlaces=*/true);
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

BasicBlock* UnitEmitter::entryOf(const Region* target) {
  return target == nullptr ? done_ : entries_[target->index];
}

Value* UnitEmitter::placeAddress(Builder& builder, Value* thread) {
  return builder.CreateInBoundsGEP(builder.getInt16Ty(), unit_.loadField(builder, kUnitPcField), thread);
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

// The entry branches to the first region, or to where the unit was suspended.
void UnitEmitter::emitResume() {
  llvm::Instruction* branch = unit_.entry().getTerminator();
  Builder builder(branch);
  BasicBlock* start = entryOf(graph_.regions().front().get());
  if (unit_.kind == UnitKind::kBlock) {
    branch->setSuccessor(0, start);
    return;
  }
  llvm::SwitchInst* resume = builder.CreateSwitch(unit_.loadField(builder, kUnitResumeField), toDiverged_);
  resume->addCase(builder.getInt32(0), noWrap_ == nullptr ? start : startUnlessWrapping(*start));
  for (const auto& region : graph_.regions()) {
    if (region->completes == nullptr || region->index == 0) continue;
    if (!musaOpLeavesUnit(region->completes->op)) continue;
    Builder again(block("again"));
    reload(again, liveness_->inside(*region));
    again.CreateBr(values_.code(*region).scalarPrologue);
    resume->addCase(builder.getInt32(region->index), again.GetInsertBlock());
  }
  branch->eraseFromParent();
}

// Where an index wraps within the block, the unit is diverged from the start: its threads run one by one.
BasicBlock* UnitEmitter::startUnlessWrapping(BasicBlock& start) {
  BasicBlock *check = block("check"), *wraps = block("wraps");
  llvm::BranchInst::Create(&start, wraps, noWrap_, check);
  Builder builder(wraps);
  setLocation(builder);
  builder.CreateStore(builder.getInt32(0), unit_.field(builder, kUnitInRowField));
  const Region& first = *graph_.regions().front();
  setAllPlaces(builder, placeOf(&first));
  diverge(builder, liveness_->before(first));
  return check;
}

void UnitEmitter::emitDone() {
  Builder builder(done_);
  unit_.kind == UnitKind::kWarp ? builder.CreateRet(builder.getInt32(MUSA_UNIT_DONE))
                                : builder.CreateRetVoid();
}

}  // namespace musashim::mcc
