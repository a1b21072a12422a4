// Slots: where values live that one region computes and another one uses.
#pragma once

#include <memory>
#include <vector>

#include "abi/musa_unit_abi.h"
#include "llvm/IR/IRBuilder.h"
#include "mcc/device_plugin/block/emit/unit_function.h"

namespace musashim::mcc {

// A *slot* holds a value per thread, in an array, or one scalar for all. While a unit is converged, the slot
// is a variable of its function, at best a register. It is spilled to the unit's frame when the unit diverges
// or is suspended.
struct Slot {
  llvm::Type* type = nullptr;  // as stored: bytes where the value is an i1
  bool scalar = false;
  bool local = false;                // `address` is a variable of the function
  bool definedOnce = false;          // by one instruction
  uint64_t offset = 0;               // in the frame, bytes per thread (or in the scalars)
  llvm::Value* address = nullptr;    // of the array or the scalar
  llvm::AllocaInst* base = nullptr;  // of a slot that changes its array (SlotRotation): has the address

  // The type of the value's bits: an integer in a floating-point type's place.
  llvm::Type* bits() const {
    return type->isFloatingPointTy() ? type->getIntNTy(type->getContext(), type->getScalarSizeInBits())
                                     : type;
  }
};

class SlotTable {
 public:
  // `inMemory`: the unit may diverge or be suspended, so each slot has a place in its frame.
  SlotTable(UnitFunction& unit, bool inMemory);

  Slot& create(llvm::Type* valueType, bool scalar);
  // Private memory of a thread, which pointers may lead to: always in the frame. Each thread's is as aligned
  // as the variable was, up to a cache line.
  Slot& createPrivate(const llvm::AllocaInst& variable);

  // In code that runs for a thread, or (scalars only) anywhere.
  llvm::Value* load(llvm::IRBuilder<>& builder, const Slot& slot, llvm::Type* valueType);
  void store(llvm::IRBuilder<>& builder, llvm::Value* value, const Slot& slot);
  // The slot's element of this thread.
  llvm::Value* threadAddress(llvm::IRBuilder<>& builder, const Slot& slot);
  // The same for the thread with index `thread` in the unit.
  llvm::Value* elementAddress(llvm::IRBuilder<>& builder, const Slot& slot, llvm::Value* thread);

  // The address of a local slot in the frame of `unit`.
  llvm::Value* memoryAddress(llvm::IRBuilder<>& builder, const Slot& slot, llvm::Value* unit) const;
  // Spills a local slot to the unit's frame, or reloads it.
  void copyToMemory(llvm::IRBuilder<>& builder, const Slot& slot) const { copy(builder, slot, true); }
  void copyFromMemory(llvm::IRBuilder<>& builder, const Slot& slot) const { copy(builder, slot, false); }

  MusaOperand describe(const Slot& slot) const;
  const std::vector<std::unique_ptr<Slot>>& slots() const { return slots_; }
  uint64_t bytesPerThread() const { return bytesPerThread_; }
  uint64_t scalarBytes() const { return scalarBytes_; }
  const FrameAliasing& aliasing() const { return aliasing_; }

 private:
  uint64_t sizeOf(llvm::Type* type) const;
  llvm::Type* padded(llvm::Type* type, uint64_t alignment) const;
  Slot& add(llvm::Type* type, bool scalar);
  bool belongsInFrame() const;
  void reserve(Slot& slot);
  void makeLocal(Slot& slot);
  void placeInFrame(Slot& slot);
  void copy(llvm::IRBuilder<>& builder, const Slot& slot, bool toMemory) const;

  UnitFunction& unit_;
  const bool inMemory_;
  FrameAliasing aliasing_;
  std::vector<std::unique_ptr<Slot>> slots_;
  unsigned arrays_ = 0;  // local ones
  uint64_t bytesPerThread_ = 0, scalarBytes_ = 0;
  llvm::Value* frame_ = nullptr;
  llvm::Value* capacity_ = nullptr;
};

}  // namespace musashim::mcc
