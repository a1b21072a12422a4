// Slot rotation: where a loop hands values on from variable to variable (`below = here; here = above;`), a
// block's slots exchange their arrays on the edge, once for all threads. So no thread copies an element.
#pragma once

#include <vector>

#include "llvm/ADT/DenseSet.h"
#include "mcc/device_plugin/block/analysis/barrier_regions.h"
#include "spill_slots.h"

namespace musashim::mcc {

// What each thread stores on the edge from a block to the head of a region.
struct EdgeMove {
  llvm::BasicBlock* from;
  const Region* to;
  llvm::Value* value;
  Slot* slot;
  const llvm::Instruction* original;  // the value before regions were made self-contained, or null
};

class SlotRotation {
 public:
  using Homes = llvm::DenseMap<const llvm::BasicBlock*, const Region*>;
  using SlotOf = llvm::DenseMap<const llvm::Instruction*, Slot*>;

  // `home`: the region of each block that may load or store slots. `slotFor`: of the values that have one.
  // `pinned`: slots that must stay where they are.
  SlotRotation(UnitFunction& unit, const RegionGraph& graph, Homes home, const SlotOf& slotFor,
               llvm::DenseSet<const Slot*> pinned)
      : unit_(unit), graph_(graph), home_(std::move(home)), slotFor_(slotFor), pinned_(std::move(pinned)) {}

  // Takes the moves away that rotations replace.
  void plan(std::vector<EdgeMove>& moves);
  // Emits what is done for all threads between the two regions.
  void emit(llvm::IRBuilder<>& builder, const Region& from, const Region& to) const;

 private:
  // Each slot gets the array of the next one, and the last that of the first.
  struct Rotation {
    const Region* from;
    const Region* to;
    llvm::SmallVector<Slot*, 4> slots;
  };
  using Moves = llvm::SmallVector<EdgeMove*, 8>;

  bool isTakenByAll(llvm::BasicBlock& from, const Region& to) const;
  Slot* sourceOf(const EdgeMove& move) const;
  bool isDeadAt(const Slot& slot, const Region& region) const;
  void planEdge(const Moves& moves);
  void add(llvm::SmallVector<Slot*, 4> chain, const llvm::DenseMap<const Slot*, EdgeMove*>& moveTo);
  void makeMovable(Slot& slot);

  UnitFunction& unit_;
  const RegionGraph& graph_;
  const Homes home_;
  const SlotOf& slotFor_;
  const llvm::DenseSet<const Slot*> pinned_;
  std::vector<Rotation> rotations_;
};

}  // namespace musashim::mcc
