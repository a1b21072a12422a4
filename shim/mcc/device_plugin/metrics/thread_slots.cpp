#include "thread_slots.h"

#include <algorithm>
#include <bit>

#include "llvm/ADT/PostOrderIterator.h"
#include "llvm/Analysis/CFG.h"
#include "llvm/Analysis/PostDominators.h"
#include "llvm/IR/CFG.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/Module.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"
#include "mcc/device_plugin/block/analysis/uniformity.h"

namespace musashim::mcc {
namespace {

using llvm::BasicBlock;
using llvm::IRBuilder;
using llvm::Value;

constexpr unsigned kSlotsTogether = 64;  // of a group that is read on the way: they stay in a cache
constexpr unsigned kMostRoundsTogether = 16;
constexpr unsigned kSlotsApart = 512;  // of one that is read at the block's end
constexpr unsigned kFewestRoundsApart = 8, kMostRoundsApart = 64;

// What is the same wherever the block's threads ask for it.
Value* askFor(IRBuilder<>& builder, llvm::StringRef name, llvm::Type* type) {
  auto callee = builder.GetInsertBlock()->getModule()->getOrInsertFunction(name, type);
  auto* function = llvm::cast<llvm::Function>(callee.getCallee());
  function->setDoesNotAccessMemory();
  function->setDoesNotThrow();
  function->setWillReturn();
  return markVisit(builder.CreateCall(callee));
}

unsigned roundsFor(const llvm::Loop& loop, const llvm::LoopInfo& loops, bool together) {
  unsigned accesses = 1;
  for (const BasicBlock* block : loop.blocks()) {
    if (loops.getLoopFor(block) != &loop) continue;
    accesses += 1 + static_cast<unsigned>(llvm::count_if(*block, [](const llvm::Instruction& instruction) {
                  return instruction.mayReadOrWriteMemory();
                }));
  }
  const unsigned slots = together ? kSlotsTogether : kSlotsApart;
  const unsigned rounds = std::bit_floor(std::max(1u, slots / accesses));
  return together ? std::min(rounds, kMostRoundsTogether)
                  : std::clamp(rounds, kFewestRoundsApart, kMostRoundsApart);
}

}  // namespace

ThreadSlots::ThreadSlots(llvm::Function& kernel, const llvm::LoopInfo& loops, const VisitNumbers& visits)
    : kernel_(kernel), loops_(loops), visits_(visits), dominators_(kernel) {
  SlotGroup outside;
  const llvm::ReversePostOrderTraversal<const llvm::Function*> order(&kernel);
  const bool regular = !llvm::containsIrreducibleCFG<
      const BasicBlock*, const llvm::ReversePostOrderTraversal<const llvm::Function*>, const llvm::LoopInfo>(
      order, loops);
  outside.usable = regular;
  groups_.push_back(outside);
  findTogether(kernel);
  for (const BasicBlock& block : kernel) findInEachRound(block);
  for (const llvm::Loop* loop : loops) {
    if (regular) plan(*loop);
  }
  BasicBlock& entry = kernel.getEntryBlock();
  IRBuilder<> builder(&entry, entry.getFirstNonPHIOrDbgOrAlloca());
  builder.SetCurrentDebugLocation(entry.getTerminator()->getDebugLoc());
  llvm::Type *i32 = builder.getInt32Ty(), *i64 = builder.getInt64Ty();
  const auto builtin = [&](const char* name) { return askFor(builder, name, i32); };
  const auto ours = [](Value* value) { return markVisit(value); };
  Value* row = ours(builder.CreateMul(builtin("__musa_block_dim_y"), builtin("__musa_thread_idx_z")));
  row = ours(builder.CreateAdd(row, builtin("__musa_thread_idx_y")));
  Value* linear = ours(builder.CreateMul(row, builtin("__musa_block_dim_x")));
  linear = ours(builder.CreateAdd(linear, builtin("__musa_thread_idx_x"), "", true, true));
  thread_ = ours(builder.CreateZExt(linear, i64));
  own_ = ours(builder.CreateShl(thread_, 3, "", true, true));
  slots_ = askFor(builder, "__musa_metrics_slots", builder.getPtrTy());
  stride_ = askFor(builder, "__musa_metrics_stride", i64);
}

// Blocks that no thread can miss, nor come to while others are behind: no divergent branch decides about
// them. A thread that ends misses what comes later.
void ThreadSlots::findTogether(llvm::Function& kernel) {
  const Uniformity uniformity(kernel, 0);
  const llvm::PostDominatorTree ends(kernel);
  llvm::DenseSet<const BasicBlock*> apart;
  for (const BasicBlock& block : kernel) {
    if (uniformity.hasUniformTerminator(block)) continue;
    const auto* node = ends.getNode(&block);
    const BasicBlock* meeting =
        node == nullptr || node->getIDom() == nullptr ? nullptr : node->getIDom()->getBlock();
    llvm::SmallVector<const BasicBlock*, 16> work(llvm::successors(&block));
    llvm::DenseSet<const BasicBlock*> seen;
    while (!work.empty()) {
      const BasicBlock* next = work.pop_back_val();
      if (next == meeting || !seen.insert(next).second) continue;
      apart.insert(next);
      work.append(llvm::succ_begin(next), llvm::succ_end(next));
    }
  }
  for (const BasicBlock& block : kernel) {
    if (!apart.contains(&block) && uniformity.isConverged(block)) together_.insert(&block);
  }
}

// The last place in a round of the loop around at which all threads come together before this loop.
llvm::Instruction* ThreadSlots::meetingBefore(const llvm::Loop& loop) const {
  const llvm::Loop* around = loop.getParentLoop();
  if (around == nullptr) return nullptr;
  for (const auto* node = dominators_.getNode(loop.getHeader())->getIDom(); node != nullptr;
       node = node->getIDom()) {
    if (loops_.getLoopFor(node->getBlock()) == around && isTogether(node->getBlock()))
      return node->getBlock()->getTerminator();
    if (!around->contains(node->getBlock())) return nullptr;
  }
  return nullptr;
}

void ThreadSlots::plan(const llvm::Loop& loop) {
  SlotGroup group;
  group.loop = &loop;
  group.before = meetingBefore(loop);
  group.usable = loop.getParentLoop() == nullptr || group.before != nullptr;
  group.together = isTogether(loop.getHeader()) && isTogether(loop.getLoopLatch());
  if (group.together) group.turns = loop.getLoopLatch()->getTerminator();
  group.rounds = roundsFor(loop, loops_, group.together);
  numbers_[&loop] = static_cast<unsigned>(groups_.size());
  groups_.push_back(group);
  for (const llvm::Loop* inner : loop) plan(*inner);
}

unsigned ThreadSlots::groupOf(const BasicBlock& block) const {
  const llvm::Loop* loop = loops_.getLoopFor(&block);
  return loop == nullptr ? 0 : numbers_.lookup(loop);
}

void ThreadSlots::findInEachRound(const BasicBlock& block) {
  llvm::SmallVector<BasicBlock*, 4> latches;
  if (const llvm::Loop* loop = loops_.getLoopFor(&block)) loop->getLoopLatches(latches);
  if (llvm::all_of(latches, [&](const BasicBlock* latch) { return dominators_.dominates(&block, latch); }))
    inEachRound_.insert(&block);
}

Value* ThreadSlots::address(IRBuilder<>& builder, Value* slot) const {
  Value* row = builder.CreateInBoundsGEP(builder.getInt8Ty(), slots_, builder.CreateMul(slot, stride_));
  return builder.CreateInBoundsGEP(builder.getInt8Ty(), row, own_);
}

void ThreadSlots::storeRounds(IRBuilder<>& builder, const BasicBlock& block, unsigned slot) const {
  const llvm::Loop* loop = loops_.getLoopFor(&block);
  Value* rounds = loop == nullptr
                      ? builder.getInt64(1)
                      : builder.CreateAdd(visits_.roundOf(*loop), builder.getInt64(1), "", true, true);
  builder.CreateStore(rounds, address(builder, builder.getInt64(slot)));
}

llvm::Instruction* ThreadSlots::storeInRound(llvm::Instruction& before, const BasicBlock& block, Value* value,
                                             unsigned first) const {
  IRBuilder<> builder(&before);
  const llvm::Loop* loop = loops_.getLoopFor(&block);
  if (loop == nullptr) {
    builder.CreateStore(value, address(builder, builder.getInt64(first)));
    return nullptr;
  }
  const SlotGroup& group = groups_[numbers_.lookup(loop)];
  Value* round = visits_.roundOf(*loop);
  if (group.together) {
    Value* turn = builder.CreateAnd(round, builder.getInt64(group.rounds - 1));
    builder.CreateStore(value, address(builder, builder.CreateAdd(turn, builder.getInt64(first))));
    return nullptr;
  }
  Value* has = builder.CreateICmpULT(round, builder.getInt64(group.rounds));
  llvm::Instruction *stores = nullptr, *others = nullptr;
  llvm::SplitBlockAndInsertIfThenElse(has, &before, &stores, &others);
  builder.SetInsertPoint(stores);
  builder.CreateStore(value, address(builder, builder.CreateAdd(round, builder.getInt64(first))));
  return others;
}

// One thread has the runtime read, while all others wait.
void ThreadSlots::read(llvm::Instruction& before, llvm::StringRef function, unsigned group) const {
  IRBuilder<> builder(&before);
  llvm::Module& module = *kernel_.getParent();
  auto wait = module.getOrInsertFunction("__musa_syncthreads", builder.getVoidTy());
  auto* barrier = llvm::cast<llvm::Function>(wait.getCallee());
  barrier->setConvergent();
  barrier->setDoesNotThrow();
  builder.CreateCall(wait);
  Value* isFirst = builder.CreateICmpEQ(thread_, builder.getInt64(0));
  llvm::Instruction* then = llvm::SplitBlockAndInsertIfThen(isFirst, &before, false);
  builder.SetInsertPoint(then);
  auto callee = module.getOrInsertFunction(
      function, llvm::FunctionType::get(builder.getVoidTy(), {builder.getInt32Ty()}, false));
  llvm::cast<llvm::Function>(callee.getCallee())->setDoesNotThrow();
  builder.CreateCall(callee, {builder.getInt32(group)});
  builder.SetInsertPoint(&before);
  builder.CreateCall(wait);
}

void ThreadSlots::readOnTheWay(const llvm::DenseSet<unsigned>& groupsWithRings) {
  struct Place {
    llvm::Instruction* before;
    const SlotGroup* group;
    unsigned number;
    bool turn;
  };
  llvm::SmallVector<Place, 8> places;
  for (unsigned number = 1; number < groups_.size(); ++number) {
    const SlotGroup& group = groups_[number];
    if (!group.usable) continue;
    if (group.together && groupsWithRings.contains(number))
      places.push_back({group.turns, &group, number, true});
    if (group.before != nullptr) places.push_back({group.before, &group, number, false});
  }
  for (const Place& place : places) {
    if (!place.turn) {
      read(*place.before, "__musa_metrics_settle", place.number);
      continue;
    }
    llvm::Instruction* at = place.before;
    if (place.group->rounds > 1) {
      IRBuilder<> builder(at);
      Value* turn =
          builder.CreateAnd(visits_.roundOf(*place.group->loop), builder.getInt64(place.group->rounds - 1));
      Value* isLast = builder.CreateICmpEQ(turn, builder.getInt64(place.group->rounds - 1));
      at = llvm::SplitBlockAndInsertIfThen(isLast, at, false);
    }
    read(*at, "__musa_metrics_turn", place.number);
  }
}

}  // namespace musashim::mcc
