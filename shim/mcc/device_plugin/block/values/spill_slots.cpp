#include "spill_slots.h"

#include <algorithm>

#include "llvm/IR/Module.h"
#include "llvm/Support/MathExtras.h"

namespace musashim::mcc {
namespace {

constexpr uint64_t kFrameAlignment = 64;  // of a unit's memory
constexpr unsigned kMostArrays = 64;      // variables of a warp that hold a value for each thread

llvm::Type* storedType(llvm::Type* type) {
  return type->isIntegerTy(1) ? llvm::Type::getInt8Ty(type->getContext()) : type;
}

}  // namespace

SlotTable::SlotTable(UnitFunction& unit, bool inMemory)
    : unit_(unit), inMemory_(inMemory), aliasing_(unit.function->getContext()) {}

uint64_t SlotTable::sizeOf(llvm::Type* type) const {
  return unit_.function->getParent()->getDataLayout().getTypeAllocSize(type);
}

llvm::Type* SlotTable::padded(llvm::Type* type, uint64_t alignment) const {
  const uint64_t size = sizeOf(type), rest = llvm::alignTo(size, alignment) - size;
  if (rest == 0) return type;
  llvm::Type* padding = llvm::ArrayType::get(llvm::Type::getInt8Ty(type->getContext()), rest);
  return llvm::StructType::get(type->getContext(), {type, padding}, /*isPacked=*/true);
}

Slot& SlotTable::add(llvm::Type* type, bool scalar) {
  slots_.push_back(std::make_unique<Slot>());
  Slot& slot = *slots_.back();
  slot.type = type;
  slot.scalar = scalar;
  return slot;
}

Slot& SlotTable::create(llvm::Type* valueType, bool scalar) {
  Slot& slot = add(storedType(valueType), scalar);
  if (!scalar && belongsInFrame()) {
    placeInFrame(slot);
  } else {
    if (inMemory_) reserve(slot);
    makeLocal(slot);
    if (!scalar) ++arrays_;
  }
  return slot;
}

// Values per thread: of a block, whose size is not known, and those that no register is left for. As
// variables they would be copied to the frame and back wherever a warp waits or diverges.
bool SlotTable::belongsInFrame() const {
  return unit_.kind == UnitKind::kBlock || (inMemory_ && arrays_ >= kMostArrays);
}

Slot& SlotTable::createPrivate(const llvm::AllocaInst& variable) {
  const uint64_t alignment = std::min(variable.getAlign().value(), kFrameAlignment);
  Slot& slot = add(padded(variable.getAllocatedType(), alignment), /*scalar=*/false);
  // `capacity` times the offset is where the array begins, and a multiple of 32 times it.
  bytesPerThread_ = llvm::alignTo(bytesPerThread_, std::max<uint64_t>(1, alignment / 32));
  placeInFrame(slot);
  return slot;
}

void SlotTable::reserve(Slot& slot) {
  const uint64_t size = sizeOf(slot.type);
  uint64_t& end = slot.scalar ? scalarBytes_ : bytesPerThread_;
  // `capacity` times the offset is where an array begins; scalars may be vectors, which are read as aligned.
  const uint64_t alignment = slot.scalar ? std::clamp<uint64_t>(llvm::PowerOf2Ceil(size), 16, kFrameAlignment)
                                         : std::min<uint64_t>(llvm::PowerOf2Ceil(size), 16);
  slot.offset = llvm::alignTo(end, alignment);
  end = slot.offset + size;
}

void SlotTable::makeLocal(Slot& slot) {
  llvm::IRBuilder<> builder(&*unit_.entry().getFirstNonPHIOrDbg());
  llvm::Type* type = slot.scalar ? slot.type : llvm::ArrayType::get(slot.type, unit_.warpSize);
  llvm::AllocaInst* variable = builder.CreateAlloca(type);
  if (!slot.scalar) variable->setAlignment(llvm::Align(64));
  slot.address = variable;
  slot.local = true;
}

void SlotTable::placeInFrame(Slot& slot) {
  reserve(slot);
  llvm::IRBuilder<> builder = unit_.atEntryEnd();
  if (frame_ == nullptr) {
    frame_ = unit_.loadField(builder, kUnitFrameField);
    capacity_ = unit_.kind == UnitKind::kWarp
                    ? builder.getInt64(unit_.warpSize)
                    : builder.CreateZExt(unit_.loadField(builder, kUnitCapacityField), builder.getInt64Ty());
  }
  slot.address =
      builder.CreateInBoundsGEP(builder.getInt8Ty(), frame_,
                                builder.CreateMul(capacity_, builder.getInt64(slot.offset), "", true, true));
}

llvm::Value* SlotTable::memoryAddress(llvm::IRBuilder<>& builder, const Slot& slot, llvm::Value* unit) const {
  const UnitField field = slot.scalar ? kUnitScalarsField : kUnitFrameField;
  llvm::StructType* type = unitType(builder.getContext());
  llvm::Value* start =
      builder.CreateLoad(type->getElementType(field), builder.CreateStructGEP(type, unit, field));
  const uint64_t distance = slot.offset * (slot.scalar ? 1 : unit_.warpSize);
  return builder.CreateConstInBoundsGEP1_64(builder.getInt8Ty(), start, distance);
}

void SlotTable::copy(llvm::IRBuilder<>& builder, const Slot& slot, bool toMemory) const {
  llvm::Value* memory = memoryAddress(builder, slot, unit_.unit);
  llvm::Value* to = toMemory ? memory : slot.address;
  llvm::Value* from = toMemory ? slot.address : memory;
  if (slot.scalar) {
    llvm::LoadInst* value = builder.CreateLoad(slot.type, from);
    aliasing_.markFrameAccess(*value);
    aliasing_.markFrameAccess(*builder.CreateStore(value, to));
    return;
  }
  const llvm::Align known(32);  // offsets are multiples of 32 elements
  aliasing_.markFrameAccess(
      *builder.CreateMemCpy(to, known, from, known, sizeOf(slot.type) * unit_.warpSize));
}

llvm::Value* SlotTable::elementAddress(llvm::IRBuilder<>& builder, const Slot& slot, llvm::Value* thread) {
  llvm::Value* address =
      slot.base == nullptr ? slot.address : builder.CreateLoad(builder.getPtrTy(), slot.base);
  return builder.CreateInBoundsGEP(slot.type, address, thread);
}

llvm::Value* SlotTable::threadAddress(llvm::IRBuilder<>& builder, const Slot& slot) {
  llvm::Module& module = *unit_.function->getParent();
  auto thread =
      module.getOrInsertFunction(kUnitIndexName, llvm::FunctionType::get(builder.getInt64Ty(), false));
  auto* function = llvm::cast<llvm::Function>(thread.getCallee());
  function->setDoesNotAccessMemory();
  return elementAddress(builder, slot, builder.CreateCall(thread));
}

llvm::Value* SlotTable::load(llvm::IRBuilder<>& builder, const Slot& slot, llvm::Type* valueType) {
  llvm::Value* address = slot.scalar ? slot.address : threadAddress(builder, slot);
  llvm::LoadInst* load = builder.CreateLoad(slot.type, address);
  aliasing_.markFrameAccess(*load);
  return valueType->isIntegerTy(1) ? builder.CreateTrunc(load, valueType) : load;
}

void SlotTable::store(llvm::IRBuilder<>& builder, llvm::Value* value, const Slot& slot) {
  if (value->getType() != slot.type) value = builder.CreateZExt(value, slot.type);
  llvm::Value* address = slot.scalar ? slot.address : threadAddress(builder, slot);
  llvm::StoreInst* store = builder.CreateStore(value, address);
  aliasing_.markFrameAccess(*store);
}

MusaOperand SlotTable::describe(const Slot& slot) const {
  return {static_cast<int32_t>(slot.offset), static_cast<uint32_t>(sizeOf(slot.type)), 0};
}

}  // namespace musashim::mcc
