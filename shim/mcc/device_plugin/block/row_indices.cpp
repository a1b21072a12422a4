#include "row_indices.h"

#include "../device_builtins.h"

namespace musashim::mcc {

using llvm::BasicBlock;
using llvm::CallInst;
using llvm::Instruction;
using llvm::IRBuilder;
using llvm::Value;

namespace {

constexpr unsigned kDeepest = 6;    // operations between an index and the thread's
constexpr size_t kMostIndices = 4;  // more questions would take longer than the answers save

}  // namespace

RowIndices::RowIndices(llvm::Loop& loop, const UnitFunction& unit, const BlockCondition& condition)
    : loop_(loop), unit_(unit), condition_(condition) {
  for (BasicBlock* block : loop.blocks()) {
    for (Instruction& instruction : *block) {
      auto* index = llvm::dyn_cast<llvm::CastInst>(&instruction);
      if (index == nullptr || !llvm::isa<llvm::SExtInst, llvm::ZExtInst>(index)) continue;
      Value& value = *index->getOperand(0);
      if (!value.getType()->isIntegerTy(32) || !index->getType()->isIntegerTy(64)) continue;
      if (isLeaf(value) || !condition.growsWithThread(value)) continue;
      CallInst* thread = threadOf(value, kDeepest);
      if (thread != nullptr && calledThreadIdx(*thread)->axis == 0) indices_.emplace_back(index, thread);
    }
  }
  if (indices_.size() > kMostIndices) indices_.clear();
}

// The same for all threads, and known before a round begins.
bool RowIndices::isLeaf(const Value& value) const {
  if (!condition_.isUniform(value)) return false;
  const auto* phi = llvm::dyn_cast<llvm::PHINode>(&value);
  return loop_.isLoopInvariant(&value) || (phi != nullptr && phi->getParent() == loop_.getHeader());
}

// The one thread's index in a sum; null when there is none, or it is not the only one, or not by itself.
CallInst* RowIndices::threadOf(Value& value, unsigned deepest) const {
  if (calledThreadIdx(value) != nullptr) return llvm::cast<CallInst>(&value);
  auto* sum = llvm::dyn_cast<llvm::BinaryOperator>(&value);
  if (sum == nullptr || deepest == 0) return nullptr;
  Value *left = sum->getOperand(0), *right = sum->getOperand(1);
  switch (sum->getOpcode()) {
    case Instruction::Or:
    case Instruction::Add:
      if (isLeaf(*left)) return threadOf(*right, deepest - 1);
      [[fallthrough]];
    case Instruction::Sub:
      return isLeaf(*right) ? threadOf(*left, deepest - 1) : nullptr;
    default:
      return nullptr;
  }
}

// The value for another thread, in this round, or in the one that is entered from `before`.
Value* RowIndices::at(Value& value, Value* thread, const BasicBlock* before, IRBuilder<>& builder) const {
  if (calledThreadIdx(value) != nullptr) return thread;
  if (isLeaf(value)) {
    auto* phi = llvm::dyn_cast<llvm::PHINode>(&value);
    const bool changes = before != nullptr && phi != nullptr && phi->getParent() == loop_.getHeader();
    return changes ? phi->getIncomingValueForBlock(before) : &value;
  }
  auto& sum = llvm::cast<llvm::BinaryOperator>(value);
  Value* left = at(*sum.getOperand(0), thread, before, builder);
  Value* right = at(*sum.getOperand(1), thread, before, builder);
  // Bits that are disjoint for every thread: a sum.
  return sum.getOpcode() == Instruction::Sub ? builder.CreateSub(left, right)
                                             : builder.CreateAdd(left, right);
}

Value* RowIndices::inOrder(const BasicBlock& before, IRBuilder<>& builder) const {
  Value* all = builder.getTrue();
  for (const auto& [index, thread] : indices_) {
    Value* last = builder.CreateSub(unit_.blockDim[0], builder.getInt32(1));
    Value* from = at(*index->getOperand(0), builder.getInt32(0), &before, builder);
    Value* to = at(*index->getOperand(0), last, &before, builder);
    const bool isSigned = llvm::isa<llvm::SExtInst>(index);
    all = builder.CreateAnd(
        all, builder.CreateICmp(isSigned ? llvm::ICmpInst::ICMP_SLE : llvm::ICmpInst::ICMP_ULE, from, to));
  }
  return all;
}

void RowIndices::widen() {
  for (const auto& [index, thread] : indices_) {
    IRBuilder<> builder(index);
    Value* first = at(*index->getOperand(0), builder.getInt32(0), nullptr, builder);
    const bool isSigned = llvm::isa<llvm::SExtInst>(index);
    Value* wide =
        isSigned ? builder.CreateSExt(first, index->getType()) : builder.CreateZExt(first, index->getType());
    Value* lane = builder.CreateZExt(thread, index->getType());
    index->replaceAllUsesWith(builder.CreateAdd(wide, lane, "", /*HasNUW=*/!isSigned, /*HasNSW=*/true));
    index->eraseFromParent();
  }
}

}  // namespace musashim::mcc
