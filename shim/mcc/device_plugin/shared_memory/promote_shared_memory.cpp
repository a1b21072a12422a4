// Promotes a block's shared memory to registers where all accesses have constant offsets: tree reductions,
// say, once their loops are unrolled. Then the block's many small steps wait for no stores.
//
// Nobody but the block sees its shared memory, nor what it leaves there. On hardware its initial contents are
// undefined; here they are all ones (NaN, -1), so that who reads them notices. So the memory can be an
// alloca, and LLVM's SROA does the rest. Not where much is read in other pieces than it was written (a tile's
// rows, element by element): loads do that better than shuffles.
//
// There only dead stores are eliminated: of rows of the other tile, say, whose values stay in registers (a
// product of tiles of 16 x 16: 1.07 times as fast on Zen 5).
#include <algorithm>
#include <set>
#include <vector>

#include "llvm/Analysis/ScalarEvolution.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/Transforms/InstCombine/InstCombine.h"
#include "llvm/Transforms/Scalar/EarlyCSE.h"
#include "llvm/Transforms/Scalar/SROA.h"
#include "mcc/device_plugin/device_builtins.h"
#include "mcc/device_plugin/passes.h"
#include "promote_shared_vectors.h"

namespace musashim::mcc {
namespace {

using llvm::Function;
using llvm::GetElementPtrInst;
using llvm::Instruction;
using llvm::LoadInst;
using llvm::StoreInst;
using llvm::Value;

constexpr uint64_t kMostBytes = 8 << 10;
constexpr uint64_t kAlignment = 128;  // of the alloca; shared memory has a page's, which is no use here
constexpr ptrdiff_t kMostPartialLoads = 16;

struct Range {
  uint64_t begin, end;  // bytes from the start of the memory
  auto operator<=>(const Range&) const = default;
};

// Calls visit(access) for each load and store of memory that begins at `pointer`. False if one of them
// returns false, or the memory is used in another way. `other`: no use of it.
template <typename Visit>
bool visitAccesses(Instruction& pointer, const Instruction* other, Visit visit) {
  return llvm::all_of(pointer.users(), [&](llvm::User* user) {
    if (user == other) return true;
    if (auto* load = llvm::dyn_cast<LoadInst>(user)) return load->isSimple() && visit(*load);
    if (auto* store = llvm::dyn_cast<StoreInst>(user))
      return store->isSimple() && store->getValueOperand() != &pointer && visit(*store);
    auto* element = llvm::dyn_cast<GetElementPtrInst>(user);
    return element != nullptr && visitAccesses(*element, other, visit);
  });
}

uint64_t bytesOf(Instruction& access) {
  return access.getDataLayout().getTypeStoreSize(llvm::getLoadStoreType(&access)).getFixedValue();
}

// A kernel's static shared memory, or its dynamic one: the accesses of what begins at `start`.
class SharedRegion {
 public:
  // `other`: the start of the dynamic memory, which is no use of the static one.
  SharedRegion(Instruction& start, const Instruction* other) : start_(start), other_(other) {}

  // False if not all uses are loads and stores of known places.
  bool isKnown() {
    return visitAccesses(start_, other_, [this](Instruction& access) { return add(access); });
  }

  bool isEmpty() const { return loads_.empty() && stores_.empty(); }

  bool fitsRegisters() const {
    if (stores_.empty() || size_ > kMostBytes) return false;
    const std::set<Range> stored(stores_.begin(), stores_.end());
    const auto isPartial = [&](const Range& load) { return !stored.contains(load); };
    return std::ranges::count_if(loads_, isPartial) <= kMostPartialLoads;
  }

  void moveToAlloca() {
    llvm::IRBuilder<> builder(&*start_.getFunction()->getEntryBlock().begin());
    auto* memory = builder.CreateAlloca(llvm::ArrayType::get(builder.getInt8Ty(), size_));
    memory->setAlignment(llvm::Align(kAlignment));
    builder.CreateMemSet(memory, builder.getInt8(0xff), size_, llvm::Align(kAlignment));
    start_.replaceUsesWithIf(memory, [&](const llvm::Use& use) { return use.getUser() != other_; });
  }

 private:
  bool add(Instruction& access) {
    llvm::APInt offset(layout().getIndexTypeSizeInBits(start_.getType()), 0);
    const Value* base =
        llvm::getLoadStorePointerOperand(&access)->stripAndAccumulateConstantOffsets(layout(), offset, true);
    if (base != &start_ || offset.isNegative()) return false;
    const Range range{offset.getZExtValue(), offset.getZExtValue() + bytesOf(access)};
    (llvm::isa<LoadInst>(access) ? loads_ : stores_).push_back(range);
    size_ = std::max(size_, range.end);
    return true;
  }

  const llvm::DataLayout& layout() const { return start_.getModule()->getDataLayout(); }

  Instruction& start_;
  const Instruction* other_;
  std::vector<Range> loads_, stores_;
  uint64_t size_ = 0;
};

// Dead stores: no load can read them.
class DeadStores {
 public:
  DeadStores(Instruction& start, llvm::ScalarEvolution& evolution) : start_(start), evolution_(evolution) {}

  // True when there were some.
  bool eliminate() {
    const bool isKnown = visitAccesses(start_, nullptr, [this](Instruction& access) {
      if (auto* store = llvm::dyn_cast<StoreInst>(&access)) {
        stores_.emplace_back(store, rangeOf(access));
      } else {
        loads_.push_back(rangeOf(access));
      }
      return true;
    });
    if (!isKnown) return false;
    bool eliminated = false;
    for (const auto& [store, range] : stores_) {
      const auto overlaps = [&, &stored = range](const Range& load) {
        return load.begin < stored.end && stored.begin < load.end;
      };
      if (std::ranges::any_of(loads_, overlaps)) continue;
      store->eraseFromParent();
      eliminated = true;
    }
    return eliminated;
  }

 private:
  // All that the access may touch.
  Range rangeOf(Instruction& access) {
    constexpr Range kAll{0, UINT64_MAX};
    const llvm::SCEV* offset = evolution_.getMinusSCEV(
        evolution_.getSCEV(llvm::getLoadStorePointerOperand(&access)), evolution_.getSCEV(&start_));
    if (llvm::isa<llvm::SCEVCouldNotCompute>(offset)) return kAll;
    const llvm::ConstantRange range = evolution_.getSignedRange(offset);
    const llvm::APInt least = range.getSignedMin(), most = range.getSignedMax();
    if (least.isNegative() || most.ugt(UINT32_MAX)) return kAll;
    return {least.getZExtValue(), most.getZExtValue() + bytesOf(access)};
  }

  Instruction& start_;
  llvm::ScalarEvolution& evolution_;
  std::vector<Range> loads_;
  std::vector<std::pair<StoreInst*, Range>> stores_;
};

// The load of where the block's shared memory begins, or null: from the block's context, the first argument.
LoadInst* findStart(Function& block) {
  const llvm::DataLayout& layout = block.getParent()->getDataLayout();
  const uint64_t place =
      layout.getStructLayout(blockContextType(block.getContext()))->getElementOffset(kSharedField);
  LoadInst* start = nullptr;
  for (Instruction& instruction : llvm::instructions(block)) {
    auto* load = llvm::dyn_cast<LoadInst>(&instruction);
    if (load == nullptr || !load->getType()->isPointerTy()) continue;
    llvm::APInt offset(layout.getIndexTypeSizeInBits(load->getPointerOperandType()), 0);
    const Value* base = load->getPointerOperand()->stripAndAccumulateConstantOffsets(layout, offset, true);
    if (base != block.getArg(0) || offset != place) continue;
    if (start != nullptr) return nullptr;
    start = load;
  }
  return start;
}

// The start of dynamic shared memory: at the offset that the context says.
GetElementPtrInst* findDynamic(LoadInst& start) {
  GetElementPtrInst* found = nullptr;
  for (llvm::User* user : start.users()) {
    auto* element = llvm::dyn_cast<GetElementPtrInst>(user);
    if (element == nullptr || element->hasAllConstantIndices()) continue;
    const Value* offset = element->getNumIndices() == 1 ? element->getOperand(1) : nullptr;
    const auto* extended = llvm::dyn_cast_or_null<llvm::ZExtInst>(offset);
    const bool isDynamic = extended != nullptr && llvm::isa<LoadInst>(extended->getOperand(0)) &&
                           element->getSourceElementType()->isIntegerTy(8);
    if (!isDynamic || found != nullptr) return nullptr;
    found = element;
  }
  return found;
}

// Other functions of the kernel may have the shared memory's address as well.
bool callsOthers(Function& block) {
  return llvm::any_of(llvm::instructions(block), [](const Instruction& instruction) {
    const auto* call = llvm::dyn_cast<llvm::CallBase>(&instruction);
    if (call == nullptr || llvm::isa<llvm::IntrinsicInst>(call) || call->doesNotAccessMemory()) return false;
    return calledName(*call) != "__musa_open_block";  // what it returns is other memory
  });
}

bool promoteToRegisters(LoadInst& start) {
  GetElementPtrInst* dynamicStart = findDynamic(start);
  std::vector<SharedRegion> regions{{start, dynamicStart}};
  if (dynamicStart != nullptr) regions.emplace_back(*dynamicStart, nullptr);
  if (!llvm::all_of(regions, [](SharedRegion& region) { return region.isKnown(); })) return false;
  bool moved = false;
  for (SharedRegion& region : regions) {
    if (region.isEmpty() || !region.fitsRegisters()) continue;
    region.moveToAlloca();
    moved = true;
  }
  return moved;
}

}  // namespace

llvm::PreservedAnalyses PromoteSharedMemory::run(Function& function,
                                                 llvm::FunctionAnalysisManager& analyses) {
  if (!function.hasFnAttribute(kBlockAttribute) || callsOthers(function))
    return llvm::PreservedAnalyses::all();
  LoadInst* start = findStart(function);
  if (start == nullptr) return llvm::PreservedAnalyses::all();
  const size_t blocks = function.size();
  auto& dominators = analyses.getResult<llvm::DominatorTreeAnalysis>(function);
  if (!promoteToRegisters(*start) && !promoteToVectors(*start, dominators)) {
    const bool isSplit = function.size() != blocks;
    if (isSplit) analyses.invalidate(function, llvm::PreservedAnalyses::none());
    auto& evolution = analyses.getResult<llvm::ScalarEvolutionAnalysis>(function);
    const bool eliminated = DeadStores(*start, evolution).eliminate();
    if (isSplit) return llvm::PreservedAnalyses::none();
    return keepsBranches(eliminated);
  }
  analyses.invalidate(function, llvm::PreservedAnalyses::none());
  llvm::FunctionPassManager passes;
  passes.addPass(llvm::SROAPass(llvm::SROAOptions::PreserveCFG));
  passes.addPass(llvm::EarlyCSEPass());
  passes.addPass(llvm::InstCombinePass());
  passes.run(function, analyses);
  return llvm::PreservedAnalyses::none();
}

}  // namespace musashim::mcc
