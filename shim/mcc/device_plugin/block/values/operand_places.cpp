// Where the operands of suspend points are, and their results.
#include "region_values.h"

namespace musashim::mcc {
namespace {

// What is moved in place of a value: not the bits that are 0 anyway.
llvm::Value* narrowed(llvm::Value* operand) {
  auto* extended = llvm::dyn_cast_or_null<llvm::ZExtInst>(operand);
  if (extended == nullptr) return operand;
  // Vectors pack integers of 24 or 40 bits, arrays do not: these stay wide.
  const unsigned bits = extended->getSrcTy()->getScalarSizeInBits();
  if (bits >= 8 && llvm::isPowerOf2_32(bits)) operand = extended->getOperand(0);
  auto* cast = llvm::dyn_cast<llvm::BitCastInst>(operand);
  return cast != nullptr && cast->getSrcTy()->isFloatingPointTy() ? cast->getOperand(0) : operand;
}

}  // namespace

using llvm::IRBuilder;

// The value is in a slot that nothing else shares, from a region before this one.
bool RegionValues::isKeptFor(Value& operand, const Region& region) const {
  const Region* home = definingRegion(operand);
  if (home == nullptr || home == &region) return false;
  const auto& instruction = llvm::cast<Instruction>(operand);
  return !isSlotDefined(instruction) && !mayBeScalar(instruction) && !isRecomputable(operand, region) &&
         sharers_.lookup(leaderOf_.lookup(&instruction)) <= 1;
}

// A region that reads a narrow value shows it: LLVM may have extended the value in another region, before a
// loop for example. A slot that did not count this use would be given to another value meanwhile.
void RegionValues::narrowOperands() {
  for (const auto& suspendPoint : suspendPoints_) {
    Value* wide = suspendPoint->value();
    Value* narrow = narrowed(wide);
    if (narrow == wide || !graph_.hasRegion(suspendPoint->before)) continue;
    IRBuilder<> builder(suspendPoint->before->getTerminator());
    llvm::Type* bits = builder.getIntNTy(narrow->getType()->getScalarSizeInBits());
    Value* extended = builder.CreateZExt(builder.CreateBitCast(narrow, bits), wide->getType());
    suspendPoint->call->replaceUsesOfWith(wide, extended);
  }
}

OperandPlace RegionValues::placeOperand(Value* operand, const SuspendPoint& suspendPoint) {
  if (operand == nullptr) return {};
  if (auto* constant = llvm::dyn_cast<llvm::ConstantInt>(operand)) return {constant, nullptr};
  Region& region = graph_.regionOf(suspendPoint.before);
  if (isKeptFor(*operand, region)) return {nullptr, &slotOf(*llvm::cast<Instruction>(operand))};
  Value* value = valueIn(operand, region);
  IRBuilder<> builder(suspendPoint.before->getTerminator());
  Slot& slot = slots_.create(value->getType(), /*scalar=*/false);
  slot.definedOnce = true;
  slots_.store(builder, value, slot);
  return {nullptr, &slot};
}

void RegionValues::placeOperands(const SuspendPoint& suspendPoint) {
  SuspendPointCode& code = suspendPointCode_[&suspendPoint];
  code.mask = placeOperand(suspendPoint.mask(), suspendPoint);
  code.value = placeOperand(narrowed(suspendPoint.value()), suspendPoint);
  code.argument = placeOperand(suspendPoint.argument(), suspendPoint);
  code.width = placeOperand(suspendPoint.width(), suspendPoint);
}

void RegionValues::createResult(const SuspendPoint& suspendPoint) {
  if (!suspendPoint.hasResult() || suspendPoint.call->use_empty()) return;
  SuspendPointCode& code = suspendPointCode_[&suspendPoint];
  const bool shuffles = suspendPoint.op >= MUSA_OP_SHFL_IDX && suspendPoint.op <= MUSA_OP_SHFL_XOR;
  llvm::Type* type =
      shuffles && code.value.slot != nullptr ? code.value.slot->bits() : suspendPoint.call->getType();
  code.result = &slots_.create(type, /*scalar=*/false);
  slotFor_[suspendPoint.call] = code.result;
}

}  // namespace musashim::mcc
