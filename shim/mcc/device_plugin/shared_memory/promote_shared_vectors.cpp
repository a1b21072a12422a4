#include "promote_shared_vectors.h"

#include <algorithm>
#include <numeric>
#include <vector>

#include "llvm/ADT/DepthFirstIterator.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"
#include "shared_accesses.h"

namespace musashim::mcc {
namespace {

using llvm::BasicBlock;
using llvm::Instruction;
using llvm::Value;

constexpr uint64_t kLeastVector = 16, kLargestVector = 64;  // bytes
constexpr uint64_t kLeastUnit = 4;                          // bytes: narrower shuffles are slow
constexpr size_t kMostSmall = 16;  // accesses of less than a vector: memory does those better
constexpr size_t kLeastSplit = 4;  // loads from two vectors: what there is to gain
constexpr size_t kMostBlocks = 200;

// A stretch: the accesses of constant offset behind a point of the code, which runs at most once, up to the
// first access of unknown offset. Nobody else reads in memory what is written there.
struct Stretch {
  BasicBlock* first = nullptr;
  std::vector<VariableAccess> accesses;
  std::vector<std::pair<BasicBlock*, BasicBlock*>> ends;  // edges behind which more accesses come
};

Stretch stretchFrom(BasicBlock& first, const SharedAccesses& accesses,
                    const llvm::DominatorTree& dominators) {
  llvm::SmallPtrSet<BasicBlock*, 16> reached, behind;
  for (BasicBlock* block : llvm::depth_first(&first)) {
    if (llvm::is_contained(llvm::successors(block), &first)) return {};  // comes again
    reached.insert(block);
    if (!accesses.hasUnknown(*block)) continue;
    const auto next = llvm::depth_first(block);
    behind.insert(next.begin(), next.end());
  }
  Stretch stretch{&first, {}, {}};
  for (const VariableAccess& access : accesses.known()) {
    BasicBlock* block = access.instruction->getParent();
    if (!reached.contains(block) || behind.contains(block)) continue;
    if (!dominators.dominates(&first, block)) return {};
    stretch.accesses.push_back(access);
  }
  for (BasicBlock* block : reached) {
    if (behind.contains(block)) continue;
    for (BasicBlock* next : llvm::successors(block)) {
      if (behind.contains(next) && accesses.accessedFrom(*next)) stretch.ends.emplace_back(block, next);
    }
  }
  return stretch;
}

// The one with most accesses.
Stretch findStretch(const SharedAccesses& accesses, const llvm::DominatorTree& dominators) {
  Stretch best;
  llvm::SmallSetVector<BasicBlock*, 16> places;
  for (const VariableAccess& access : accesses.known()) places.insert(access.instruction->getParent());
  for (BasicBlock* block : places) {
    Stretch stretch = stretchFrom(*block, accesses, dominators);
    if (stretch.accesses.size() > best.accesses.size()) best = std::move(stretch);
  }
  return best;
}

class Vectors {
 public:
  Vectors(Instruction& start, const Stretch& stretch) : start_(start), stretch_(stretch) {
    uint64_t places = kLargestVector;
    for (const VariableAccess& access : stretch.accesses) {
      if (access.isStore()) bytes_ = std::max(bytes_, llvm::bit_floor(bytesOf(*access.type())));
      places = std::gcd(places, std::gcd(access.offset, bytesOf(*access.type()->getScalarType())));
    }
    bytes_ = std::min(bytes_, kLargestVector);
    unit_ = places;
    lanes_ = bytes_ / unit_;
  }

  bool areWorthwhile() const {
    if (bytes_ < kLeastVector || unit_ < kLeastUnit) return false;
    size_t stores = 0, small = 0, splitLoads = 0, splitStores = 0;
    for (const VariableAccess& access : stretch_.accesses) {
      const size_t vectors = vectorsOf(unitsOf(access)).size();
      if (vectors == 0 || vectors > 2) return false;
      stores += access.isStore() ? 1 : 0;
      small += bytesOf(*access.type()) < kLeastVector ? 1 : 0;
      if (vectors == 2) ++(access.isStore() ? splitStores : splitLoads);
    }
    // Combining what is loaded in other pieces takes longer than loading it.
    return splitLoads >= kLeastSplit && splitLoads + 2 * splitStores <= stores && small <= kMostSmall;
  }

  void replaceAccesses() {
    for (const VariableAccess& access : stretch_.accesses) {
      llvm::IRBuilder<> builder(access.instruction);
      if (access.isStore()) {
        write(access, builder);
      } else {
        Value* value = read(access, builder);
        Value* passthru = access.passthru();
        if (passthru != nullptr) value = builder.CreateSelect(access.mask(), value, passthru);
        access.instruction->replaceAllUsesWith(value);
      }
      access.instruction->eraseFromParent();
    }
    for (const auto& [from, to] : stretch_.ends) writeBack(*llvm::SplitEdge(from, to));
  }

 private:
  // Numbers of consecutive units of memory; -1: masked off.
  using Units = llvm::SmallVector<int64_t, 16>;

  uint64_t bytesOf(llvm::Type& type) const {
    return start_.getModule()->getDataLayout().getTypeStoreSize(&type).getFixedValue();
  }

  Units unitsOf(const VariableAccess& access) const {
    const uint64_t perElement = bytesOf(*access.type()->getScalarType()) / unit_;
    const uint64_t count = bytesOf(*access.type()) / unit_;
    const auto* mask = llvm::dyn_cast_or_null<llvm::Constant>(access.mask());
    Units units;
    for (uint64_t i = 0; i < count; ++i) {
      const llvm::Constant* bit =
          mask != nullptr ? mask->getAggregateElement(static_cast<unsigned>(i / perElement)) : nullptr;
      const bool isThere = bit == nullptr || !bit->isNullValue();
      units.push_back(isThere ? static_cast<int64_t>(access.offset / unit_ + i) : -1);
    }
    return units;
  }

  // In the order of addresses.
  llvm::SmallVector<int64_t, 2> vectorsOf(const Units& units) const {
    llvm::SmallVector<int64_t, 2> vectors;
    for (const int64_t unit : units) {
      if (unit >= 0 && (vectors.empty() || vectors.back() != vectorOf(unit)))
        vectors.push_back(vectorOf(unit));
    }
    return vectors;
  }
  int64_t vectorOf(int64_t unit) const { return unit / lanes_; }
  int laneOf(int64_t unit) const { return static_cast<int>(unit % lanes_); }

  // All lanes, except those that are always masked off.
  Value* read(const VariableAccess& access, llvm::IRBuilder<>& builder) {
    const Units units = unitsOf(access);
    const auto vectors = vectorsOf(units);
    Value* first = builder.CreateLoad(type(), variable(vectors.front()));
    Value* second = llvm::PoisonValue::get(type());
    if (vectors.size() > 1) second = builder.CreateLoad(type(), variable(vectors.back()));
    llvm::SmallVector<int, 16> lanes;
    for (const int64_t unit : units) {
      const int begin = unit >= 0 && vectorOf(unit) != vectors.front() ? static_cast<int>(lanes_) : 0;
      lanes.push_back(unit < 0 ? llvm::PoisonMaskElem : begin + laneOf(unit));
    }
    Value* value = builder.CreateShuffleVector(first, second, lanes);
    return builder.CreateBitCast(value, access.type());
  }

  void write(const VariableAccess& access, llvm::IRBuilder<>& builder) {
    const Units units = unitsOf(access);
    Value* stored = access.stored();
    if (access.mask() != nullptr) stored = builder.CreateSelect(access.mask(), stored, read(access, builder));
    Value* value = builder.CreateBitCast(
        stored, llvm::FixedVectorType::get(type()->getElementType(), static_cast<unsigned>(units.size())));
    for (const int64_t vector : vectorsOf(units)) {
      llvm::SmallVector<int, 16> placed(lanes_, llvm::PoisonMaskElem), merged(lanes_);
      std::iota(merged.begin(), merged.end(), 0);
      for (size_t i = 0; i < units.size(); ++i) {
        if (units[i] < 0 || vectorOf(units[i]) != vector) continue;
        placed[laneOf(units[i])] = static_cast<int>(i);
        merged[laneOf(units[i])] = static_cast<int>(lanes_) + laneOf(units[i]);
      }
      Value* added = builder.CreateShuffleVector(value, placed);
      Value* before = builder.CreateLoad(type(), variable(vector));
      builder.CreateStore(builder.CreateShuffleVector(before, added, merged), variable(vector));
    }
  }

  llvm::FixedVectorType* type() const {
    return llvm::FixedVectorType::get(
        llvm::IntegerType::get(start_.getContext(), static_cast<unsigned>(8 * unit_)),
        static_cast<unsigned>(lanes_));
  }

  // Initialised with what is in memory where the stretch begins.
  Value* variable(int64_t vector) {
    llvm::AllocaInst*& made = variables_[vector];
    if (made != nullptr) return made;
    BasicBlock& entry = start_.getFunction()->getEntryBlock();
    made = llvm::IRBuilder<>(&entry, entry.begin()).CreateAlloca(type());
    llvm::IRBuilder<> builder(stretch_.first, stretch_.first->getFirstInsertionPt());
    builder.CreateStore(builder.CreateAlignedLoad(type(), placeOf(vector, builder), llvm::Align(bytes_)),
                        made);
    return made;
  }

  void writeBack(BasicBlock& block) {
    llvm::IRBuilder<> builder(&block, block.getFirstInsertionPt());
    for (const auto& [vector, variable] : variables_)
      builder.CreateAlignedStore(builder.CreateLoad(type(), variable), placeOf(vector, builder),
                                 llvm::Align(bytes_));
  }

  Value* placeOf(int64_t vector, llvm::IRBuilder<>& builder) {
    return builder.CreateConstGEP1_64(builder.getInt8Ty(), &start_, vector * bytes_);
  }

  Instruction& start_;
  const Stretch& stretch_;
  uint64_t bytes_ = 0, unit_ = 0;  // of a vector; of what its lanes are
  int64_t lanes_ = 0;
  llvm::MapVector<int64_t, llvm::AllocaInst*> variables_;
};

}  // namespace

bool promoteToVectors(Instruction& start, llvm::DominatorTree& dominators) {
  SharedAccesses accesses(start);
  if (start.getFunction()->size() > kMostBlocks || !accesses.find()) return false;
  if (accesses.known().size() < kLeastSplit) return false;
  accesses.splitByKind(dominators);
  const Stretch stretch = findStretch(accesses, dominators);
  if (stretch.accesses.empty()) return false;
  Vectors vectors(start, stretch);
  if (!vectors.areWorthwhile()) return false;
  vectors.replaceAccesses();
  return true;
}

}  // namespace musashim::mcc
