#include "wait_loops.h"

#include "block/suspensions.h"
#include "device_builtins.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/Module.h"
#include "llvm/IR/PatternMatch.h"

namespace musashim::mcc {
namespace {

using llvm::AtomicRMWInst;
using llvm::Instruction;

// atomicAdd(&value, 0) is how many programs read.
bool readsOnly(const AtomicRMWInst& update) {
  switch (update.getOperation()) {
    case AtomicRMWInst::Add:
    case AtomicRMWInst::Sub:
    case AtomicRMWInst::Or:
    case AtomicRMWInst::Xor:
      return llvm::PatternMatch::match(update.getValOperand(), llvm::PatternMatch::m_Zero());
    default:
      return false;
  }
}

bool looks(const Instruction& instruction) {
  if (const auto* load = llvm::dyn_cast<llvm::LoadInst>(&instruction)) return !load->isSimple();
  const auto* update = llvm::dyn_cast<AtomicRMWInst>(&instruction);
  return update != nullptr && readsOnly(*update);
}

// What others will not see: variables of code that is not optimised, and fences.
bool isPrivate(const Instruction& instruction) {
  const auto* store = llvm::dyn_cast<llvm::StoreInst>(&instruction);
  if (store == nullptr) return llvm::isa<llvm::FenceInst>(instruction);
  return llvm::isa<llvm::AllocaInst>(llvm::getUnderlyingObject(store->getPointerOperand()));
}

// The loop looks at what `isOthers`, and writes nothing but by what `isAllowed`.
template <typename IsOthers, typename IsAllowed>
bool onlyLooks(const llvm::Loop& loop, IsOthers isOthers, IsAllowed isAllowed) {
  bool found = false;
  for (const llvm::BasicBlock* block : loop.blocks()) {
    for (const Instruction& instruction : *block) {
      if (looks(instruction) && isOthers(instruction)) {
        found = true;
      } else if (instruction.mayWriteToMemory() && !isPrivate(instruction) && !isAllowed(instruction)) {
        return false;
      }
    }
  }
  return found;
}

bool isWait(const llvm::Loop& loop) {
  const auto always = [](const Instruction&) { return true; };
  const auto never = [](const Instruction&) { return false; };
  return onlyLooks(loop, always, never);
}

// Of memory that other blocks see.
bool isOfDevice(const Instruction& access) {
  const llvm::Value* pointer = llvm::isa<AtomicRMWInst>(access)
                                   ? llvm::cast<AtomicRMWInst>(access).getPointerOperand()
                                   : llvm::getLoadStorePointerOperand(&access);
  const llvm::Value* object = llvm::getUnderlyingObject(pointer);
  return !isSharedBase(*object) && !llvm::isa<llvm::AllocaInst>(object);
}

}  // namespace

bool waitsForBlocks(llvm::Function& function) {
  const llvm::DominatorTree dominators(function);
  const llvm::LoopInfo loops(dominators);
  const auto isTogether = [](const Instruction& instruction) { return calledOp(instruction).has_value(); };
  return llvm::any_of(loops.getLoopsInPreorder(), [&](const llvm::Loop* loop) {
    return loop->isInnermost() && onlyLooks(*loop, isOfDevice, isTogether);
  });
}

void yieldInWaitLoops(llvm::Function& function) {
  const llvm::DominatorTree dominators(function);
  const llvm::LoopInfo loops(dominators);
  llvm::IRBuilder<> builder(function.getContext());
  for (const llvm::Loop* loop : loops.getLoopsInPreorder()) {
    llvm::SmallVector<llvm::BasicBlock*, 2> latches;
    if (!loop->isInnermost() || !isWait(*loop)) continue;
    loop->getLoopLatches(latches);
    for (llvm::BasicBlock* latch : latches) {
      builder.SetInsertPoint(latch->getTerminator());
      auto sleep = function.getParent()->getOrInsertFunction("__musa_nanosleep", builder.getVoidTy(),
                                                             builder.getInt32Ty());
      builder.CreateCall(sleep, builder.getInt32(0));
    }
  }
}

}  // namespace musashim::mcc
