// Demanded-elements analysis of vectors: eliminates work on lanes whose results are not used. A warp
// reduction by shuffles ends in one lane. Of the step before, two lanes count, and so on back to the start,
// while the code computes all of them each time.
//
// LLVM's own analysis (SimplifyDemandedVectorElts) stops at the first value with several users. This one is
// global, so loops that carry such values end as well. Masked scatters that write single lanes (`if
// (threadIdx.x % 32 == 0) sums[threadIdx.x / 32] = sum;`) become scalar stores.
#include "llvm/Analysis/VectorUtils.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/Transforms/InstCombine/InstCombine.h"
#include "mcc/device_plugin/passes.h"

namespace musashim::mcc {
namespace {

using llvm::APInt;
using llvm::Instruction;
using llvm::Value;

const llvm::FixedVectorType* vectorType(const Value& value) {
  return llvm::dyn_cast<llvm::FixedVectorType>(value.getType());
}

// Elementwise: a lane of the result depends on the same lane of each vector operand.
bool worksByLanes(const Instruction& instruction) {
  if (instruction.isIntDivRem()) return false;  // a lane without a value might divide by it
  if (const auto* call = llvm::dyn_cast<llvm::IntrinsicInst>(&instruction))
    return llvm::isTriviallyVectorizable(call->getIntrinsicID());
  if (const auto* cast = llvm::dyn_cast<llvm::CastInst>(&instruction)) {
    const auto *from = vectorType(*cast->getOperand(0)), *to = vectorType(*cast);
    return from != nullptr && from->getNumElements() == to->getNumElements();
  }
  return llvm::isa<llvm::BinaryOperator, llvm::UnaryOperator, llvm::CmpInst, llvm::SelectInst, llvm::PHINode,
                   llvm::FreezeInst>(instruction);
}

const llvm::ConstantInt* laneOf(const Instruction& instruction) {
  const unsigned index = llvm::isa<llvm::InsertElementInst>(instruction) ? 2 : 1;
  return llvm::dyn_cast<llvm::ConstantInt>(instruction.getOperand(index));
}

class Demand {
 public:
  explicit Demand(llvm::Function& function) : function_(function) {
    for (Instruction& instruction : llvm::instructions(function)) {
      if (!followsLanes(instruction)) demandAll(instruction);
    }
    while (!work_.empty()) {
      Instruction* instruction = work_.pop_back_val();
      propagate(*instruction, lanes_.find(instruction)->second);
    }
  }

  // True when the function was changed.
  bool drop() {
    bool changed = false;
    for (Instruction& instruction : llvm::make_early_inc_range(llvm::instructions(function_))) {
      if (!followsLanes(instruction)) continue;
      const auto found = lanes_.find(&instruction);
      if (found == lanes_.end()) {
        changed = true;
        instruction.replaceAllUsesWith(llvm::PoisonValue::get(instruction.getType()));
        instruction.eraseFromParent();
      } else if (auto* shuffle = llvm::dyn_cast<llvm::ShuffleVectorInst>(&instruction)) {
        changed |= dropFrom(*shuffle, found->second);
      }
    }
    return changed;
  }

 private:
  // Demand of its result's lanes implies demand of its operands' lanes, and it has no other effect.
  static bool followsLanes(const Instruction& instruction) {
    if (vectorType(instruction) == nullptr) return false;
    if (llvm::isa<llvm::InsertElementInst>(instruction)) return laneOf(instruction) != nullptr;
    return llvm::isa<llvm::ShuffleVectorInst>(instruction) || worksByLanes(instruction);
  }

  void demand(Value* value, const APInt& lanes) {
    auto* instruction = llvm::dyn_cast<Instruction>(value);
    if (instruction == nullptr || lanes.isZero() || !followsLanes(*instruction)) return;
    const auto [known, isNew] = lanes_.try_emplace(instruction, lanes);
    if (!isNew) {
      if (lanes.isSubsetOf(known->second)) return;
      known->second |= lanes;
    }
    work_.push_back(instruction);
  }

  void demandAll(Instruction& instruction) {
    if (llvm::isa<llvm::ExtractElementInst>(instruction) && laneOf(instruction) != nullptr) {
      const auto* type = vectorType(*instruction.getOperand(0));
      const uint64_t lane = laneOf(instruction)->getZExtValue();
      if (type != nullptr && lane < type->getNumElements())
        return demand(instruction.getOperand(0), APInt::getOneBitSet(type->getNumElements(), lane));
    }
    for (Value* operand : instruction.operands()) {
      if (const auto* type = vectorType(*operand)) demand(operand, APInt::getAllOnes(type->getNumElements()));
    }
  }

  // Propagates demand to the operands.
  void propagate(Instruction& instruction, APInt lanes) {
    if (const auto* shuffle = llvm::dyn_cast<llvm::ShuffleVectorInst>(&instruction)) {
      const int width = static_cast<int>(vectorType(*shuffle->getOperand(0))->getNumElements());
      APInt left, right;
      if (!llvm::getShuffleDemandedElts(width, shuffle->getShuffleMask(), lanes, left, right,
                                        /*AllowUndefElts=*/true))
        return demandAll(instruction);
      demand(shuffle->getOperand(0), left);
      demand(shuffle->getOperand(1), right);
      return;
    }
    if (llvm::isa<llvm::InsertElementInst>(instruction)) {
      if (laneOf(instruction)->getValue().ult(lanes.getBitWidth()))
        lanes.clearBit(static_cast<unsigned>(laneOf(instruction)->getZExtValue()));
      demand(instruction.getOperand(0), lanes);
      return;
    }
    for (Value* operand : instruction.operands()) {
      if (vectorType(*operand) != nullptr) demand(operand, lanes);
    }
  }

  static bool dropFrom(llvm::ShuffleVectorInst& shuffle, const APInt& lanes) {
    llvm::SmallVector<int, 32> mask(shuffle.getShuffleMask());
    bool changed = false;
    for (unsigned lane = 0; lane < mask.size(); ++lane) {
      if (lanes[lane] || mask[lane] == llvm::PoisonMaskElem) continue;
      mask[lane] = llvm::PoisonMaskElem;
      changed = true;
    }
    if (changed) shuffle.setShuffleMask(mask);
    return changed;
  }

  llvm::Function& function_;
  llvm::DenseMap<const Instruction*, APInt> lanes_;  // in demand; none: no entry
  llvm::SmallVector<Instruction*, 32> work_;
};

constexpr unsigned kMostStores = 2;  // in place of a scatter, which takes as long as some

// The lanes that a scatter writes, where its mask is constant and they are few; else none.
llvm::SmallVector<unsigned, kMostStores> lanesWritten(const llvm::IntrinsicInst& scatter) {
  llvm::SmallVector<unsigned, kMostStores> lanes;
  const auto* mask = llvm::dyn_cast<llvm::Constant>(scatter.getArgOperand(3));
  if (mask == nullptr) return {};
  for (unsigned lane = 0; lane < vectorType(*mask)->getNumElements(); ++lane) {
    const llvm::Constant* isWritten = mask->getAggregateElement(lane);
    if (isWritten == nullptr || !llvm::isa<llvm::ConstantInt>(isWritten)) return {};
    if (isWritten->isOneValue()) lanes.push_back(lane);
  }
  return lanes.size() <= kMostStores ? lanes : llvm::SmallVector<unsigned, kMostStores>{};
}

// True when the function was changed.
bool scalarizeScatters(llvm::Function& function) {
  bool changed = false;
  for (Instruction& instruction : llvm::make_early_inc_range(llvm::instructions(function))) {
    auto* scatter = llvm::dyn_cast<llvm::IntrinsicInst>(&instruction);
    if (scatter == nullptr || scatter->getIntrinsicID() != llvm::Intrinsic::masked_scatter) continue;
    const auto lanes = lanesWritten(*scatter);
    if (lanes.empty()) continue;
    llvm::IRBuilder<> builder(scatter);
    const auto alignment = llvm::cast<llvm::ConstantInt>(scatter->getArgOperand(2))->getMaybeAlignValue();
    for (const unsigned lane : lanes) {
      Value* value = builder.CreateExtractElement(scatter->getArgOperand(0), lane);
      Value* place = builder.CreateExtractElement(scatter->getArgOperand(1), lane);
      builder.CreateAlignedStore(value, place, alignment)->setAAMetadata(scatter->getAAMetadata());
    }
    scatter->eraseFromParent();
    changed = true;
  }
  return changed;
}

}  // namespace

llvm::PreservedAnalyses DemandedElements::run(llvm::Function& function,
                                              llvm::FunctionAnalysisManager& analyses) {
  const bool stores = scalarizeScatters(function);
  if (!Demand(function).drop() && !stores) return llvm::PreservedAnalyses::all();
  analyses.invalidate(function, llvm::PreservedAnalyses::none());
  llvm::InstCombinePass().run(function, analyses);
  return llvm::PreservedAnalyses::none();
}

}  // namespace musashim::mcc
