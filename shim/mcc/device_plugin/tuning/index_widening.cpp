// Index widening: computes sums that index arrays in 64 bits. In `a[row * n + tile *
// 16 + int(threadIdx.x)]` no sum of ints overflows, by the rules of C++ (nsw). LLVM drops these flags when it
// reassociates. Then loops over threads would need run-time checks, whether an index passes 2^31, before
// accesses are vectorised.
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "mcc/device_plugin/device_builtins.h"
#include "mcc/device_plugin/passes.h"

namespace musashim::mcc {
namespace {

using llvm::BinaryOperator;
using llvm::Instruction;
using llvm::Value;

constexpr unsigned kDeepest = 6;  // operations between an index and the thread's number

// A sum with nsw, whose terms may be extended instead.
BinaryOperator* exactSum(Value& value) {
  auto* sum = llvm::dyn_cast<BinaryOperator>(&value);
  if (sum == nullptr || !sum->hasNoSignedWrap()) return nullptr;
  const auto opcode = sum->getOpcode();
  return opcode == Instruction::Add || opcode == Instruction::Sub ? sum : nullptr;
}

bool namesThread(const Value& value, unsigned deepest) {
  const auto* instruction = llvm::dyn_cast<Instruction>(&value);
  if (instruction == nullptr) return false;
  if (calledThreadIdx(*instruction) != nullptr) return true;
  if (deepest == 0 || !llvm::isa<BinaryOperator, llvm::CastInst>(instruction)) return false;
  return llvm::any_of(instruction->operands(),
                      [deepest](const llvm::Use& operand) { return namesThread(*operand, deepest - 1); });
}

// Loaded indices are gathered from: half as many of 64 bits fit in a vector of addresses.
bool hasLoadedTerm(Value& value) {
  if (BinaryOperator* sum = exactSum(value)) {
    return hasLoadedTerm(*sum->getOperand(0)) || hasLoadedTerm(*sum->getOperand(1));
  }
  return llvm::isa<llvm::LoadInst>(value);
}

Value* extended(Value& value, llvm::IRBuilder<>& builder) {
  BinaryOperator* sum = exactSum(value);
  if (sum == nullptr) return builder.CreateSExt(&value, builder.getInt64Ty());
  Value* left = extended(*sum->getOperand(0), builder);
  Value* right = extended(*sum->getOperand(1), builder);
  return sum->getOpcode() == Instruction::Add ? builder.CreateNSWAdd(left, right)
                                              : builder.CreateNSWSub(left, right);
}

bool isIndex(const Instruction& instruction) {
  return llvm::any_of(instruction.users(),
                      [](const llvm::User* user) { return llvm::isa<llvm::GetElementPtrInst>(user); });
}

}  // namespace

llvm::PreservedAnalyses IndexWidening::run(llvm::Function& function, llvm::FunctionAnalysisManager&) {
  bool changed = false;
  for (Instruction& instruction : llvm::make_early_inc_range(llvm::instructions(function))) {
    auto* index = llvm::dyn_cast<llvm::SExtInst>(&instruction);
    if (index == nullptr || !index->getType()->isIntegerTy(64) || !isIndex(*index)) continue;
    Value& sum = *index->getOperand(0);
    if (exactSum(sum) == nullptr || !namesThread(sum, kDeepest) || hasLoadedTerm(sum)) continue;
    llvm::IRBuilder<> builder(index);
    index->replaceAllUsesWith(extended(sum, builder));
    index->eraseFromParent();
    changed = true;
  }
  return keepsBranches(changed);
}

}  // namespace musashim::mcc
