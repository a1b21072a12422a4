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
#include "mcc/device_plugin/checks/check_calls.h"
#include "mcc/device_plugin/device_builtins.h"
#include "mcc/device_plugin/kernel_entry/reachability.h"
#include "waiting_reads.h"

namespace musashim::mcc {

bool blockYields(const llvm::BasicBlock* block) {
  return llvm::any_of(
      *block, [](const llvm::Instruction& instruction) { return calledOp(instruction) == MUSA_OP_YIELD; });
}

namespace {

using llvm::AtomicRMWInst;
using llvm::Instruction;

bool isPollingRead(const Instruction& instruction) {
  if (const auto* load = llvm::dyn_cast<llvm::LoadInst>(&instruction)) return !load->isSimple();
  return readsOnly(instruction);
}

CalledAccess accessOf(const Instruction& instruction) {
  const auto* call = llvm::dyn_cast<llvm::CallInst>(&instruction);
  return call != nullptr && !calledOp(instruction) ? accessOfCall(*call) : CalledAccess::kOther;
}

// The loop polls memory that `isOthers`, which any may be that a function polls, and writes nothing but by
// what `isAllowed`.
template <typename IsOthers, typename IsAllowed>
bool onlyPolls(const llvm::Loop& loop, IsOthers isOthers, IsAllowed isAllowed) {
  bool found = false;
  for (const llvm::BasicBlock* block : loop.blocks()) {
    for (const Instruction& instruction : *block) {
      if (isPollingRead(instruction) && isOthers(instruction)) {
        found = true;
      } else if (instruction.mayWriteToMemory() && !writesNothingOfOthers(instruction) &&
                 !isAllowed(instruction)) {
        const CalledAccess access = accessOf(instruction);
        if (access > CalledAccess::kPolls) return false;
        found |= access == CalledAccess::kPolls;
      }
    }
  }
  return found;
}

const llvm::Value* pointerOf(const Instruction& access) {
  if (const auto* update = llvm::dyn_cast<AtomicRMWInst>(&access)) return update->getPointerOperand();
  const auto* exchange = llvm::dyn_cast<llvm::AtomicCmpXchgInst>(&access);
  return exchange != nullptr ? exchange->getPointerOperand() : llvm::getLoadStorePointerOperand(&access);
}

// Not a private volatile variable.
bool isOfOthers(const Instruction& access) {
  return !llvm::isa<llvm::AllocaInst>(llvm::getUnderlyingObject(pointerOf(access)));
}

bool isSpinLoop(const llvm::Loop& loop) {
  const auto never = [](const Instruction&) { return false; };
  return onlyPolls(loop, isOfOthers, never);
}

bool readsTime(const llvm::CallInst& call) {
  const llvm::StringRef name = calledName(call);
  return name == kClockName || name == kGlobalTimerName;
}

// It does nothing until a time has come: `while (clock64() < end);`. A GPU's threads wait for it side by
// side.
bool waitsForTime(const llvm::Loop& loop) {
  bool readsClock = false;
  for (const llvm::BasicBlock* block : loop.blocks()) {
    for (const Instruction& instruction : *block) {
      const auto* call = llvm::dyn_cast<llvm::CallInst>(&instruction);
      if (call != nullptr && readsTime(*call)) {
        readsClock = true;
      } else if (instruction.mayWriteToMemory() && !writesNothingOfOthers(instruction)) {
        return false;
      }
    }
  }
  return readsClock;
}

// An access to memory that other blocks see.
bool isOfDevice(const Instruction& access) {
  return isOfOthers(access) && !isSharedBase(*llvm::getUnderlyingObject(pointerOf(access)));
}

bool isConvergent(const Instruction& instruction) { return calledOp(instruction).has_value(); }

// In each iteration: one that yields in grids of many blocks only, say, is as bad as another in the others.
bool loopYields(const llvm::Loop& loop) {
  llvm::SmallVector<const llvm::BasicBlock*, 4> yielding;
  llvm::copy_if(loop.blocks(), std::back_inserter(yielding), blockYields);
  if (yielding.empty()) return false;
  const llvm::DominatorTree dominators(*loop.getHeader()->getParent());
  llvm::SmallVector<llvm::BasicBlock*, 4> latches;
  loop.getLoopLatches(latches);
  return llvm::any_of(yielding, [&](const llvm::BasicBlock* block) {
    return llvm::all_of(latches,
                        [&](const llvm::BasicBlock* latch) { return dominators.dominates(block, latch); });
  });
}

// `while (atomicCAS(&lock, 0, 1) != 0);` or the same with atomicExch().
bool spinsOnLock(const llvm::Loop& loop) {
  return llvm::any_of(loop.blocks(), [](const llvm::BasicBlock* block) {
    return llvm::any_of(*block, [](const Instruction& instruction) {
      if (const auto* exchange = llvm::dyn_cast<llvm::AtomicCmpXchgInst>(&instruction))
        return llvm::isa<llvm::Constant>(exchange->getCompareOperand()) && !readsOnly(*exchange);
      const auto* update = llvm::dyn_cast<AtomicRMWInst>(&instruction);
      return update != nullptr && update->getOperation() == AtomicRMWInst::Xchg;
    });
  });
}

// The polling read that the loop compares for equality with a value that is no constant. Null: there is none.
const Instruction* comparedForEquality(const llvm::Loop& loop) {
  const llvm::BasicBlock* exiting = loop.getExitingBlock();
  const auto* branch =
      exiting == nullptr ? nullptr : llvm::dyn_cast<llvm::BranchInst>(exiting->getTerminator());
  const auto* compare = branch == nullptr ? nullptr : llvm::dyn_cast<llvm::ICmpInst>(branch->getCondition());
  if (compare == nullptr || !compare->isEquality()) return nullptr;
  for (const unsigned side : {0u, 1u}) {
    const auto* read = llvm::dyn_cast<Instruction>(compare->getOperand(side));
    const bool isPolled = read != nullptr && loop.contains(read) && isPollingRead(*read);
    if (isPolled && !llvm::isa<llvm::Constant>(compare->getOperand(1 - side))) return read;
  }
  return nullptr;
}

// An atomic update changes what `read` polls.
bool isCounter(const Instruction& read) {
  const llvm::Value* object = llvm::getUnderlyingObject(pointerOf(read));
  return llvm::any_of(llvm::instructions(read.getFunction()), [object](const Instruction& instruction) {
    const auto* update = llvm::dyn_cast<AtomicRMWInst>(&instruction);
    return update != nullptr && !readsOnly(*update) &&
           llvm::getUnderlyingObject(update->getPointerOperand()) == object;
  });
}

bool waitsForCount(const llvm::Loop& loop) {
  const Instruction* read = comparedForEquality(loop);
  return read != nullptr && isCounter(*read);
}

bool spinsOnOtherBlocks(const llvm::Loop& loop) {
  return loop.isInnermost() && onlyPolls(loop, isOfDevice, isConvergent);
}

// Spins on other blocks, and yields.
bool isYieldingSpin(const llvm::Loop& loop) { return spinsOnOtherBlocks(loop) && loopYields(loop); }

// The induction phi that `value` is, or is computed from by a constant step on each path. Null: neither.
const llvm::PHINode* inductionPhiOf(const llvm::Value& value, const llvm::Loop& loop, unsigned depth = 4) {
  if (depth == 0 || loop.isLoopInvariant(&value)) return nullptr;
  if (const auto* step = llvm::dyn_cast<llvm::BinaryOperator>(&value)) {
    // The step comes first where it was known first: `i += blockDim.x`.
    for (const unsigned side : {1u, 0u}) {
      if (loop.isLoopInvariant(step->getOperand(side)))
        return inductionPhiOf(*step->getOperand(1 - side), loop, depth - 1);
      if (!step->isCommutative()) break;
    }
    return nullptr;
  }
  const auto* phi = llvm::dyn_cast<llvm::PHINode>(&value);
  if (phi == nullptr || phi->getParent() == loop.getHeader()) return phi;
  const llvm::PHINode* count = inductionPhiOf(*phi->getIncomingValue(0), loop, depth - 1);
  const bool isSame = llvm::all_of(phi->incoming_values(), [&](const llvm::Use& incoming) {
    return inductionPhiOf(*incoming, loop, depth - 1) == count;
  });
  return isSame ? count : nullptr;
}

// A variable of code that is not optimised that the loop only counts in.
bool isCountedVariable(const llvm::Value& value, const llvm::Loop& loop) {
  const auto* read = llvm::dyn_cast<llvm::LoadInst>(&value);
  const auto* variable =
      read == nullptr ? nullptr : llvm::dyn_cast<llvm::AllocaInst>(read->getPointerOperand());
  if (variable == nullptr || read->isVolatile()) return false;
  bool counts = false;
  for (const llvm::User* user : variable->users()) {
    const auto* access = llvm::dyn_cast<Instruction>(user);
    if (access == nullptr || llvm::isa<llvm::LoadInst>(access) || !loop.contains(access)) continue;
    const auto* store = llvm::dyn_cast<llvm::StoreInst>(access);
    const auto* step =
        store == nullptr ? nullptr : llvm::dyn_cast<llvm::BinaryOperator>(store->getValueOperand());
    const auto* before = step == nullptr ? nullptr : llvm::dyn_cast<llvm::LoadInst>(step->getOperand(0));
    if (before == nullptr || before->getPointerOperand() != variable ||
        !loop.isLoopInvariant(step->getOperand(1)))
      return false;
    counts = true;
  }
  return counts;
}

// Holds until an induction variable reaches a limit.
bool countsTo(const llvm::ICmpInst& compare, const llvm::Loop& loop) {
  const llvm::BasicBlock* latch = loop.getLoopLatch();
  return llvm::any_of(std::array{0u, 1u}, [&](unsigned side) {
    const llvm::Value& counted = *compare.getOperand(side);
    if (isCountedVariable(counted, loop)) return true;
    const llvm::PHINode* count = latch == nullptr ? nullptr : inductionPhiOf(counted, loop);
    if (count == nullptr || !loop.isLoopInvariant(compare.getOperand(1 - side))) return false;
    const llvm::Value* next = count->getIncomingValueForBlock(latch);
    return next != count && inductionPhiOf(*next, loop) == count;
  });
}

const llvm::Value* exitCondition(const llvm::BasicBlock& exiting) {
  const auto* branch = llvm::dyn_cast<llvm::BranchInst>(exiting.getTerminator());
  return branch == nullptr || !branch->isConditional() ? nullptr : branch->getCondition();
}

// The loop is left there by counting alone.
bool isCountedExit(const llvm::BasicBlock& exiting, const llvm::Loop& loop) {
  const auto* compare = llvm::dyn_cast_or_null<llvm::ICmpInst>(exitCondition(exiting));
  return compare != nullptr && countsTo(*compare, loop);
}

// It is left there by counting, among other reasons.
bool mayCountOut(const llvm::BasicBlock& exiting, const llvm::Loop& loop) {
  llvm::SmallVector<const llvm::Value*, 4> conditions{exitCondition(exiting)};
  while (!conditions.empty()) {
    const llvm::Value* condition = conditions.pop_back_val();
    const auto* compare = llvm::dyn_cast_or_null<llvm::ICmpInst>(condition);
    if (compare != nullptr && countsTo(*compare, loop)) return true;
    const llvm::Value *left = nullptr, *right = nullptr;
    using namespace llvm::PatternMatch;
    if (condition != nullptr && match(condition, m_CombineOr(m_LogicalAnd(m_Value(left), m_Value(right)),
                                                             m_LogicalOr(m_Value(left), m_Value(right)))))
      conditions.append({left, right});
  }
  return false;
}

// A counted loop: it ends when an induction variable reaches a limit.
bool isCountedLoop(const llvm::Loop& loop) {
  llvm::SmallVector<llvm::BasicBlock*, 4> exiting;
  loop.getExitingBlocks(exiting);
  return llvm::any_of(exiting, [&](const llvm::BasicBlock* block) { return isCountedExit(*block, loop); });
}

// A polling read, or a call that polls, of the same memory each time.
bool pollsSamePlace(const Instruction& instruction, const llvm::Loop& loop) {
  if (isPollingRead(instruction)) return isSameEachTime(*pointerOf(instruction), loop);
  return accessOf(instruction) == CalledAccess::kPolls &&
         llvm::all_of(llvm::cast<llvm::CallInst>(instruction).args(), [&](const llvm::Use& argument) {
           return !argument->getType()->isPointerTy() || isSameEachTime(*argument, loop);
         });
}

// It goes over what others have written, and waits for nothing: either what it reads does not decide when it
// ends, or it is counted and reads something else each time.
bool endsByItself(const llvm::Loop& loop) {
  llvm::SmallVector<llvm::BasicBlock*, 4> exiting;
  loop.getExitingBlocks(exiting);
  if (llvm::none_of(exiting, [&](const llvm::BasicBlock* block) { return mayCountOut(*block, loop); }))
    return false;
  return llvm::all_of(exiting, [&](const llvm::BasicBlock* block) { return isCountedExit(*block, loop); }) ||
         llvm::none_of(loop.blocks(), [&](const llvm::BasicBlock* block) {
           return llvm::any_of(
               *block, [&](const Instruction& instruction) { return pollsSamePlace(instruction, loop); });
         });
}

// Polls what others will write, and does something else in each iteration: one thread polls for its block,
// say. `while (true) { if (t == 0) stop = *flag; __syncthreads(); if (stop) break; ... }` False where each
// iteration yields.
bool pollsBetweenWork(const llvm::Loop& loop, const llvm::LoopInfo& loops,
                      const llvm::DominatorTree& dominators) {
  if (isYieldingSpin(loop) || isCountedLoop(loop)) return false;
  llvm::SmallVector<llvm::BasicBlock*, 4> latches;
  loop.getLoopLatches(latches);
  const auto isInEachRound = [&](const llvm::BasicBlock* block) {
    return llvm::all_of(latches, [&](llvm::BasicBlock* latch) { return dominators.dominates(block, latch); });
  };
  bool pollsOthers = false;
  for (const llvm::BasicBlock* block : loop.blocks()) {
    const llvm::Loop* inner = loops.getLoopFor(block);
    const bool isSpinLoop = inner != &loop && isYieldingSpin(*inner);
    if (isInEachRound(isSpinLoop ? inner->getHeader() : block) && (isSpinLoop || blockYields(block)))
      return false;
    if (isSpinLoop) continue;
    pollsOthers = pollsOthers || llvm::any_of(*block, [](const Instruction& instruction) {
                    return isPollingRead(instruction) && isOfDevice(instruction);
                  });
  }
  return pollsOthers;
}

// Adds what the function's loops do. Returns whether all of them yield.
bool addWaits(llvm::Function& function, BlockWaits& waits) {
  const llvm::DominatorTree dominators(function);
  const llvm::LoopInfo loops(dominators);
  bool allYield = true;
  for (const llvm::Loop* loop : loops.getLoopsInPreorder()) {
    if (pollsBetweenWork(*loop, loops, dominators)) allYield = false;
    if (loop->isInnermost() && spinsOnLock(*loop)) allYield = false;
    if (!spinsOnOtherBlocks(*loop)) continue;
    waits.looksBack = true;
    allYield = allYield && loopYields(*loop);
    waits.waitsForCount = waits.waitsForCount || waitsForCount(*loop);
  }
  return allYield;
}

}  // namespace

bool onlyWaits(const llvm::Loop& loop) {
  const auto isNoWork = [](const Instruction& instruction) {
    return calledOp(instruction) == MUSA_OP_YIELD || isCheck(instruction);
  };
  return loop.isInnermost() && llvm::any_of(loop.blocks(), blockYields) &&
         (onlyPolls(loop, isOfOthers, isNoWork) || waitsByUpdates(loop));
}

bool triesAgain(const llvm::Loop& loop) {
  return loop.isInnermost() &&
         (spinsOnLock(loop) || llvm::any_of(loop.blocks(), [](const llvm::BasicBlock* block) {
            return llvm::any_of(*block, [](const Instruction& instruction) {
              return accessOf(instruction) == CalledAccess::kUpdates;
            });
          }));
}

bool waitsForLanes(llvm::Function& function) {
  const auto polls = [](const llvm::Loop& loop) {
    return llvm::any_of(loop.blocks(), [](const llvm::BasicBlock* block) {
      return llvm::any_of(*block, [](const Instruction& instruction) {
        return isPollingRead(instruction) || accessOf(instruction) == CalledAccess::kPolls;
      });
    });
  };
  const llvm::DominatorTree dominators(function);
  const llvm::LoopInfo loops(dominators);
  return llvm::any_of(function, [&](const llvm::BasicBlock& block) {
    const llvm::Loop* loop = loops.getLoopFor(&block);
    return blockYields(&block) && (loop == nullptr || !waitsByUpdates(*loop) || polls(*loop));
  });
}

BlockWaits blockWaitsOf(llvm::Function& kernel) {
  BlockWaits waits;
  bool allYield = true;
  for (llvm::Function* function : reachableFrom(kernel)) {
    if (!function->isDeclaration() && !addWaits(*function, waits)) allYield = false;
  }
  waits.takesTurns = waits.looksBack && allYield;
  return waits;
}

void yieldInSpinLoops(llvm::Function& function) {
  markWaitingReads(function);
  const llvm::DominatorTree dominators(function);
  const llvm::LoopInfo loops(dominators);
  auto sleep = [&function](Instruction* before) {
    llvm::IRBuilder<> builder(before);
    auto call = function.getParent()->getOrInsertFunction("__musa_nanosleep", builder.getVoidTy(),
                                                          builder.getInt32Ty());
    builder.CreateCall(call, builder.getInt32(0));
  };
  llvm::SmallVector<std::pair<llvm::BasicBlock*, llvm::BasicBlock*>, 4> backEdges;
  for (const llvm::Loop* loop : loops.getLoopsInPreorder()) {
    if (!loop->isInnermost() || loopYields(*loop)) continue;
    const bool waits =
        isSpinLoop(*loop) || spinsOnOtherBlocks(*loop) || waitsByUpdates(*loop) || waitsForTime(*loop);
    if (!waits || endsByItself(*loop)) continue;
    llvm::SmallVector<llvm::BasicBlock*, 2> latches;
    loop->getLoopLatches(latches);
    for (llvm::BasicBlock* latch : latches) {
      if (waitsForCount(*loop)) {
        sleep(latch->getTerminator());  // also in the last iteration
      } else {
        backEdges.emplace_back(latch, loop->getHeader());
      }
    }
  }
  for (const auto& [latch, header] : backEdges) sleep(llvm::SplitEdge(latch, header)->getTerminator());
}

}  // namespace musashim::mcc
