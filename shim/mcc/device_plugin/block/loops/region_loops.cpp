// Emits a region as loops over threads.
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/Module.h"
#include "mcc/device_plugin/block/emit/emitter.h"
#include "mcc/device_plugin/block/lockstep/guards.h"
#include "mcc/device_plugin/block/lockstep/lockstep.h"
#include "mcc/device_plugin/device_builtins.h"
#include "mcc/device_plugin/kernel_entry/entry_function.h"
#include "mcc/device_plugin/shared_memory/shared_atomics.h"

namespace musashim::mcc {
namespace {

constexpr llvm::StringRef kAssertFail = "__musa_assert_fail";

// Functions of the runtime that end the thread, or may, and name it in a message.
constexpr llvm::StringRef kFaulting[] = {kAssertFail, "__musa_trap", "__musa_free"};

// The calls by which the blocks' threads end because an assertion has failed.
llvm::SmallVector<llvm::CallInst*, 4> failedAssertions(llvm::ArrayRef<llvm::BasicBlock*> blocks) {
  llvm::SmallVector<llvm::CallInst*, 4> calls;
  for (llvm::BasicBlock* block : blocks) {
    auto* end = llvm::dyn_cast_or_null<llvm::UnreachableInst>(block->getTerminator());
    llvm::Instruction* last = end == nullptr ? nullptr : end->getPrevNonDebugInstruction();
    if (last != nullptr && calledName(*last) == kAssertFail)
      calls.push_back(llvm::cast<llvm::CallInst>(last));
  }
  return calls;
}

// A thread whose assertion has failed goes on no further, and the others have their turn: all name
// themselves, as on hardware. Behind the loops the block ends.
void returnFromAssertions(llvm::ArrayRef<llvm::BasicBlock*> blocks, llvm::BasicBlock& latch) {
  for (llvm::CallInst* call : failedAssertions(blocks)) {
    call->setCalledFunction(
        call->getModule()->getOrInsertFunction("__musa_assert_failed", call->getFunctionType()));
    call->removeFnAttr(llvm::Attribute::NoReturn);
    call->setTailCallKind(llvm::CallInst::TCK_None);
    llvm::Instruction* end = call->getParent()->getTerminator();
    llvm::BranchInst::Create(&latch, end)->setDebugLoc(end->getDebugLoc());
    end->eraseFromParent();
  }
}

// Whether an assertion of the block has failed.
llvm::Value* loadFailed(llvm::IRBuilder<>& builder, llvm::Module& module) {
  llvm::GlobalVariable* failed = module.getGlobalVariable("__musa_failed");
  if (failed == nullptr) {
    failed = new llvm::GlobalVariable(module, builder.getInt32Ty(), /*isConstant=*/false,
                                      llvm::GlobalValue::ExternalLinkage, nullptr, "__musa_failed", nullptr,
                                      llvm::GlobalValue::InitialExecTLSModel);
  }
  return builder.CreateLoad(builder.getInt32Ty(), builder.CreateThreadLocalAddress(failed));
}

}  // namespace

using llvm::BasicBlock;
using llvm::Value;

// The code is uniform, and idempotent: once for all threads is as good as once for each.
bool UnitEmitter::isScalarOnly(const Copy& copy) const {
  for (BasicBlock* block : copy.blocks) {
    for (llvm::Instruction& instruction : *block) {
      if (calledName(instruction) == kUnitIndexName || calledThreadIdx(instruction) != nullptr) return false;
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
  llvm::BranchInst::Create(copy.threadPrologue, copy.scalarPrologue);
  for (const Stub& stub : copy.stubs) llvm::BranchInst::Create(after, stub.block);
}

// Code that faults on purpose names its thread.
void UnitEmitter::publishBeforeFaults(BasicBlock& block, const ThreadLoops& loops) {
  for (llvm::Instruction& instruction : block) {
    if (!llvm::is_contained(kFaulting, calledName(instruction))) continue;
    Builder builder(&instruction);
    storeThread(builder, *unit_.function->getParent(), loops.threadIdx(), loops.linearIdx(builder));
  }
}

void UnitEmitter::lowerThread(Copy& copy, const ThreadLoops& loops) {
  for (BasicBlock* block : copy.blocks) {
    for (llvm::Instruction& instruction : llvm::make_early_inc_range(*block)) {
      if (calledName(instruction) == kUnitIndexName) {
        replaceCall(llvm::cast<llvm::CallInst>(&instruction), loops.indexInUnit());
      } else if (const Builtin* threadIdx = calledThreadIdx(instruction)) {
        replaceCall(llvm::cast<llvm::CallInst>(&instruction), loops.threadIdx()[threadIdx->axis]);
      }
    }
    if (!publishThread_) publishBeforeFaults(*block, loops);
  }
}

// Between barriers, plain accesses of threads are independent: where they are not, there is a data race. Says
// so to the vectoriser.
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

// The guard at the region's head without which a thread does nothing in the region.
llvm::BranchInst* UnitEmitter::threadGuard(const Region& region, const Copy& copy) const {
  if (unit_.kind != UnitKind::kBlock || region.exit != RegionExit::kOne || copy.stubs.empty()) return nullptr;
  BasicBlock* head = copy.threadPrologue->getSingleSuccessor();
  auto* branch = llvm::dyn_cast<llvm::BranchInst>(head->getTerminator());
  if (branch == nullptr || !branch->isConditional() || !branch->hasMetadata(kHeadMetadata)) return nullptr;
  const bool skips = llvm::any_of(copy.stubs, [&](const Stub& stub) {
    return stub.block == branch->getSuccessor(1) && stub.block->empty();
  });
  const auto isUniform = [&](const Value& value) { return isKnownBefore(copy, value); };
  if (!skips || !comparesThreadIdx(*branch->getCondition(), isUniform)) return nullptr;
  for (BasicBlock* block : {copy.threadPrologue, head}) {
    if (llvm::any_of(*block,
                     [](const llvm::Instruction& instruction) { return instruction.mayHaveSideEffects(); }))
      return nullptr;
  }
  return branch;
}

// Returns the block behind the loops, which has no terminator.
BasicBlock* UnitEmitter::emitLoops(const Region& region, Copy& copy, bool activeOnly, bool keepPlaces) {
  Builder builder(copy.scalarPrologue);
  setLocation(builder);
  const bool asserts = !failedAssertions(copy.blocks).empty();
  ThreadRange range;
  BasicBlock* skip = nullptr;
  if (llvm::BranchInst* guard = activeOnly || publishThread_ ? nullptr : threadGuard(region, copy)) {
    range = narrowThreads(unit_, *guard->getCondition(), builder);
    BasicBlock* some = block("threads");
    skip = block("region.end");
    builder.CreateCondBr(hasThreads(unit_, range, builder), some, skip);
    builder.SetInsertPoint(some);
    guard->setCondition(builder.getTrue());
  }
  if (activeOnly || publishThread_ || unit_.kind == UnitKind::kWarp) {
    emitLoop(region, copy, range, activeOnly, keepPlaces, builder);
  } else {
    emitSplitLoops(region, copy, range, keepPlaces, kLargestCopy, builder);
  }
  BasicBlock* after = builder.GetInsertBlock();
  if (skip != nullptr) {
    builder.CreateBr(skip);
    after = skip;
  }
  if (!asserts) return after;
  BasicBlock *failed = block("failed"), *sound = block("sound");
  builder.SetInsertPoint(after);
  Value* state = loadFailed(builder, *unit_.function->getParent());
  builder.CreateCondBr(builder.CreateICmpNE(state, builder.getInt32(0)), failed, sound);
  builder.SetInsertPoint(failed);
  builder.CreateCall(runtime("__musa_end_failed_block", builder.getVoidTy(), {}))->setDoesNotReturn();
  builder.CreateUnreachable();
  return sound;
}

void UnitEmitter::emitLoop(const Region& region, Copy& copy, const ThreadRange& range, bool activeOnly,
                           bool keepPlaces, Builder& builder) {
  const auto here = static_cast<uint16_t>(region.index);
  const bool ofWarp = unit_.kind == UnitKind::kWarp;
  ThreadLoops loops =
      activeOnly && ofWarp ? ThreadLoops(unit_, builder, here) : ThreadLoops(unit_, builder, range);
  BasicBlock* latch = block("thread.end");
  if (activeOnly && !ofWarp) {
    Value* place = builder.CreateLoad(builder.getInt16Ty(), placeAddress(builder, loops.indexInUnit()));
    Value* isActive = builder.CreateICmpEQ(place, builder.getInt16(here));
    BasicBlock* enter = block("present");
    builder.CreateCondBr(isActive, enter, latch);
    builder.SetInsertPoint(enter);
  }
  if (publishThread_)
    storeThread(builder, *unit_.function->getParent(), loops.threadIdx(), loops.linearIdx(builder));
  builder.CreateBr(copy.threadPrologue);
  for (const Stub& stub : copy.stubs) {
    Builder leave(stub.block);
    if (keepPlaces && !stub.cut) {
      leave.CreateStore(leave.getInt16(static_cast<uint16_t>(placeOf(stub.target))),
                        placeAddress(leave, loops.indexInUnit()));
    }
    leave.CreateBr(latch);
  }
  lowerThread(copy, loops);
  returnFromAssertions(copy.blocks, *latch);
  if (!activeOnly) markIndependent(copy);
  builder.SetInsertPoint(latch);
  loops.close(builder, activeOnly ? nullptr : group_);
}

}  // namespace musashim::mcc
