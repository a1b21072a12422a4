#include "intensity.h"

#include <cmath>

#include "device_builtins.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/IntrinsicInst.h"

namespace musashim::mcc {
namespace {

constexpr double kRounds = 8;           // that a loop is taken to have
constexpr double kLeastIntensity = 12;  // calculations for each access to device memory

bool isCalculation(const llvm::Instruction& instruction) {
  if (!instruction.getType()->isFPOrFPVectorTy()) return false;
  if (llvm::isa<llvm::BinaryOperator>(instruction)) return true;
  const auto* intrinsic = llvm::dyn_cast<llvm::IntrinsicInst>(&instruction);
  return intrinsic != nullptr && !intrinsic->mayReadOrWriteMemory();
}

// Of what is neither shared nor a thread's own.
bool accessesDeviceMemory(const llvm::Instruction& instruction) {
  if (!llvm::isa<llvm::LoadInst, llvm::StoreInst>(instruction)) return instruction.isAtomic();
  const llvm::Value* object = llvm::getUnderlyingObject(llvm::getLoadStorePointerOperand(&instruction));
  if (const auto* call = llvm::dyn_cast<llvm::CallInst>(object)) {
    const llvm::StringRef name = calledName(*call);
    if (name == kSharedBaseName || name == kDynamicSharedName) return false;
  }
  return !llvm::isa<llvm::AllocaInst>(object);
}

}  // namespace

bool isIntense(const llvm::Function& kernel, const llvm::LoopInfo& loops) {
  double calculations = 0, accesses = 0;
  for (const llvm::BasicBlock& block : kernel) {
    const double weight = std::pow(kRounds, loops.getLoopDepth(&block));
    for (const llvm::Instruction& instruction : block) {
      if (isCalculation(instruction)) calculations += weight;
      if (accessesDeviceMemory(instruction)) accesses += weight;
    }
  }
  return calculations > 0 && calculations >= kLeastIntensity * accesses;
}

}  // namespace musashim::mcc
