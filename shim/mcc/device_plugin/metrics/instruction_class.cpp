#include "instruction_class.h"

#include "abi/musa_metrics_abi.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/GlobalVariable.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/IntrinsicInst.h"
#include "mcc/device_plugin/block/analysis/suspend_points.h"
#include "mcc/device_plugin/device_builtins.h"
#include "mcc/device_plugin/kernel_entry/kernel_params.h"
#include "mcc/device_plugin/source_facts/constant_variables.h"

namespace musashim::mcc {
namespace {

using llvm::Instruction;

unsigned floatClass(const llvm::Type* type, bool fused) {
  const llvm::Type* scalar = type->getScalarType();
  if (scalar->isDoubleTy()) return fused ? MUSA_CLASS_FP64_FMA : MUSA_CLASS_FP64;
  if (scalar->isHalfTy() || scalar->isBFloatTy()) return MUSA_CLASS_FP16;
  return fused ? MUSA_CLASS_FP32_FMA : MUSA_CLASS_FP32;
}

std::optional<unsigned> intrinsicClass(const llvm::IntrinsicInst& call) {
  switch (call.getIntrinsicID()) {
    case llvm::Intrinsic::fma:
    case llvm::Intrinsic::fmuladd:
      return floatClass(call.getType(), true);
    case llvm::Intrinsic::fabs:
    case llvm::Intrinsic::copysign:
    case llvm::Intrinsic::minnum:
    case llvm::Intrinsic::maxnum:
    case llvm::Intrinsic::minimum:
    case llvm::Intrinsic::maximum:
      return floatClass(call.getType(), false);
    case llvm::Intrinsic::fptosi_sat:
    case llvm::Intrinsic::fptoui_sat:
    case llvm::Intrinsic::floor:
    case llvm::Intrinsic::ceil:
    case llvm::Intrinsic::trunc:
    case llvm::Intrinsic::rint:
    case llvm::Intrinsic::nearbyint:
    case llvm::Intrinsic::round:
    case llvm::Intrinsic::roundeven:
      return MUSA_CLASS_CONVERSION;
    case llvm::Intrinsic::memcpy:
    case llvm::Intrinsic::memmove:
    case llvm::Intrinsic::memset:
      return MUSA_CLASS_STORE;
    default:
      break;
  }
  if (call.getType()->isFPOrFPVectorTy()) return MUSA_CLASS_SPECIAL;
  if (call.getType()->isIntOrIntVectorTy()) return MUSA_CLASS_INTEGER;
  return std::nullopt;  // assumptions, lifetimes, debug information
}

std::optional<unsigned> callClass(const llvm::CallBase& call) {
  if (const auto* intrinsic = llvm::dyn_cast<llvm::IntrinsicInst>(&call)) return intrinsicClass(*intrinsic);
  const llvm::StringRef name = calledName(call);
  if (findBuiltin(name) != nullptr || name == kStepName) return std::nullopt;
  const MusaUnitOp op = unitOp(name).value_or(MUSA_OP_NONE);
  if (musaOpIsBarrier(op)) return MUSA_CLASS_BARRIER;
  if (musaOpIsWarps(op)) return MUSA_CLASS_WARP;
  const llvm::Function* callee = call.getCalledFunction();
  // The device library's mathematics are functions of numbers alone.
  if (callee != nullptr && callee->doesNotAccessMemory() && call.getType()->isFPOrFPVectorTy())
    return MUSA_CLASS_SPECIAL;
  return MUSA_CLASS_CALL;
}

std::optional<unsigned> binaryClass(const llvm::BinaryOperator& operation) {
  switch (operation.getOpcode()) {
    case Instruction::FAdd:
    case Instruction::FSub:
    case Instruction::FMul:
      return floatClass(operation.getType(), false);
    case Instruction::FDiv:
    case Instruction::FRem:
      return MUSA_CLASS_SPECIAL;
    default:
      return MUSA_CLASS_INTEGER;
  }
}

}  // namespace

std::optional<unsigned> instructionClass(const Instruction& instruction) {
  if (const auto* call = llvm::dyn_cast<llvm::CallBase>(&instruction)) return callClass(*call);
  if (const auto* operation = llvm::dyn_cast<llvm::BinaryOperator>(&instruction))
    return binaryClass(*operation);
  switch (instruction.getOpcode()) {
    case Instruction::FNeg:
      return floatClass(instruction.getType(), false);
    case Instruction::GetElementPtr:
      return llvm::cast<llvm::GetElementPtrInst>(instruction).hasAllConstantIndices()
                 ? std::nullopt
                 : std::optional<unsigned>(MUSA_CLASS_INTEGER);
    case Instruction::FPToSI:
    case Instruction::FPToUI:
    case Instruction::SIToFP:
    case Instruction::UIToFP:
    case Instruction::FPExt:
    case Instruction::FPTrunc:
      return MUSA_CLASS_CONVERSION;
    case Instruction::ICmp:
    case Instruction::FCmp:
    case Instruction::Select:
      return MUSA_CLASS_COMPARE;
    case Instruction::Br:
    case Instruction::Switch:
    case Instruction::Ret:
      return MUSA_CLASS_CONTROL;
    case Instruction::Load:
      return MUSA_CLASS_LOAD;
    case Instruction::Store:
      return MUSA_CLASS_STORE;
    case Instruction::AtomicRMW:
    case Instruction::AtomicCmpXchg:
      return MUSA_CLASS_ATOMIC;
    default:
      return std::nullopt;
  }
}

unsigned memorySpaceOf(const llvm::Value& address) {
  const llvm::Value* object = llvm::getUnderlyingObject(&address, /*MaxLookup=*/0);
  if (llvm::isa<llvm::AllocaInst>(object)) return MUSA_MEMORY_LOCAL;
  const auto* argument = llvm::dyn_cast<llvm::Argument>(object);
  if (argument != nullptr && isIndirectParam(*argument))
    return argument->onlyReadsMemory() ? MUSA_MEMORY_CONSTANT : MUSA_MEMORY_LOCAL;
  const auto* global = llvm::dyn_cast<llvm::GlobalVariable>(object);
  const bool constant =
      global != nullptr && (global->hasAttribute(kConstantAnnotation) || global->isConstant());
  return constant ? MUSA_MEMORY_CONSTANT : MUSA_MEMORY_DEVICE;
}

}  // namespace musashim::mcc
