#include "barrier_free_paths.h"

#include "llvm/ADT/SmallVector.h"
#include "llvm/IR/CFG.h"
#include "mcc/device_plugin/block/analysis/suspend_points.h"

namespace musashim::mcc {

using llvm::BasicBlock;
using llvm::Instruction;

bool ordersBlock(const Instruction& instruction) {
  const auto op = calledOp(instruction);
  return op.has_value() && musaOpIsWarps(*op) == 0;
}

void BarrierFreePaths::follow(const Instruction& from, const BasicBlock* avoided,
                              llvm::function_ref<bool(const Instruction&)> visit) const {
  llvm::SmallPtrSet<const BasicBlock*, 16> seen;
  llvm::SmallVector<const BasicBlock*, 16> work;
  const auto run = [&](const Instruction* instruction) {
    const BasicBlock* block = instruction->getParent();
    for (; instruction != nullptr; instruction = instruction->getNextNode()) {
      if (isEnd(*instruction)) return true;
      if (!visit(*instruction)) return false;
    }
    for (const BasicBlock* next : llvm::successors(block)) {
      if (next != avoided && seen.insert(next).second) work.push_back(next);
    }
    return true;
  };
  const Instruction* next = from.getNextNode();
  if (next != nullptr && !run(next)) return;
  while (!work.empty()) {
    if (!run(&work.pop_back_val()->front())) return;
  }
}

bool BarrierFreePaths::lead(const Instruction& from, const Instruction& to, const BasicBlock* avoided) const {
  bool found = false;
  follow(from, avoided, [&](const Instruction& instruction) {
    found = &instruction == &to;
    return !found;
  });
  return found;
}

bool BarrierFreePaths::leadThrough(const Instruction& from, const BasicBlock& through,
                                   const Instruction& to) const {
  const Instruction& first = through.front();
  if (isEnd(first) || !lead(from, first)) return false;
  return &first == &to || lead(first, to);
}

}  // namespace musashim::mcc
