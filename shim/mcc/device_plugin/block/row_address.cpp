#include "row_address.h"

#include "../device_builtins.h"
#include "llvm/IR/DataLayout.h"

namespace musashim::mcc {
namespace {

constexpr unsigned kMostSteps = 64;  // of the calculation of an address

using llvm::Instruction;
using llvm::Loop;
using llvm::Value;

bool isFieldOfBlock(const Value& value, BlockContextField field) {
  const auto* load = llvm::dyn_cast<llvm::LoadInst>(&value);
  if (load == nullptr || !load->hasMetadata(llvm::LLVMContext::MD_invariant_load)) return false;
  const llvm::DataLayout& layout = load->getDataLayout();
  const llvm::StructLayout* fields = layout.getStructLayout(blockContextType(load->getContext()));
  llvm::APInt offset(64, 0);
  const Value* base = load->getPointerOperand()->stripAndAccumulateConstantOffsets(layout, offset, true);
  if (offset != fields->getElementOffset(field).getFixedValue()) return false;
  // The block's context is a parameter, or the first that a parameter points to.
  const auto* context = llvm::dyn_cast<llvm::LoadInst>(base);
  return llvm::isa<llvm::Argument>(context != nullptr ? context->getPointerOperand() : base);
}

// How many threads are in the blocks before this one.
bool isThreadsBefore(const Instruction& instruction) {
  if (instruction.getOpcode() != Instruction::Mul) return false;
  const Value &left = *instruction.getOperand(0), &right = *instruction.getOperand(1);
  return (isBlockIdxX(left) && isBlockDimX(right)) || (isBlockDimX(left) && isBlockIdxX(right));
}

}  // namespace

bool isBlockIdxX(const Value& value) { return isFieldOfBlock(value, kBlockIdxField); }

bool isBlockDimX(const Value& value) { return isFieldOfBlock(value, kBlockDimField); }

bool isSharedMemory(const Value& value) { return isFieldOfBlock(value, kSharedField); }

bool isSameParameter(const Value& left, const Value& right) {
  if (&left == &right) return true;
  const auto *leftLoad = llvm::dyn_cast<llvm::LoadInst>(&left),
             *rightLoad = llvm::dyn_cast<llvm::LoadInst>(&right);
  if (leftLoad == nullptr || rightLoad == nullptr || leftLoad->getType() != rightLoad->getType())
    return false;
  const llvm::DataLayout& layout = leftLoad->getDataLayout();
  const auto baseOf = [&](const llvm::LoadInst& load, llvm::APInt& offset) {
    return load.getPointerOperand()->stripAndAccumulateConstantOffsets(layout, offset, true);
  };
  llvm::APInt leftOffset(64, 0), rightOffset(64, 0);
  const auto mark = llvm::LLVMContext::MD_invariant_load;
  return leftLoad->hasMetadata(mark) && rightLoad->hasMetadata(mark) &&
         isSameParameter(*baseOf(*leftLoad, leftOffset), *baseOf(*rightLoad, rightOffset)) &&
         leftOffset == rightOffset;
}

bool isPure(const Instruction& instruction) {
  return llvm::isa<llvm::BinaryOperator, llvm::CastInst, llvm::GetElementPtrInst, llvm::CmpInst,
                   llvm::SelectInst>(instruction) &&
         !instruction.isIntDivRem();
}

const Loop* loopOf(const llvm::PHINode& phi, const Loop& row) {
  const Loop* loop = &row;
  while (loop != nullptr && loop->getHeader() != phi.getParent()) loop = loop->getParentLoop();
  return loop;
}

bool RowAddress::goesByBlocks() const {
  if (rounds_.size() != 1) return false;
  const llvm::PHINode& round = **rounds_.begin();
  const Loop* loop = row_.getParentLoop();
  if (loop->getHeader() != round.getParent() || loop->getLoopLatch() == nullptr) return false;
  const auto isRead = [&](const Instruction* part) {
    return loop->contains(part) && !isPure(*part) && !llvm::isa<llvm::PHINode>(part);
  };
  if (llvm::any_of(seen_, isRead)) return false;
  const auto* next =
      llvm::dyn_cast<llvm::BinaryOperator>(round.getIncomingValueForBlock(loop->getLoopLatch()));
  if (next == nullptr || next->getOpcode() != Instruction::Add) return false;
  return (next->getOperand(0) == &round && isBlockDimX(*next->getOperand(1))) ||
         (next->getOperand(1) == &round && isBlockDimX(*next->getOperand(0)));
}

void RowAddress::visit(const Value* value) {
  const auto* instruction = llvm::dyn_cast<Instruction>(value);
  if (instruction == nullptr || !seen_.insert(instruction).second) return;
  if (seen_.size() > kMostSteps) {
    isClear_ = false;
  } else if (isBlockIdxX(*instruction)) {
    namesBlock_ = true;
  } else if (const auto* phi = llvm::dyn_cast<llvm::PHINode>(instruction)) {
    const Loop* loop = loopOf(*phi, row_);
    if (loop != nullptr && loop != &row_) rounds_.insert(phi);
    isClear_ &= loop != nullptr || !row_.contains(instruction);
  } else if (isPure(*instruction)) {
    countsThreads_ |= isThreadsBefore(*instruction);
    for (const llvm::Use& operand : instruction->operands()) visit(operand.get());
  } else {
    isClear_ &= !row_.contains(instruction);  // an index that was read, say
  }
}

}  // namespace musashim::mcc
