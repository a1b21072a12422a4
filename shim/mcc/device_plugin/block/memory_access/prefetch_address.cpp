#include "prefetch_address.h"

#include "coalesced_address.h"

namespace musashim::mcc {

using llvm::Instruction;
using llvm::Value;

Value* PrefetchAddress::of(Value* value) {
  auto* instruction = llvm::dyn_cast<Instruction>(value);
  if (instruction == nullptr) return value;
  const auto [place, isNew] = known_.try_emplace(instruction, nullptr);
  if (!isNew) return place->second;
  return known_[instruction] = compute(*instruction);
}

Value* PrefetchAddress::compute(Instruction& instruction) {
  if (isBlockIdxX(instruction)) return builder_.CreateAdd(&instruction, builder_.getInt32(blocksAhead_));
  if (auto* phi = llvm::dyn_cast<llvm::PHINode>(&instruction)) {
    const llvm::Loop* loop = loopOf(*phi, row_);
    if (loop != nullptr && first_.contains(loop))
      return of(phi->getIncomingValueForBlock(loop->getLoopPreheader()));
  }
  if (!isPure(instruction)) return &instruction;
  bool isChanged = first_.contains(&instruction);
  llvm::SmallVector<Value*, 4> operands;
  for (const llvm::Use& operand : instruction.operands()) {
    operands.push_back(of(operand.get()));
    isChanged |= operands.back() != operand.get();
  }
  return isChanged ? copyWith(instruction, operands) : &instruction;
}

Value* PrefetchAddress::copyWith(const Instruction& instruction, llvm::ArrayRef<Value*> operands) {
  Instruction* copy = instruction.clone();
  for (unsigned i = 0; i < operands.size(); ++i) copy->setOperand(i, operands[i]);
  copy->dropPoisonGeneratingFlags();  // beyond the last block sums may overflow
  return builder_.Insert(copy);
}

}  // namespace musashim::mcc
