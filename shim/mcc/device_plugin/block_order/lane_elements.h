// Whether lanes of a warp come to each other's elements of shared memory, found by computing the elements:
// for usual blocks, or those that the source launches, and for the first rounds of loops. It tells, where
// sums of thread indices do not (semantics/shared_address.h), that lanes keep to elements of their own: `if
// (t % (2 * d) == 0) s[t] += s[t + d];` in blocks of any shape, two buffers in turn, pairs of elements that a
// thread swaps.
#pragma once

#include <map>
#include <optional>
#include <tuple>
#include <vector>

#include "barrier_free_paths.h"
#include "footprint.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Analysis/LoopInfo.h"
#include "loop_rounds.h"

namespace musashim::mcc {

class LaneElements {
 public:
  // `name`: of the kernel that the function is, or is a copy of.
  LaneElements(const llvm::Function& function, llvm::StringRef name, const llvm::DominatorTree& dominators);

  struct Access {
    llvm::Instruction* instruction;
    const SharedAddress* address;
    uint64_t bytes;
  };
  // Of the function, by which the size of its blocks is told.
  void add(const Access& access) { accesses_.push_back(access); }
  // No lane comes from `before` to an element by `after` that another lane of its warp, of at most so many
  // lanes, has come to by `before`; as far as that can be computed.
  bool areApart(const Access& before, const Access& after, unsigned most);
  // Some lane comes by `after` to an element that another lane of its warp, of at most so many lanes, has
  // come to by `before`; as far as that can be computed.
  bool meet(const Access& before, const Access& after, unsigned most);

 private:
  enum class Found { kApart, kMeeting, kUnknown };

  struct Shape {
    explicit Shape(const BlockShape& block) : block(block), rounds(block) {}
    BlockShape block;
    LoopRounds rounds;
  };

  // The ways from one access to another: within a round of the loops around both, and into the next one of
  // each.
  struct Ways {
    llvm::SmallVector<const llvm::Loop*, 4> loops;  // outer ones first
    bool inOneRound = false;
    llvm::SmallVector<bool, 4> intoNext;
  };

  // Where the source launches no blocks of known size, the largest usual ones that fit.
  std::vector<Shape> shapesFor(unsigned lanes) const;
  std::vector<Shape>& shapesOf(unsigned lanes);
  // The widths of warps, for which code may ask.
  static std::vector<unsigned> widthsUpTo(unsigned most);
  SharedAccess describe(const Access& access, Shape& shape, const CarriedBits& bits) const;
  // What their elements depend on, of what loops carry.
  CarriedBits carriedBits(const Access& before, const Access& after) const;
  Ways waysBetween(const llvm::Instruction& before, const llvm::Instruction& after) const;
  Found compare(const SharedAccess& before, const SharedAccess& after, const Ways& ways, Shape& shape,
                const CarriedBits& bits) const;

  const llvm::DominatorTree& dominators_;
  const llvm::LoopInfo loops_;
  const VariableEnds ends_;
  const StepPoints noPoints_;
  const BarrierFreePaths paths_;
  const llvm::StringRef name_;
  std::vector<Access> accesses_;
  std::map<unsigned, std::vector<Shape>> shapes_;  // by the lanes of a warp
  // By the two accesses and the lanes of a warp: it is asked for several numbers of lanes.
  using Pairs = std::map<std::tuple<const llvm::Instruction*, const llvm::Instruction*, unsigned>, bool>;
  Pairs apart_, meeting_;
};

}  // namespace musashim::mcc
