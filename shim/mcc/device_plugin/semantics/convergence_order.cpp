#include "convergence_order.h"

#include <vector>

#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/IR/CFG.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Module.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"
#include "mcc/device_plugin/block/analysis/suspend_points.h"
#include "mcc/device_plugin/device_builtins.h"
#include "spin_loops.h"
#include "warp_synchronous.h"

namespace musashim::mcc {
namespace {

using llvm::BasicBlock;
using llvm::CallBase;
using llvm::Instruction;
using llvm::Loop;

using Converges = llvm::function_ref<bool(const CallBase&)>;

bool isPoint(const Instruction& instruction, Converges converges) {
  const auto* call = llvm::dyn_cast<CallBase>(&instruction);
  return call != nullptr && (isConvergencePoint(instruction) || converges(*call));
}

// At which all lanes of a warp meet that come along.
bool meetsAll(const Instruction& instruction) {
  const auto op = calledOp(instruction);
  if (!op) return false;
  if (musaOpIsBarrier(*op) != 0) return true;
  const auto* mask =
      *op != MUSA_OP_SYNCWARP
          ? nullptr
          : llvm::dyn_cast<llvm::ConstantInt>(llvm::cast<CallBase>(instruction).getArgOperand(0));
  return mask != nullptr && mask->isMinusOne();
}

// A lane that begins another iteration may come to a convergence point, while others are still in the one
// before.
bool mayRunAhead(const Loop& loop, Converges converges) {
  llvm::SmallPtrSet<const BasicBlock*, 16> seen;
  llvm::SmallVector<const BasicBlock*, 16> work{loop.getHeader()};
  while (!work.empty()) {
    const BasicBlock* block = work.pop_back_val();
    if (!loop.contains(block) || !seen.insert(block).second) continue;
    bool meets = false;
    for (const Instruction& instruction : *block) {
      if (isPoint(instruction, converges)) return true;
      if ((meets = meetsAll(instruction))) break;
    }
    if (!meets) work.append(llvm::succ_begin(block), llvm::succ_end(block));
  }
  return false;
}

// The function's blocks. A loop's are together, before those that it is left for.
class BlockOrder {
 public:
  BlockOrder(llvm::Function& function, const llvm::LoopInfo& loops) : loops_(loops) {
    visitLevel(function.getEntryBlock(), nullptr);
  }
  struct Entry {
    BasicBlock* block;  // null: the end of `loop`
    const Loop* loop;
  };
  llvm::ArrayRef<Entry> entries() const { return entries_; }

 private:
  // The loop in `level` that holds the block; null: it is in none.
  const Loop* childOf(const BasicBlock& block, const Loop* level) const {
    const Loop* loop = loops_.getLoopFor(&block);
    while (loop != nullptr && loop != level && loop->getParentLoop() != level) loop = loop->getParentLoop();
    return loop == level ? nullptr : loop;
  }

  void visitLevel(BasicBlock& entry, const Loop* level) {
    std::vector<BasicBlock*> finished;  // a loop's header stands for the loop
    visit(entry, level, finished);
    for (BasicBlock* block : llvm::reverse(finished)) {
      if (const Loop* child = childOf(*block, level)) {
        visitLevel(*block, child);
      } else {
        entries_.push_back({block, level});
      }
    }
    entries_.push_back({nullptr, level});
  }

  // In post-order, without recursion: functions may be long.
  void visit(BasicBlock& entry, const Loop* level, std::vector<BasicBlock*>& finished) {
    struct Open {
      BasicBlock* block;
      llvm::SmallVector<BasicBlock*, 4> next;
    };
    llvm::SmallPtrSet<const BasicBlock*, 32> seen;
    std::vector<Open> open;
    const auto begin = [&](BasicBlock* block) {
      if (level != nullptr && !level->contains(block)) return;
      const Loop* child = childOf(*block, level);
      if (child != nullptr) block = child->getHeader();
      if (!seen.insert(block).second) return;
      open.push_back({block, {}});
      if (child != nullptr) {
        child->getExitBlocks(open.back().next);
      } else {
        open.back().next.append(llvm::succ_begin(block), llvm::succ_end(block));
      }
    };
    begin(&entry);
    while (!open.empty()) {
      if (open.back().next.empty()) {
        finished.push_back(open.back().block);
        open.pop_back();
      } else {
        begin(open.back().next.pop_back_val());
      }
    }
  }

  const llvm::LoopInfo& loops_;
  std::vector<Entry> entries_;
};

void convergeAtLatches(llvm::Function& function, Converges converges,
                       llvm::SmallPtrSetImpl<const Instruction*>& atLatches) {
  const llvm::DominatorTree dominators(function);
  const llvm::LoopInfo loops(dominators);
  llvm::SmallVector<std::pair<BasicBlock*, BasicBlock*>, 8> backEdges;
  for (const Loop* loop : loops.getLoopsInPreorder()) {
    if (!mayRunAhead(*loop, converges)) continue;
    llvm::SmallVector<BasicBlock*, 2> latches;
    loop->getLoopLatches(latches);
    for (BasicBlock* latch : latches) backEdges.emplace_back(latch, loop->getHeader());
  }
  llvm::SmallVector<Instruction*, 8> points;
  for (const auto& [latch, header] : backEdges) {
    const bool isOnly = latch->getTerminator()->getNumSuccessors() == 1;
    points.push_back((isOnly ? latch : llvm::SplitEdge(latch, header))->getTerminator());
  }
  convergeBefore(points, function);
  for (const Instruction* point : points) atLatches.insert(point->getPrevNode());
}

class Ranks {
 public:
  explicit Ranks(llvm::Function& function) : builder_(function.getContext()) {
    llvm::Module& module = *function.getParent();
    enter_ = module.getOrInsertFunction("__musa_converge_enter", builder_.getVoidTy(), builder_.getInt32Ty());
    leave_ = module.getOrInsertFunction("__musa_converge_leave", builder_.getVoidTy());
  }

  void give(CallBase& point) {
    if (isConvergencePoint(point)) {
      point.setArgOperand(0, builder_.getInt32(next_));
    } else {
      builder_.SetInsertPoint(&point);
      builder_.CreateCall(enter_, {builder_.getInt32(next_)});
      builder_.SetInsertPoint(point.getNextNode());
      builder_.CreateCall(leave_);
    }
  }
  void next() { ++next_; }

 private:
  llvm::IRBuilder<> builder_;
  llvm::FunctionCallee enter_, leave_;
  uint32_t next_ = 0;
};

}  // namespace

bool asksAtSeveralPlaces(llvm::ArrayRef<llvm::Function*> functions) {
  ptrdiff_t masks = 0;
  for (llvm::Function* function : functions) {
    masks += llvm::count_if(llvm::instructions(*function), [](const Instruction& instruction) {
      return calledOp(instruction) == MUSA_OP_ACTIVEMASK;
    });
  }
  return masks >= 2 && llvm::none_of(functions, [](llvm::Function* function) {
           return !function->isDeclaration() && waitsForLanes(*function);
         });
}

void convergeAtActiveMasks(llvm::Function& function) {
  llvm::SmallVector<Instruction*, 4> calls;
  for (Instruction& instruction : llvm::instructions(function)) {
    const Instruction* before = instruction.getPrevNode();
    const bool isDone = before != nullptr && isConvergencePoint(*before);
    if (calledOp(instruction) == MUSA_OP_ACTIVEMASK && !isDone) calls.push_back(&instruction);
  }
  convergeBefore(calls, function);
}

bool isConvergencePoint(const Instruction& instruction) { return calledOp(instruction) == MUSA_OP_CONVERGE; }

void orderConvergencePoints(llvm::Function& function, Converges converges) {
  const bool hasPoints = llvm::any_of(llvm::instructions(function), [&](const Instruction& instruction) {
    return isPoint(instruction, converges);
  });
  if (!hasPoints && !asksAtSeveralPlaces(&function)) return;
  convergeAtActiveMasks(function);
  llvm::SmallPtrSet<const Instruction*, 8> atLatches;
  convergeAtLatches(function, converges, atLatches);
  const llvm::DominatorTree dominators(function);
  const llvm::LoopInfo loops(dominators);
  const BlockOrder order(function, loops);
  Ranks ranks(function);
  llvm::DenseMap<const Loop*, llvm::SmallVector<CallBase*, 2>> ends;
  for (const auto& [block, loop] : order.entries()) {
    if (block == nullptr) {
      for (CallBase* point : ends[loop]) ranks.give(*point);
      ranks.next();
      continue;
    }
    llvm::SmallVector<CallBase*, 8> points;
    for (Instruction& instruction : *block) {
      if (isPoint(instruction, converges)) points.push_back(llvm::cast<CallBase>(&instruction));
    }
    for (CallBase* point : points) {
      if (atLatches.contains(point)) {
        ends[loop].push_back(point);
        continue;
      }
      ranks.give(*point);
      ranks.next();
    }
  }
}

}  // namespace musashim::mcc
