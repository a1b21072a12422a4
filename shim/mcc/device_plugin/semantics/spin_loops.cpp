#include "spin_loops.h"

#include <array>

#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/Module.h"
#include "llvm/IR/PatternMatch.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"
#include "mcc/device_plugin/block/analysis/suspend_points.h"
#include "mcc/device_plugin/device_builtins.h"
#include "mcc/device_plugin/kernel_entry/reachability.h"

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

const llvm::Value* pointerOf(const Instruction& access) {
  const auto* update = llvm::dyn_cast<AtomicRMWInst>(&access);
  return update != nullptr ? update->getPointerOperand() : llvm::getLoadStorePointerOperand(&access);
}

// A volatile variable of the thread's own is not waited for.
bool isOfOthers(const Instruction& access) {
  return !llvm::isa<llvm::AllocaInst>(llvm::getUnderlyingObject(pointerOf(access)));
}

bool isWait(const llvm::Loop& loop) {
  const auto never = [](const Instruction&) { return false; };
  return onlyLooks(loop, isOfOthers, never);
}

// Of memory that other blocks see.
bool isOfDevice(const Instruction& access) {
  return isOfOthers(access) && !isSharedBase(*llvm::getUnderlyingObject(pointerOf(access)));
}

bool isTogether(const Instruction& instruction) { return calledOp(instruction).has_value(); }

bool yields(const llvm::BasicBlock* block) {
  return llvm::any_of(*block,
                      [](const Instruction& instruction) { return calledOp(instruction) == MUSA_OP_YIELD; });
}

bool letsOthersRun(const llvm::Loop& loop) { return llvm::any_of(loop.blocks(), yields); }

// `while (atomicCAS(&lock, 0, 1) != 0);` or the same by atomicExch().
bool triesToLock(const llvm::Loop& loop) {
  return llvm::any_of(loop.blocks(), [](const llvm::BasicBlock* block) {
    return llvm::any_of(*block, [](const Instruction& instruction) {
      if (const auto* exchange = llvm::dyn_cast<llvm::AtomicCmpXchgInst>(&instruction))
        return llvm::isa<llvm::Constant>(exchange->getCompareOperand());
      const auto* update = llvm::dyn_cast<AtomicRMWInst>(&instruction);
      return update != nullptr && update->getOperation() == AtomicRMWInst::Xchg;
    });
  });
}

// What the loop compares for equality with what is no constant, and so waits for; null: it does not.
const Instruction* comparedForEquality(const llvm::Loop& loop) {
  const llvm::BasicBlock* exiting = loop.getExitingBlock();
  const auto* branch =
      exiting == nullptr ? nullptr : llvm::dyn_cast<llvm::BranchInst>(exiting->getTerminator());
  const auto* compare = branch == nullptr ? nullptr : llvm::dyn_cast<llvm::ICmpInst>(branch->getCondition());
  if (compare == nullptr || !compare->isEquality()) return nullptr;
  for (const unsigned side : {0u, 1u}) {
    const auto* looked = llvm::dyn_cast<Instruction>(compare->getOperand(side));
    const bool isFound = looked != nullptr && loop.contains(looked) && looks(*looked);
    if (isFound && !llvm::isa<llvm::Constant>(compare->getOperand(1 - side))) return looked;
  }
  return nullptr;
}

// Something is added to what `look` looks at.
bool isCounter(const Instruction& look) {
  const llvm::Value* object = llvm::getUnderlyingObject(pointerOf(look));
  return llvm::any_of(llvm::instructions(look.getFunction()), [object](const Instruction& instruction) {
    const auto* update = llvm::dyn_cast<AtomicRMWInst>(&instruction);
    return update != nullptr && !readsOnly(*update) &&
           llvm::getUnderlyingObject(update->getPointerOperand()) == object;
  });
}

bool isForCount(const llvm::Loop& loop) {
  const Instruction* looked = comparedForEquality(loop);
  return looked != nullptr && isCounter(*looked);
}

bool isWaitForBlocks(const llvm::Loop& loop) {
  return loop.isInnermost() && onlyLooks(loop, isOfDevice, isTogether);
}

// A wait for other blocks that lets those run.
bool isYieldingWait(const llvm::Loop& loop) { return isWaitForBlocks(loop) && letsOthersRun(loop); }

// The number of a loop's rounds, or what a round adds to it on any of its ways, that `value` is; null:
// neither.
const llvm::PHINode* countOf(const llvm::Value& value, const llvm::Loop& loop, unsigned depth = 4) {
  if (depth == 0 || loop.isLoopInvariant(&value)) return nullptr;
  if (const auto* step = llvm::dyn_cast<llvm::BinaryOperator>(&value)) {
    return loop.isLoopInvariant(step->getOperand(1)) ? countOf(*step->getOperand(0), loop, depth - 1)
                                                     : nullptr;
  }
  const auto* phi = llvm::dyn_cast<llvm::PHINode>(&value);
  if (phi == nullptr || phi->getParent() == loop.getHeader()) return phi;
  const llvm::PHINode* count = countOf(*phi->getIncomingValue(0), loop, depth - 1);
  const bool isSame = llvm::all_of(phi->incoming_values(), [&](const llvm::Use& incoming) {
    return countOf(*incoming, loop, depth - 1) == count;
  });
  return isSame ? count : nullptr;
}

// It ends when a number that each round changes by as much has come to a limit.
bool isCounted(const llvm::Loop& loop) {
  const llvm::BasicBlock* latch = loop.getLoopLatch();
  if (latch == nullptr) return false;
  llvm::SmallVector<llvm::BasicBlock*, 4> exiting;
  loop.getExitingBlocks(exiting);
  return llvm::any_of(exiting, [&](const llvm::BasicBlock* block) {
    const auto* branch = llvm::dyn_cast<llvm::BranchInst>(block->getTerminator());
    const auto* compare =
        branch == nullptr ? nullptr : llvm::dyn_cast<llvm::ICmpInst>(branch->getCondition());
    if (compare == nullptr) return false;
    return llvm::any_of(std::array{0u, 1u}, [&](unsigned side) {
      const llvm::PHINode* count = countOf(*compare->getOperand(side), loop);
      if (count == nullptr || !loop.isLoopInvariant(compare->getOperand(1 - side))) return false;
      const llvm::Value* next = count->getIncomingValueForBlock(latch);
      return next != count && countOf(*next, loop) == count;
    });
  });
}

// Looks at what others will write, round after round, and does something else in each: by one thread, say,
// that tells its block. `while (true) { if (t == 0) stop = *flag; __syncthreads(); if (stop) break; ... }`
// Not where each round comes to a wait that lets others run.
bool polls(const llvm::Loop& loop, const llvm::LoopInfo& loops, const llvm::DominatorTree& dominators) {
  if (isYieldingWait(loop) || isCounted(loop)) return false;
  llvm::SmallVector<llvm::BasicBlock*, 4> latches;
  loop.getLoopLatches(latches);
  const auto isInEachRound = [&](const llvm::BasicBlock* block) {
    return llvm::all_of(latches, [&](llvm::BasicBlock* latch) { return dominators.dominates(block, latch); });
  };
  bool looksAtOthers = false;
  for (const llvm::BasicBlock* block : loop.blocks()) {
    const llvm::Loop* inner = loops.getLoopFor(block);
    const bool isWait = inner != &loop && isYieldingWait(*inner);
    if (isInEachRound(isWait ? inner->getHeader() : block) && (isWait || yields(block))) return false;
    if (isWait) continue;
    looksAtOthers = looksAtOthers || llvm::any_of(*block, [](const Instruction& instruction) {
                      return looks(instruction) && isOfDevice(instruction);
                    });
  }
  return looksAtOthers;
}

// Adds what the function's own loops do; whether all let others run.
bool addWaits(llvm::Function& function, BlockWaits& waits) {
  const llvm::DominatorTree dominators(function);
  const llvm::LoopInfo loops(dominators);
  bool letsRun = true;
  for (const llvm::Loop* loop : loops.getLoopsInPreorder()) {
    if (polls(*loop, loops, dominators)) letsRun = false;
    if (loop->isInnermost() && triesToLock(*loop)) letsRun = false;
    if (!isWaitForBlocks(*loop)) continue;
    waits.looksBack = true;
    letsRun = letsRun && letsOthersRun(*loop);
    waits.isForCount = waits.isForCount || isForCount(*loop);
  }
  return letsRun;
}

}  // namespace

BlockWaits blockWaitsOf(llvm::Function& kernel) {
  BlockWaits waits;
  bool letsRun = true;
  for (llvm::Function* function : reachableFrom(kernel)) {
    if (!function->isDeclaration() && !addWaits(*function, waits)) letsRun = false;
  }
  waits.takesTurns = waits.looksBack && letsRun;
  return waits;
}

void yieldInSpinLoops(llvm::Function& function) {
  const llvm::DominatorTree dominators(function);
  const llvm::LoopInfo loops(dominators);
  auto sleep = [&function](Instruction* before) {
    llvm::IRBuilder<> builder(before);
    auto call = function.getParent()->getOrInsertFunction("__musa_nanosleep", builder.getVoidTy(),
                                                          builder.getInt32Ty());
    builder.CreateCall(call, builder.getInt32(0));
  };
  llvm::SmallVector<std::pair<llvm::BasicBlock*, llvm::BasicBlock*>, 4> again;
  for (const llvm::Loop* loop : loops.getLoopsInPreorder()) {
    if (!loop->isInnermost() || letsOthersRun(*loop)) continue;
    if (!isWait(*loop) && !isWaitForBlocks(*loop)) continue;
    llvm::SmallVector<llvm::BasicBlock*, 2> latches;
    loop->getLoopLatches(latches);
    for (llvm::BasicBlock* latch : latches) {
      if (isForCount(*loop)) {
        sleep(latch->getTerminator());  // also when it has come
      } else {
        again.emplace_back(latch, loop->getHeader());
      }
    }
  }
  for (const auto& [latch, header] : again) sleep(llvm::SplitEdge(latch, header)->getTerminator());
}

}  // namespace musashim::mcc
