// The function that runs a *unit*, while it is being made. A unit is the threads that one call runs together:
// a whole block, or a warp of a kernel with warp operations (abi/musa_unit_abi.h).
#pragma once

#include <array>

#include "llvm/IR/Function.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/ValueHandle.h"

namespace musashim::mcc {

enum class UnitKind { kBlock, kWarp };

// A call of this stands for the thread's index in the unit until the loops over threads are made.
inline constexpr llvm::StringRef kUnitIndexName = "__musa_lane";

// IR types of MusaUnit; its fields by number.
llvm::StructType* unitType(llvm::LLVMContext& context);
enum UnitField : unsigned {
  kUnitBlockField,
  kUnitFrameField,
  kUnitScalarsField,
  kUnitPcField,
  kUnitFirstField,
  kUnitThreadsField,
  kUnitCapacityField,
  kUnitResumeField,
  kUnitOriginField,
  kUnitInRowField,
  kUnitThreadIdxField,
  kUnitProgramField,
  kUnitStateField,
};

// The entry block computes what is uniform, then branches to the kernel.
struct UnitFunction {
  llvm::Function* function = nullptr;
  UnitKind kind = UnitKind::kBlock;
  unsigned warpSize = 0;                         // of warps: threads in a full unit
  bool isLarge = false;                          // much code: its loops over threads are not unrolled
  bool maySpin = false;                          // a thread may spin until another one has done something
  bool hasSteps = false;                         // MUSA_OP_STEP
  llvm::Value* context = nullptr;                // MusaBlockContext
  llvm::Value* unit = nullptr;                   // MusaUnit
  std::array<llvm::WeakTrackingVH, 3> blockDim;  // null once nothing needs it and it has been cleaned away
  std::array<llvm::Value*, 3> origin{};          // of warps: the first thread's index

  llvm::BasicBlock& entry() const { return function->getEntryBlock(); }
  llvm::IRBuilder<> atEntryEnd() const { return llvm::IRBuilder<>(entry().getTerminator()); }
  llvm::Value* field(llvm::IRBuilder<>& builder, UnitField index) const {
    return builder.CreateStructGEP(unitType(function->getContext()), unit, index);
  }
  llvm::Value* loadField(llvm::IRBuilder<>& builder, UnitField index) const {
    return builder.CreateLoad(unitType(function->getContext())->getElementType(index), field(builder, index));
  }
};

// True when a loop reads what other threads may write meanwhile: locks and flags.
bool hasSpinLoop(llvm::Function& function);

// Hoists to the entry block what depends on nothing but the launch.
void hoistToEntry(UnitFunction& unit);

// Alias scopes: accesses to a unit's frame, which no other pointer leads to, and all other accesses.
class FrameAliasing {
 public:
  explicit FrameAliasing(llvm::LLVMContext& context);
  void markFrameAccess(llvm::Instruction& access) const;
  void markOthers(llvm::Function& function) const;

 private:
  llvm::MDNode* frame_;
};

}  // namespace musashim::mcc
