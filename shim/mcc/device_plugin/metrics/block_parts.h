// What a block's index adds to a value, and what decides about the outcome of its comparison.
#pragma once

#include <array>
#include <vector>

#include "llvm/ADT/DenseSet.h"
#include "llvm/Analysis/ScalarEvolution.h"
#include "llvm/Analysis/ScalarEvolutionExpressions.h"
#include "llvm/IR/Instructions.h"

namespace musashim::mcc {

// A number that blocks of one kind have in common. Expressions have 64 bits, and are of the launch's values
// and the block's index alone.
struct KindPart {
  enum Form {
    kWhole,    // the sum
    kPlace,    // the sum, as far as a sector's bytes go
    kNarrow,   // the sum where it is so large that an index of 32 bits might not hold it with all that is
               // added; else 0
    kOutcome,  // of comparing `sum` and `other` in their own type
    kBound     // the sum, `low` and `high` at most; the part `other` as a whole unless all `checks` hold
  };
  struct Check {  // low >= 0, and high below `end`
    const llvm::SCEV *low, *high;
    uint64_t end;
  };
  Form form = kWhole;
  const llvm::SCEV* sum = nullptr;
  const llvm::SCEV* other = nullptr;
  llvm::CmpInst::Predicate predicate = llvm::CmpInst::BAD_ICMP_PREDICATE;
  const llvm::SCEV *low = nullptr, *high = nullptr;
  std::vector<Check> checks = {};
};

class BlockParts {
 public:
  // `ofBlock`: values that depend on the block's index; `known`: instructions that are the same for all
  // threads of a block, and can be had at the kernel's start; `blockDim`: those of the block's sizes.
  BlockParts(llvm::ScalarEvolution& evolution, const llvm::DenseSet<const llvm::Value*>& ofBlock,
             const llvm::DenseSet<const llvm::Value*>& known, const std::array<llvm::Value*, 3>& blockDim);

  // Each adds what blocks need in common for it to `parts`. False: blocks have nothing in common.
  bool addAddress(llvm::Value& address, std::vector<KindPart>& parts);
  bool addComparison(const llvm::ICmpInst& compare, std::vector<KindPart>& parts);
  bool addWhole(llvm::Value& value, std::vector<KindPart>& parts);

 private:
  // A sum of a block's part and one that lies between `low` and `high` in each of its threads.
  struct Range {
    const llvm::SCEV *low = nullptr, *high = nullptr, *block = nullptr;
  };

  bool dependsOnBlock(const llvm::SCEV* of) const;
  bool isKnown(const llvm::SCEV* of) const;  // at the kernel's start
  const llvm::SCEV* wide(const llvm::SCEV* of, bool isSigned = true);
  const llvm::SCEV* partOf(const llvm::SCEV* of, KindPart::Form ofNarrow, std::vector<KindPart>& parts);
  const llvm::SCEV* partOfChoice(const llvm::SCEV* of, KindPart::Form ofNarrow, std::vector<KindPart>& parts);
  bool rangeOf(const llvm::SCEV* of, Range& range, std::vector<KindPart::Check>& checks);
  bool rangeOfProduct(const llvm::SCEVMulExpr& of, Range& range, std::vector<KindPart::Check>& checks);
  bool addWhole(const llvm::SCEV* of, std::vector<KindPart>& parts);

  llvm::ScalarEvolution& evolution_;
  const llvm::DenseSet<const llvm::Value*>& ofBlock_;
  const llvm::DenseSet<const llvm::Value*>& known_;
  const std::array<llvm::Value*, 3> blockDim_;
  llvm::DenseSet<const llvm::SCEV*> choices_;  // that are looked at
  llvm::Type* i64_;
};

}  // namespace musashim::mcc
