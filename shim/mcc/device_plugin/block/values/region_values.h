// Makes every region self-contained. What crosses from one region to another is reloaded from a slot, or
// rematerialized (computed again).
#pragma once

#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/IR/Instructions.h"
#include "mcc/device_plugin/block/analysis/barrier_regions.h"
#include "slot_rotation.h"
#include "spill_slots.h"

namespace musashim::mcc {

// What surrounds a region's own blocks once it is self-contained.
struct RegionCode {
  llvm::BasicBlock* scalarPrologue = nullptr;  // runs once; no terminator yet
  llvm::BasicBlock* threadPrologue = nullptr;  // runs for each thread; branches to the head
};

// Where an operand of a suspend point is when the operation is completed: a constant, or a slot.
struct OperandPlace {
  llvm::ConstantInt* constant = nullptr;
  Slot* slot = nullptr;
};

struct SuspendPointCode {
  OperandPlace mask, value, argument, width;
  Slot* result = nullptr;
};

class RegionValues {
 public:
  RegionValues(UnitFunction& unit, RegionGraph& graph, SlotTable& slots,
               const std::vector<std::unique_ptr<SuspendPoint>>& suspendPoints);

  // Rewrites the function. Afterwards no phi of a region's head and no suspend point's call is left;
  // branches between regions still lead from block to head.
  void run();

  RegionCode& code(const Region& region) { return code_[region.index]; }
  const SuspendPointCode& code(const SuspendPoint& suspendPoint) const {
    return suspendPointCode_.at(&suspendPoint);
  }
  // Emits the stores for the edge from `block` to the head of `target`, for one thread, into the edge's
  // block.
  void moveAlongEdge(llvm::IRBuilder<>& builder, llvm::BasicBlock* block, const Region& target);
  // Emits what is done on the edge for all threads at once.
  void moveBetween(llvm::IRBuilder<>& builder, const Region& from, const Region& to) const {
    if (rotation_) rotation_->emit(builder, from, to);
  }
  // Whether the edge stores the slot, or makes its value dead.
  bool isMovedBetween(const Slot& slot, const Region& from, const Region& to) const;
  // The uniform condition of a cut's terminator.
  Slot* cutCondition(const Region& region) { return cutConditions_[region.index]; }

 private:
  using Value = llvm::Value;
  using Instruction = llvm::Instruction;
  using Between = std::pair<const Slot*, std::pair<const Region*, const Region*>>;

  static Between between(const Slot& slot, const Region& from, const Region& to);
  void expandAllocas();
  bool isSharedByRegions(llvm::AllocaInst& alloca, llvm::SmallPtrSetImpl<Region*>& users) const;
  void narrowOperands();
  void planSlots();
  void placeOperands(const SuspendPoint& suspendPoint);
  bool isKeptFor(Value& operand, const Region& region) const;
  OperandPlace placeOperand(Value* operand, const SuspendPoint& suspendPoint);
  void createResult(const SuspendPoint& suspendPoint);
  void takeHeadPhis();
  void takeCutConditions();
  void rewriteUses();
  void storeDefinitions();
  void rotateSlots();
  void dropCallsAndPhis();

  bool isSlotDefined(const Instruction& instruction) const;
  Region* definingRegion(const Value& value) const;  // null: available everywhere
  bool mayBeScalar(const Instruction& instruction) const;
  bool isUsedAfterDivergence(const Instruction& instruction) const;
  bool isRecomputable(const Value& value, const Region& region) const;
  bool isRecomputable(const Value& value, const Region* region, unsigned depth, unsigned& cost) const;
  Value* valueIn(Value* value, Region& region);
  Value* recompute(Instruction& instruction, Region& region);
  Value* recomputeKnown(Instruction& instruction, Region& region);
  bool derivesFromPrivateMemory(const Instruction& instruction) const;
  Slot& slotOf(Instruction& instruction);

  UnitFunction& unit_;
  RegionGraph& graph_;
  SlotTable& slots_;
  const std::vector<std::unique_ptr<SuspendPoint>>& suspendPoints_;
  const bool threadsDiverge_;
  std::vector<RegionCode> code_;
  std::vector<Slot*> cutConditions_;
  llvm::DenseMap<const SuspendPoint*, SuspendPointCode> suspendPointCode_;
  llvm::DenseMap<const Instruction*, const Region*> slotDefined_;  // head phis, suspend point results
  llvm::DenseMap<const Instruction*, Slot*> slotFor_;
  llvm::DenseMap<const Instruction*, const Instruction*> leaderOf_;  // of those that share a slot
  llvm::DenseMap<const Instruction*, unsigned> sharers_;             // of a leader's slot
  llvm::DenseSet<const llvm::AllocaInst*> privateMemory_;            // kept per thread
  std::vector<Instruction*> toStore_;
  llvm::DenseMap<std::pair<const Value*, const Region*>, Value*> known_;
  std::vector<EdgeMove> moves_;
  std::optional<SlotRotation> rotation_;
  // Slots that an edge stores or that are dead behind it; and slots that hold their value already, on some
  // edge between the two regions.
  llvm::DenseSet<Between> moved_, kept_;
  std::vector<llvm::PHINode*> headPhis_;
};

}  // namespace musashim::mcc
