#include "coalesced_address.h"

#include <optional>

#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/DataLayout.h"
#include "mcc/device_plugin/device_builtins.h"
#include "mcc/device_plugin/passes.h"

namespace musashim::mcc {
namespace {

constexpr unsigned kMostSteps = 64;  // instructions of an address computation

using llvm::Instruction;
using llvm::Loop;
using llvm::Value;

// Where an invariant value is loaded from: a parameter, or a field of the block's context.
struct Place {
  const Value* base;
  llvm::APInt offset;  // in bytes
};

std::optional<Place> placeOf(const Value& value) {
  const auto* load = llvm::dyn_cast<llvm::LoadInst>(&value);
  if (load == nullptr || !load->hasMetadata(llvm::LLVMContext::MD_invariant_load)) return std::nullopt;
  Place place{nullptr, llvm::APInt(64, 0)};
  place.base =
      load->getPointerOperand()->stripAndAccumulateConstantOffsets(load->getDataLayout(), place.offset, true);
  return place;
}

bool isFieldOfBlock(const Value& value, BlockContextField field) {
  const std::optional<Place> place = placeOf(value);
  if (!place) return false;
  const auto& load = llvm::cast<llvm::LoadInst>(value);
  const llvm::StructLayout* fields =
      load.getDataLayout().getStructLayout(blockContextType(load.getContext()));
  if (place->offset != fields->getElementOffset(field).getFixedValue()) return false;
  // The block's context is a parameter, or the first that a parameter points to.
  const auto* context = llvm::dyn_cast<llvm::LoadInst>(place->base);
  return llvm::isa<llvm::Argument>(context != nullptr ? context->getPointerOperand() : place->base);
}

bool isConstant(const Value& value, uint64_t wanted) {
  const auto* constant = llvm::dyn_cast<llvm::ConstantInt>(&value);
  return constant != nullptr && constant->getValue() == wanted;
}

// It is blockDim.x, or the constant `threads` if that is not 0.
bool isBlockDim(const Value& value, uint64_t threads) {
  return isBlockDimX(value) || (threads != 0 && isConstant(value, threads));
}

// blockIdx.x * blockDim.x: the index of the block's first thread.
bool isBlockOffset(const Instruction& instruction, uint64_t threads) {
  if (instruction.getNumOperands() != 2) return false;
  const Value &left = *instruction.getOperand(0), &right = *instruction.getOperand(1);
  if (instruction.getOpcode() == Instruction::Shl)
    return isBlockIdxX(left) && llvm::isPowerOf2_64(threads) && isConstant(right, llvm::Log2_64(threads));
  if (instruction.getOpcode() != Instruction::Mul) return false;
  return (isBlockIdxX(left) && isBlockDim(right, threads)) ||
         (isBlockDim(left, threads) && isBlockIdxX(right));
}

}  // namespace

bool isBlockIdxX(const Value& value) { return isFieldOfBlock(value, kBlockIdxField); }

bool isBlockDimX(const Value& value) { return isFieldOfBlock(value, kBlockDimField); }

bool isSharedMemory(const Value& value) { return isFieldOfBlock(value, kSharedField); }

bool isBlockLocal(const Instruction& access, const Value& pointer) {
  const Value* object = llvm::getUnderlyingObject(&pointer);
  return llvm::isa<llvm::AllocaInst>(object) || isSharedMemory(*object) ||
         access.hasMetadata(llvm::LLVMContext::MD_alias_scope);
}

bool isSameParameter(const Value& left, const Value& right) {
  if (&left == &right) return true;
  const std::optional<Place> leftPlace = placeOf(left), rightPlace = placeOf(right);
  return leftPlace && rightPlace && left.getType() == right.getType() &&
         leftPlace->offset == rightPlace->offset && isSameParameter(*leftPlace->base, *rightPlace->base);
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

bool CoalescedAddress::stridesByBlockDim() const {
  const Loop* loop = row_.getParentLoop();
  if (loop == nullptr || loop->getLoopLatch() == nullptr) return false;
  // Phis of outer loops are the same in all iterations of this one.
  const auto isItsOwn = [&](const llvm::PHINode* phi) { return phi->getParent() == loop->getHeader(); };
  if (llvm::count_if(outerPhis_, isItsOwn) != 1) return false;
  const llvm::PHINode& induction = **llvm::find_if(outerPhis_, isItsOwn);
  const auto isRead = [&](const Instruction* part) {
    return loop->contains(part) && !isPure(*part) && !llvm::isa<llvm::PHINode>(part);
  };
  if (llvm::any_of(seen_, isRead)) return false;
  const auto* next =
      llvm::dyn_cast<llvm::BinaryOperator>(induction.getIncomingValueForBlock(loop->getLoopLatch()));
  if (next == nullptr || next->getOpcode() != Instruction::Add) return false;
  return (next->getOperand(0) == &induction && isBlockDim(*next->getOperand(1), threads_)) ||
         (next->getOperand(1) == &induction && isBlockDim(*next->getOperand(0), threads_));
}

CoalescedAddress::CoalescedAddress(const Value& pointer, const Loop& row)
    : row_(row),
      threads_(row.getHeader()->getParent()->getFnAttributeAsParsedInteger(kRowThreadsAttribute, 0)) {
  visit(&pointer);
}

void CoalescedAddress::visit(const Value* value) {
  const auto* instruction = llvm::dyn_cast<Instruction>(value);
  if (instruction == nullptr || !seen_.insert(instruction).second) return;
  if (seen_.size() > kMostSteps) {
    isKnown_ = false;
  } else if (isBlockIdxX(*instruction)) {
    usesBlockIdx_ = true;
  } else if (const auto* phi = llvm::dyn_cast<llvm::PHINode>(instruction)) {
    const Loop* loop = loopOf(*phi, row_);
    if (loop != nullptr && loop != &row_) outerPhis_.insert(phi);
    isKnown_ &= loop != nullptr || !row_.contains(instruction);
  } else if (isPure(*instruction)) {
    usesGlobalThreadIndex_ |= isBlockOffset(*instruction, threads_);
    for (const llvm::Use& operand : instruction->operands()) visit(operand.get());
  } else {
    isKnown_ &= !row_.contains(instruction);  // an index that was read, say
  }
}

}  // namespace musashim::mcc
