// Where values live that one region computes and another one uses.
#pragma once

#include <memory>
#include <vector>

#include "abi/musa_unit_abi.h"
#include "llvm/IR/IRBuilder.h"
#include "mcc/device_plugin/block/emit/unit_function.h"

namespace musashim::mcc {

// A slot holds a value per thread, in an array, or one for all. While the threads of a
// unit go together the value is best in registers: a variable of the unit's function. When
// they part or wait, it is in the unit's memory.
struct Slot {
  llvm::Type* type = nullptr;  // as stored: bytes where the value is an i1
  bool scalar = false;
  bool local = false;              // `address` is a variable of the function
  bool definedOnce = false;        // by one instruction, for every thread that comes to it
  uint64_t offset = 0;             // in the frame, bytes per thread (or in the scalars)
  llvm::Value* address = nullptr;  // of the array or the scalar
};

class SlotTable {
 public:
  // `inMemory`: the unit's threads may part, or wait: each slot has a place in its memory.
  SlotTable(UnitFunction& unit, bool inMemory);

  Slot& create(llvm::Type* valueType, bool scalar);
  // A thread's own memory, which pointers may point to: always in the frame. Each thread's is as aligned as
  // the variable was, up to a cache line.
  Slot& createPrivate(const llvm::AllocaInst& variable);

  // In code that runs for a thread, or (scalars only) anywhere.
  llvm::Value* load(llvm::IRBuilder<>& builder, const Slot& slot, llvm::Type* valueType);
  void store(llvm::IRBuilder<>& builder, llvm::Value* value, const Slot& slot);
  // The slot's element of this thread.
  llvm::Value* laneAddress(llvm::IRBuilder<>& builder, const Slot& slot);
  // The same for a thread whose place in the unit is `lane`.
  llvm::Value* elementAddress(llvm::IRBuilder<>& builder, const Slot& slot, llvm::Value* lane);

  // Of a local slot in the memory of `unit`.
  llvm::Value* memoryAddress(llvm::IRBuilder<>& builder, const Slot& slot, llvm::Value* unit) const;
  // Copies local slots to the unit's memory, or takes them from there.
  void copyToMemory(llvm::IRBuilder<>& builder, const Slot& slot) const { copy(builder, slot, true); }
  void copyFromMemory(llvm::IRBuilder<>& builder, const Slot& slot) const { copy(builder, slot, false); }

  MusaOperand describe(const Slot& slot) const;
  const std::vector<std::unique_ptr<Slot>>& slots() const { return slots_; }
  uint64_t laneBytes() const { return laneBytes_; }
  uint64_t scalarBytes() const { return scalarBytes_; }
  const FrameAliasing& aliasing() const { return aliasing_; }

 private:
  uint64_t sizeOf(llvm::Type* type) const;
  llvm::Type* padded(llvm::Type* type, uint64_t alignment) const;
  Slot& add(llvm::Type* type, bool scalar);
  void reserve(Slot& slot);
  void makeLocal(Slot& slot);
  void placeInFrame(Slot& slot);
  void copy(llvm::IRBuilder<>& builder, const Slot& slot, bool toMemory) const;

  UnitFunction& unit_;
  const bool inMemory_;
  FrameAliasing aliasing_;
  std::vector<std::unique_ptr<Slot>> slots_;
  uint64_t laneBytes_ = 0, scalarBytes_ = 0;
  llvm::Value* frame_ = nullptr;
  llvm::Value* capacity_ = nullptr;
};

}  // namespace musashim::mcc
