// Slot coalescing, as registers are coalesced: a phi at a region's head and its incoming values share a slot
// if they do not interfere. Then a loop's back edge moves nothing.
#pragma once

#include <vector>

#include "llvm/ADT/BitVector.h"
#include "llvm/ADT/DenseMap.h"
#include "mcc/device_plugin/block/analysis/barrier_regions.h"

namespace musashim::mcc {

class SlotCoalescing {
 public:
  using SlotDefined = llvm::DenseMap<const llvm::Instruction*, const Region*>;

  // `slotDefined`: values that are in their slot when threads enter the given region.
  SlotCoalescing(const RegionGraph& graph, const SlotDefined& slotDefined)
      : graph_(graph), slotDefined_(slotDefined) {}

  // A value that needs a slot if another region uses it.
  void add(llvm::Instruction& instruction);

  // For each value that shares a slot: its leader, the one that stands for all.
  llvm::DenseMap<const llvm::Instruction*, const llvm::Instruction*> compute();

 private:
  void findUsesOf(unsigned value);
  void findUses();
  void solveLiveness();
  bool interfere(unsigned a, unsigned b) const;
  bool groupsInterfere(unsigned a, unsigned b) const;
  const Region& home(unsigned value) const;

  const RegionGraph& graph_;
  const SlotDefined& slotDefined_;
  std::vector<llvm::Instruction*> values_;
  llvm::DenseMap<const llvm::Instruction*, unsigned> number_;
  std::vector<llvm::BitVector> uses_, definitions_, liveIn_, liveOut_;  // per region
  std::vector<unsigned> group_;
};

}  // namespace musashim::mcc
