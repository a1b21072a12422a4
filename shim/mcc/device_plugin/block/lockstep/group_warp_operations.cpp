#include "group_warp_operations.h"

#include <algorithm>

#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/IR/Instructions.h"
#include "mcc/device_plugin/block/analysis/suspend_points.h"
#include "mcc/device_plugin/device_builtins.h"

namespace musashim::mcc {
namespace {

using llvm::Instruction;

// Below this, what lies between the operations stays in registers.
constexpr unsigned kMany = 48;

// Operations in a row. With more, a loop's body would be of a length at which LLVM's time grows with its
// square.
constexpr size_t kTogether = 16;

// Exchanges and votes give values and order no memory. `__syncwarp` and barriers do, so they stay where they
// are.
bool isMovableOperation(const Instruction& instruction) {
  const auto op = calledOp(instruction);
  return op.has_value() && musaOpIsWarps(*op) && *op != MUSA_OP_SYNCWARP && *op != MUSA_OP_ACTIVEMASK &&
         *op != MUSA_OP_CONVERGE;
}

bool isMovable(const Instruction& instruction) {
  if (llvm::isa<llvm::PHINode>(instruction) || instruction.isTerminator()) return false;
  if (isMovableOperation(instruction) || calledThreadIdx(instruction) != nullptr) return true;
  return !instruction.mayReadOrWriteMemory() && !instruction.mayHaveSideEffects();
}

// A level is how many operations an instruction waits for, one behind another.
using Levels = llvm::DenseMap<const Instruction*, unsigned>;

unsigned levelOf(const Instruction& instruction, const Levels& levels) {
  unsigned level = 0;
  for (const llvm::Value* operand : instruction.operands()) {
    const auto* made = llvm::dyn_cast<Instruction>(operand);
    const auto found = made != nullptr ? levels.find(made) : levels.end();
    if (found != levels.end()) level = std::max(level, found->second + (isMovableOperation(*made) ? 1 : 0));
  }
  return level;
}

// Moves the instructions of a segment to `end`, each behind what it needs.
class Order {
 public:
  Order(llvm::ArrayRef<Instruction*> segment, Instruction& end)
      : waiting_(segment.begin(), segment.end()), end_(end) {}

  void place(Instruction& instruction) {
    if (!waiting_.erase(&instruction)) return;
    placeOperands(instruction);
    instruction.moveBefore(&end_);
  }

  void placeOperands(Instruction& instruction) {
    for (llvm::Value* operand : instruction.operands()) {
      if (auto* made = llvm::dyn_cast<Instruction>(operand)) place(*made);
    }
  }

 private:
  llvm::DenseSet<Instruction*> waiting_;
  Instruction& end_;
};

// Level by level, a few operations at a time: what they need, then these.
void groupIn(llvm::ArrayRef<Instruction*> segment, Instruction& end) {
  llvm::SmallVector<llvm::SmallVector<Instruction*, 0>, 0> operations;  // of each level
  Levels levels;
  unsigned count = 0;
  for (Instruction* instruction : segment) {
    const unsigned level = levelOf(*instruction, levels);
    levels[instruction] = level;
    if (!isMovableOperation(*instruction)) continue;
    if (operations.size() <= level) operations.resize(level + 1);
    operations[level].push_back(instruction);
    ++count;
  }
  if (count < kMany) return;
  Order order(segment, end);
  for (llvm::ArrayRef<Instruction*> rest : operations) {
    while (!rest.empty()) {
      const llvm::ArrayRef<Instruction*> together = rest.take_front(kTogether);
      for (Instruction* operation : together) order.placeOperands(*operation);
      for (Instruction* operation : together) order.place(*operation);
      rest = rest.drop_front(together.size());
    }
  }
  for (Instruction* instruction : segment) order.place(*instruction);
}

}  // namespace

void groupWarpOperations(llvm::Function& function) {
  for (llvm::BasicBlock& block : function) {
    llvm::SmallVector<Instruction*, 0> segment;
    for (Instruction& instruction : llvm::make_early_inc_range(block)) {
      if (isMovable(instruction)) {
        segment.push_back(&instruction);
        continue;
      }
      groupIn(segment, instruction);
      segment.clear();
    }
  }
}

}  // namespace musashim::mcc
