// A kernel cut into regions: parts in which no thread waits for another.
#pragma once

#include <memory>
#include <vector>

#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/IR/BasicBlock.h"
#include "suspend_points.h"
#include "uniformity.h"

namespace musashim::mcc {

// How the threads of a region go on.
enum class RegionExit {
  kOne,       // all to the same region, or all to their end
  kUniform,   // all the same way, which the terminator of `cut` decides
  kDivergent  // each its own way
};

// Entered at its head only; left at edges to the heads of regions, or by returning.
struct Region {
  unsigned index = 0;  // in the order in which threads should run: the lowest first
  llvm::BasicBlock* head = nullptr;
  llvm::SmallVector<llvm::BasicBlock*, 8> blocks;  // head first
  const SuspendPoint* completes = nullptr;         // what threads complete before they enter
  bool converged = false;                          // all living threads enter together
  bool ending = false;                             // no thread waits for others any more
  RegionExit exit = RegionExit::kOne;
  llvm::BasicBlock* cut = nullptr;
  llvm::BasicBlock* fork = nullptr;    // kDivergent: the branch by which every thread leaves, if there is one
  llvm::SmallVector<Region*, 2> next;  // without the threads' end
  bool inCycle = false;                // may run again for the same thread

  bool contains(const llvm::BasicBlock* block) const { return llvm::is_contained(blocks, block); }
};

class RegionGraph {
 public:
  // `function` has an entry block of its own that belongs to no region and branches to
  // the first one. Its cut branches' edges are split.
  // `warpSize`: of units that are warps, else 0. Warps are cut also where each thread decides for itself;
  // they mostly decide alike.
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
  llvm::BasicBlock* findFork(const Region& region) const;
  void findCycles();
  void findEndings();

  const bool cutForks_;
  llvm::SmallVector<llvm::BasicBlock*, 8> cuts_;
  llvm::SmallVector<llvm::BasicBlock*, 8> cutEdges_;
  std::unique_ptr<Uniformity> uniformity_;
  std::vector<std::unique_ptr<Region>> regions_;
  llvm::DenseMap<const llvm::BasicBlock*, Region*> owner_;
  llvm::DenseMap<const llvm::BasicBlock*, Region*> heads_;
};

}  // namespace musashim::mcc
