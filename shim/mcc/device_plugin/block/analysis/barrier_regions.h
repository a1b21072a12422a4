// Barrier regions of a kernel (as in pocl): the code between suspend points, in which no thread waits for
// another.
//
// A region is entered at its head alone. A *cut* is a uniform branch between regions: it is taken once for
// all threads, outside of the loops over them.
#pragma once

#include <memory>
#include <vector>

#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/IR/BasicBlock.h"
#include "suspend_points.h"
#include "uniformity.h"

namespace musashim::mcc {

// How threads leave a region.
enum class RegionExit {
  kOne,       // all to one region, or all to their end
  kUniform,   // all to the region that the terminator of `cut` says
  kDivergent  // each for itself
};

// Left at edges to the heads of regions, or by returning.
struct Region {
  unsigned index = 0;  // threads in the region of the lowest index run first
  llvm::BasicBlock* head = nullptr;
  llvm::SmallVector<llvm::BasicBlock*, 8> blocks;  // head first
  const SuspendPoint* completes = nullptr;         // the operation that threads complete on entry
  bool converged = false;                          // all living threads enter together
  bool ending = false;                             // no thread waits for others any more
  RegionExit exit = RegionExit::kOne;
  llvm::BasicBlock* cut = nullptr;
  llvm::BasicBlock* divergentBranch =
      nullptr;                         // kDivergent: the only branch by which threads leave; else null
  llvm::SmallVector<Region*, 2> next;  // successors; the end of threads is left out
  bool inCycle = false;                // may run again for the same thread

  bool contains(const llvm::BasicBlock* block) const { return llvm::is_contained(blocks, block); }
};

class RegionGraph {
 public:
  // `function` has an entry block of its own, which belongs to no region and branches to the first one. The
  // edges of cuts are split.
  // `warpSize`: of units that are warps, else 0. Warps are also cut at divergent branches, because their
  // threads mostly go one way.
  RegionGraph(llvm::Function& function, const std::vector<std::unique_ptr<SuspendPoint>>& suspendPoints,
              unsigned warpSize);

  const std::vector<std::unique_ptr<Region>>& regions() const { return regions_; }
  Region& regionOf(const llvm::BasicBlock* block) const { return *owner_.at(block); }
  bool hasRegion(const llvm::BasicBlock* block) const { return owner_.contains(block); }
  Region* regionAt(const llvm::BasicBlock* head) const { return heads_.lookup(head); }
  const Uniformity& uniformity() const { return *uniformity_; }
  bool threadsDiverge() const;

 private:
  using SuspendPoints = std::vector<std::unique_ptr<SuspendPoint>>;
  void findCuts(llvm::Function& function, const SuspendPoints& suspendPoints);
  bool mayCut(const llvm::BasicBlock& block, bool separates) const;
  void splitCutEdges(llvm::Function& function);
  void assignBlocks(llvm::Function& function, const SuspendPoints& suspendPoints);
  void findExits(Region& region);
  llvm::BasicBlock* findDivergentBranch(const Region& region) const;
  void findCycles();
  void findEndings();

  const bool cutsDivergentBranches_;
  llvm::SmallVector<llvm::BasicBlock*, 8> cuts_;
  llvm::SmallVector<llvm::BasicBlock*, 8> cutEdges_;
  std::unique_ptr<Uniformity> uniformity_;
  std::vector<std::unique_ptr<Region>> regions_;
  llvm::DenseMap<const llvm::BasicBlock*, Region*> owner_;
  llvm::DenseMap<const llvm::BasicBlock*, Region*> heads_;
};

}  // namespace musashim::mcc
