// Liveness of slots between regions: what is spilled to the unit's frame when the unit leaves its compiled
// code there, and reloaded when it comes back.
#pragma once

#include <vector>

#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/SetVector.h"
#include "mcc/device_plugin/block/analysis/barrier_regions.h"
#include "region_values.h"
#include "spill_slots.h"

namespace musashim::mcc {

using SlotSet = llvm::SmallSetVector<const Slot*, 16>;

class SlotLiveness {
 public:
  // `home`: the region of each block that may load or store slots.
  SlotLiveness(const RegionGraph& graph, const SlotTable& slots, RegionValues& values,
               const llvm::DenseMap<const llvm::BasicBlock*, const Region*>& home);

  // The slots that are live when threads enter `region`, its operation completed.
  const SlotSet& inside(const Region& region) const { return inside_[region.index]; }
  // The slots that are live before its operation is completed.
  SlotSet before(const Region& region) const;

 private:
  void findAccesses(const llvm::DenseMap<const llvm::BasicBlock*, const Region*>& home);
  bool addSuccessors(const Region& region);

  const SlotTable& slots_;
  RegionValues& values_;
  std::vector<SlotSet> inside_;
  std::vector<llvm::DenseMap<const Slot*, bool>> defined_;
};

}  // namespace musashim::mcc
