// Where values live that one region computes and another one uses.
#pragma once

#include <memory>
#include <vector>

#include "abi/musa_unit_abi.h"
#include "llvm/IR/IRBuilder.h"
#include "unit_function.h"

namespace musashim::mcc {

// A slot holds a value per thread, in an array of the unit's frame, or one for all.
struct Slot {
  llvm::Type* type = nullptr;  // as stored: bytes where the value is an i1
  bool scalar = false;
  uint64_t offset = 0;             // in the frame, bytes per thread (or in the scalars)
  llvm::Value* address = nullptr;  // of the array or the scalar, computed at the entry
};

class SlotTable {
 public:
  // `resumable`: the unit's function returns at barriers, and goes on when called again.
  SlotTable(UnitFunction& unit, bool resumable);

  Slot& create(llvm::Type* valueType, bool scalar);

  // In code that runs for a thread, or (scalars only) anywhere.
  llvm::Value* load(llvm::IRBuilder<>& builder, const Slot& slot, llvm::Type* valueType);
  void store(llvm::IRBuilder<>& builder, llvm::Value* value, const Slot& slot);
  // The slot's element of this thread.
  llvm::Value* laneAddress(llvm::IRBuilder<>& builder, const Slot& slot);
  // The same for a thread whose place in the unit is `lane`.
  llvm::Value* elementAddress(llvm::IRBuilder<>& builder, const Slot& slot, llvm::Value* lane);

  MusaOperand describe(const Slot& slot) const;
  uint64_t laneBytes() const { return laneBytes_; }
  uint64_t scalarBytes() const { return scalarBytes_; }
  const FrameAliasing& aliasing() const { return aliasing_; }

 private:
  uint64_t sizeOf(llvm::Type* type) const;
  void placeScalar(Slot& slot);
  void placeArray(Slot& slot);

  UnitFunction& unit_;
  const bool resumable_;
  FrameAliasing aliasing_;
  std::vector<std::unique_ptr<Slot>> slots_;
  uint64_t laneBytes_ = 0, scalarBytes_ = 0;
  llvm::Value* frame_ = nullptr;
  llvm::Value* capacity_ = nullptr;
  llvm::Value* scalars_ = nullptr;
};

}  // namespace musashim::mcc
