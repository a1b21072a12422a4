#include "slots.h"

#include "llvm/IR/Module.h"
#include "llvm/Support/MathExtras.h"

namespace musashim::mcc {
namespace {

llvm::Type* storedType(llvm::Type* type) {
  return type->isIntegerTy(1) ? llvm::Type::getInt8Ty(type->getContext()) : type;
}

}  // namespace

SlotTable::SlotTable(UnitFunction& unit, bool resumable)
    : unit_(unit), resumable_(resumable), aliasing_(unit.function->getContext()) {}

uint64_t SlotTable::sizeOf(llvm::Type* type) const {
  return unit_.function->getParent()->getDataLayout().getTypeAllocSize(type);
}

Slot& SlotTable::create(llvm::Type* valueType, bool scalar) {
  slots_.push_back(std::make_unique<Slot>());
  Slot& slot = *slots_.back();
  slot.type = storedType(valueType);
  slot.scalar = scalar;
  scalar ? placeScalar(slot) : placeArray(slot);
  return slot;
}

void SlotTable::placeScalar(Slot& slot) {
  if (!resumable_) {
    llvm::IRBuilder<> builder(&*unit_.entry().getFirstNonPHIOrDbg());
    slot.address = builder.CreateAlloca(slot.type);
    return;
  }
  llvm::IRBuilder<> builder = unit_.atEntryEnd();
  if (scalars_ == nullptr) scalars_ = unit_.loadField(builder, kUnitScalarsField);
  slot.offset = llvm::alignTo(scalarBytes_, 16);
  scalarBytes_ = slot.offset + sizeOf(slot.type);
  slot.address = builder.CreateConstInBoundsGEP1_64(builder.getInt8Ty(), scalars_, slot.offset);
}

void SlotTable::placeArray(Slot& slot) {
  llvm::IRBuilder<> builder = unit_.atEntryEnd();
  if (frame_ == nullptr) {
    frame_ = unit_.loadField(builder, kUnitFrameField);
    capacity_ = unit_.kind == UnitKind::kWarp
                    ? builder.getInt64(unit_.warpSize)
                    : builder.CreateZExt(unit_.loadField(builder, kUnitCapacityField), builder.getInt64Ty());
  }
  const uint64_t size = sizeOf(slot.type);
  slot.offset = llvm::alignTo(laneBytes_, std::min<uint64_t>(llvm::PowerOf2Ceil(size), 16));
  laneBytes_ = slot.offset + size;
  slot.address =
      builder.CreateInBoundsGEP(builder.getInt8Ty(), frame_,
                                builder.CreateMul(capacity_, builder.getInt64(slot.offset), "", true, true));
}

llvm::Value* SlotTable::elementAddress(llvm::IRBuilder<>& builder, const Slot& slot, llvm::Value* lane) {
  return builder.CreateInBoundsGEP(slot.type, slot.address, lane);
}

llvm::Value* SlotTable::laneAddress(llvm::IRBuilder<>& builder, const Slot& slot) {
  llvm::Module& module = *unit_.function->getParent();
  auto lane = module.getOrInsertFunction(kLaneName, llvm::FunctionType::get(builder.getInt64Ty(), false));
  auto* function = llvm::cast<llvm::Function>(lane.getCallee());
  function->setDoesNotAccessMemory();
  return elementAddress(builder, slot, builder.CreateCall(lane));
}

llvm::Value* SlotTable::load(llvm::IRBuilder<>& builder, const Slot& slot, llvm::Type* valueType) {
  llvm::Value* address = slot.scalar ? slot.address : laneAddress(builder, slot);
  llvm::LoadInst* load = builder.CreateLoad(slot.type, address);
  if (!slot.scalar || resumable_) aliasing_.markFrameAccess(*load);
  return valueType->isIntegerTy(1) ? builder.CreateTrunc(load, valueType) : load;
}

void SlotTable::store(llvm::IRBuilder<>& builder, llvm::Value* value, const Slot& slot) {
  if (value->getType() != slot.type) value = builder.CreateZExt(value, slot.type);
  llvm::Value* address = slot.scalar ? slot.address : laneAddress(builder, slot);
  llvm::StoreInst* store = builder.CreateStore(value, address);
  if (!slot.scalar || resumable_) aliasing_.markFrameAccess(*store);
}

MusaOperand SlotTable::describe(const Slot& slot) const {
  return {static_cast<int32_t>(slot.offset), static_cast<uint32_t>(sizeOf(slot.type)), 0};
}

}  // namespace musashim::mcc
