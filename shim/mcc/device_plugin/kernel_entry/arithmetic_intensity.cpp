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
  double calculations = 0, shared = 0, accesses = 0;
  for (const llvm::BasicBlock& block : kernel) {
    const double weight = std::pow(kAssumedTripCount, loops.getLoopDepth(&block));
    for (const llvm::Instruction& instruction : block) {
      const Access access = accessOf(instruction);
      calculations += weight * calculationsOf(instruction);
      if (access == Access::kShared) shared += weight;
      if (access == Access::kDevice) accesses += weight;
    }
  }
  return (calculations > 0 && calculations >= kLeastCalculations * accesses) ||
         (shared > 0 && shared >= kLeastShared * accesses);
}

}  // namespace musashim::mcc
