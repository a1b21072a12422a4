#include "arithmetic_intensity.h"

#include <cmath>

#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/IntrinsicInst.h"
#include "mcc/device_plugin/device_builtins.h"

namespace musashim::mcc {
namespace {

constexpr double kAssumedTripCount = 8;  // of each loop
constexpr double kDivision = 4;          // or a square root, in additions
// For each access to device memory:
constexpr double kLeastCalculations = 9;
constexpr double kLeastShared = 2;  // accesses to shared memory
constexpr double kLeastInterleaved = 0.5;

// How many additions of floats an instruction stands for.
double calculationsOf(const llvm::Instruction& instruction) {
  if (llvm::isa<llvm::FCmpInst>(instruction)) return 1;
  if (!instruction.getType()->isFPOrFPVectorTy()) return 0;
  if (instruction.getOpcode() == llvm::Instruction::FDiv) return kDivision;
  if (llvm::isa<llvm::BinaryOperator, llvm::SelectInst>(instruction)) return 1;
  const auto* intrinsic = llvm::dyn_cast<llvm::IntrinsicInst>(&instruction);
  if (intrinsic == nullptr || intrinsic->mayReadOrWriteMemory()) return 0;
  return intrinsic->getIntrinsicID() == llvm::Intrinsic::sqrt ? kDivision : 1;
}

constexpr unsigned kDeepest = 4;        // operations between an address and the thread's index
constexpr uint64_t kLargestStride = 8;  // elements

bool namesThread(const llvm::Value& value, unsigned deepest = kDeepest) {
  const auto* instruction = llvm::dyn_cast<llvm::Instruction>(&value);
  if (instruction == nullptr) return false;
  if (calledThreadIdx(*instruction) != nullptr) return true;
  if (deepest == 0 || !llvm::isa<llvm::BinaryOperator, llvm::CastInst>(instruction)) return false;
  return llvm::any_of(instruction->operands(),
                      [deepest](const llvm::Use& operand) { return namesThread(*operand, deepest - 1); });
}

// An index that is a small multiple of the thread's, and something.
bool hasStride(const llvm::Value& index, unsigned deepest = kDeepest) {
  const auto* operation = llvm::dyn_cast<llvm::Instruction>(&index);
  if (operation == nullptr || deepest == 0) return false;
  if (llvm::isa<llvm::CastInst>(operation)) return hasStride(*operation->getOperand(0), deepest - 1);
  switch (operation->getOpcode()) {
    case llvm::Instruction::Add:
    case llvm::Instruction::Or:
      return hasStride(*operation->getOperand(0), deepest - 1) ||
             hasStride(*operation->getOperand(1), deepest - 1);
    case llvm::Instruction::Shl:
    case llvm::Instruction::Mul: {
      const auto* factor = llvm::dyn_cast<llvm::ConstantInt>(operation->getOperand(1));
      const uint64_t most = operation->getOpcode() == llvm::Instruction::Mul ? kLargestStride : 3;
      return factor != nullptr && factor->getValue().ule(most) && namesThread(*operation->getOperand(0));
    }
    default:
      return false;
  }
}

// Threads' elements lie between each other's: vectors of them are put together and taken apart, for which
// AVX-512 has one instruction where AVX2 takes two.
bool isInterleaved(const llvm::Instruction& instruction) {
  const auto* address =
      llvm::dyn_cast_or_null<llvm::GetElementPtrInst>(llvm::getLoadStorePointerOperand(&instruction));
  if (address == nullptr) return false;
  if (address->hasAllConstantIndices())
    address = llvm::dyn_cast<llvm::GetElementPtrInst>(address->getPointerOperand());
  return address != nullptr && hasStride(*address->getOperand(address->getNumOperands() - 1));
}

enum class Access { kNone, kOwn, kShared, kDevice };

Access accessOf(const llvm::Instruction& instruction) {
  if (!llvm::isa<llvm::LoadInst, llvm::StoreInst>(instruction)) {
    return instruction.isAtomic() ? Access::kDevice : Access::kNone;
  }
  const llvm::Value* object = llvm::getUnderlyingObject(llvm::getLoadStorePointerOperand(&instruction));
  if (isSharedBase(*object)) return Access::kShared;
  return llvm::isa<llvm::AllocaInst>(object) ? Access::kOwn : Access::kDevice;
}

}  // namespace

bool isComputeBound(const llvm::Function& kernel, const llvm::LoopInfo& loops) {
  double calculations = 0, shared = 0, accesses = 0, interleaved = 0;
  for (const llvm::BasicBlock& block : kernel) {
    const double weight = std::pow(kAssumedTripCount, loops.getLoopDepth(&block));
    for (const llvm::Instruction& instruction : block) {
      const Access access = accessOf(instruction);
      calculations += weight * calculationsOf(instruction);
      if (access == Access::kShared) shared += weight;
      if (access == Access::kDevice) accesses += weight;
      if (access == Access::kDevice && isInterleaved(instruction)) interleaved += weight;
    }
  }
  return (calculations > 0 && calculations >= kLeastCalculations * accesses) ||
         (shared > 0 && shared >= kLeastShared * accesses) ||
         (interleaved > 0 && interleaved >= kLeastInterleaved * accesses);
}

}  // namespace musashim::mcc
