#include "visit_numbers.h"

#include "llvm/IR/CFG.h"
#include "llvm/IR/IRBuilder.h"

namespace musashim::mcc {

using llvm::BasicBlock;
using llvm::IRBuilder;
using llvm::Value;

Value* markVisit(Value* value) {
  if (auto* instruction = llvm::dyn_cast<llvm::Instruction>(value))
    instruction->setMetadata(kVisitMetadata, llvm::MDNode::get(value->getContext(), {}));
  return value;
}

VisitNumbers::VisitNumbers(llvm::Function& function, const llvm::LoopInfo& loops)
    : loops_(loops), zero_(llvm::ConstantInt::get(llvm::Type::getInt64Ty(function.getContext()), 0)) {
  for (const llvm::Loop* loop : loops) number(*loop, zero_);
}

Value* VisitNumbers::of(const BasicBlock& block) const {
  const llvm::Loop* loop = loops_.getLoopFor(&block);
  return loop == nullptr ? zero_ : numbers_.lookup(loop);
}

// A round's number is outer * K + round + 1, K odd: a hash that the rounds of one outer number never share.
void VisitNumbers::number(const llvm::Loop& loop, Value* outer) {
  BasicBlock& header = *loop.getHeader();
  IRBuilder<> builder(&header, header.begin());
  llvm::Type* i64 = zero_->getType();
  llvm::PHINode* round = builder.CreatePHI(i64, 2, "musa.round");
  builder.SetInsertPoint(&header, header.getFirstInsertionPt());
  Value* next = markVisit(builder.CreateAdd(round, llvm::ConstantInt::get(i64, 1)));
  for (BasicBlock* from : llvm::predecessors(&header))
    round->addIncoming(loop.contains(from) ? next : zero_, from);
  constexpr uint64_t kFactor = 0x9e3779b97f4a7c15;
  Value* base = markVisit(builder.CreateMul(outer, llvm::ConstantInt::get(i64, kFactor)));
  Value* own = markVisit(builder.CreateAdd(base, next));
  numbers_[&loop] = own;
  rounds_[&loop] = round;
  for (const llvm::Loop* inner : loop) number(*inner, own);
}

}  // namespace musashim::mcc
