// Software prefetch of what future blocks will read and write.
//
// Hardware prefetchers follow ascending addresses. Where each warp takes pieces of its block's row, or a
// block takes a tile, addresses go up and down. Blocks run in order, and the next ones do as this one does:
// their addresses are this one's with another blockIdx.x. The same where blocks read, then work on
// block-local memory, then write: no hardware prefetch happens meanwhile.
//
// Lines are prefetched to the L2 cache. The L1 cache has eight to twelve ways for all addresses that are a
// multiple of 4 KiB apart, as the rows of this block and of future ones are. (Layer norm of rows of 4 KiB in
// memory: 2.1 times as fast on Zen 5, with reads alone 1.4; rows in the L2 cache: no difference. A scan in
// shared memory, with streaming stores: 1.6 times. On Zen 4, prefetched to L2 rather than L1: layer norm 1.7
// times as fast, tiles of a transpose 1.26, of a stencil 1.06, a scan 1.2.)
//
// The same where a block goes from plane to plane between barriers: what it reads and writes two rounds later
// is prefetched, unless it computes so much that memory is in time.
//
// Sequential accesses, where the next block or warp reads on behind this one, are prefetched to L1: there no
// rows are apart. (On Sapphire Rapids sums by warps are 1.05 times as fast from memory and 1.13 from L2, a
// scan 1.03; on Zen not measured.)
#include <algorithm>
#include <optional>

#include "coalesced_address.h"
#include "llvm/Analysis/LoopAccessAnalysis.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/ScalarEvolution.h"
#include "llvm/Analysis/ScalarEvolutionExpressions.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/Transforms/Utils/LoopUtils.h"
#include "llvm/Transforms/Utils/PromoteMemToReg.h"
#include "llvm/Transforms/Utils/ScalarEvolutionExpander.h"
#include "mcc/device_plugin/block/loops/row_loops.h"
#include "mcc/device_plugin/block/loops/thread_loops.h"
#include "mcc/device_plugin/device_builtins.h"
#include "mcc/device_plugin/passes.h"
#include "prefetch_address.h"

namespace musashim::mcc {
namespace {

using llvm::Instruction;
using llvm::Loop;
using llvm::Value;

constexpr uint32_t kBlocksAhead = 2;  // the prefetch distance; one block may take less time than memory does
// For blocks that take tiles: so many blocks ahead that they read and write about as much.
constexpr uint64_t kTileBytes = 4 << 10;
constexpr uint64_t kMostTiles = 4;
constexpr uint64_t kLargestTile = 4 * kTileBytes;
constexpr uint64_t kLineBytes = 64;
constexpr uint64_t kRowsPerCompute = 2;               // rows that a block could read while it computes
constexpr unsigned kLocalityL1 = 3, kLocalityL2 = 2;  // llvm.prefetch: 0 is none
// Variables of the device runtime: the prefetch distance in bytes of sequential accesses, by blocks and by
// warps.
constexpr llvm::StringRef kBlockDistanceName = "__musa_blocks_onward_bytes";
constexpr llvm::StringRef kWarpDistanceName = "__musa_warps_onward_bytes";
constexpr uint64_t kMostLines = 8;  // of a row: hardware prefetchers handle longer ones
constexpr int64_t kMostMembers = 4;
constexpr uint64_t kRoundsAhead = 2;  // planes; one round may take less time than memory does
constexpr size_t kMostOfPlanes = 4;   // rows, or loops over rows, of a plane

class PrefetchInserter {
 public:
  PrefetchInserter(llvm::Function& function, llvm::FunctionAnalysisManager& analyses)
      : function_(function),
        evolution_(analyses.getResult<llvm::ScalarEvolutionAnalysis>(function)),
        dominators_(analyses.getResult<llvm::DominatorTreeAnalysis>(function)),
        loops_(analyses.getResult<llvm::LoopAnalysis>(function)),
        wholeBlocks_(function.hasFnAttribute(kBlockAttribute)) {
    for (const Loop* row : rows(function))
      blockLocalIterations_ += isBlockLocalLoop(*row) ? knownTripCount(row, evolution_) : 0;
  }

  // In the order of the source.
  llvm::SmallVector<Loop*, 16> rows(llvm::Function& function) const {
    llvm::SmallVector<Loop*, 16> found;
    for (const llvm::BasicBlock& block : function) {
      Loop* loop = loops_.getLoopFor(&block);
      if (loop != nullptr && loop->getHeader() == &block && loop->isInnermost() && isOverThreads(*loop))
        found.push_back(loop);
    }
    return found;
  }

  void find(Loop& row) {
    for (llvm::BasicBlock* block : row.blocks()) {
      for (Instruction& instruction : *block) {
        if (const auto prefetch = prefetchFor(instruction, row)) {
          prefetches_.push_back(*prefetch);
        } else if (const auto plane = planeFor(instruction, row); plane && planes_.size() < kMostOfPlanes) {
          planes_.push_back(*plane);
        }
      }
    }
  }

  // True when the function was changed.
  bool add() {
    const bool hasPlanes = addPlanes();
    if (prefetches_.empty() || (wholeBlocks_ && !isTileKnown())) return hasPlanes;
    const uint32_t ahead = blocksAhead();
    bool changed = hasPlanes;
    for (const PrefetchRow& prefetch : prefetches_) {
      Loop& row = *prefetch.row;
      llvm::BasicBlock* before = getOrInsertPreheader(row, dominators_, loops_);
      if (before == nullptr) continue;
      llvm::IRBuilder<> builder(before->getTerminator());
      add(prefetch, ahead, builder);
      changed = true;
    }
    llvm::PromoteMemToReg(cursors_, dominators_);
    return changed;
  }

 private:
  struct PrefetchRow {
    Loop* row;
    Instruction* access;
    uint64_t bytes;
    bool isSequential;  // the next block, or warp, reads on behind it
  };

  // A row of a plane: in the next round of a loop around it, it is `step` bytes further.
  struct PlaneRow {
    Loop* row;
    Instruction* access;
    uint64_t bytes;
    const llvm::SCEV* step;
  };

  std::optional<PlaneRow> planeFor(Instruction& access, Loop& row) {
    Value* pointer = llvm::getLoadStorePointerOperand(&access);
    if (pointer == nullptr || access.isAtomic() || access.isVolatile() || isBlockLocal(access, *pointer))
      return std::nullopt;
    if (!wholeBlocks_ || isComputeBound()) return std::nullopt;
    for (const Loop* around = row.getParentLoop(); around != nullptr; around = around->getParentLoop()) {
      if (isOverRows(*around)) continue;
      const llvm::SCEV* step = stepIn(evolution_.getSCEV(pointer), *around);
      if (step == nullptr || llvm::isa<llvm::SCEVConstant>(step)) continue;
      const uint64_t bytes = bytesOf(access, *pointer, row);
      if (bytes == 0 || bytes > kMostLines * kLineBytes) return std::nullopt;
      return PlaneRow{&row, &access, bytes, step};
    }
    return std::nullopt;
  }

  // The attribute is that of the entry, which calls the code of this block size.
  bool isComputeBound() const {
    return function_.hasFnAttribute(kComputeBoundAttribute) ||
           llvm::any_of(function_.users(), [](const llvm::User* user) {
             const auto* call = llvm::dyn_cast<llvm::CallBase>(user);
             return call != nullptr && call->getFunction()->hasFnAttribute(kComputeBoundAttribute);
           });
  }

  // Over the rows of a block's threads, of which there are as many in each round.
  bool isOverRows(const Loop& loop) { return evolution_.getSmallConstantTripCount(&loop) != 0; }

  // How much more `value` is from round to round; null: not known, or as much.
  const llvm::SCEV* stepIn(const llvm::SCEV* value, const Loop& loop) {
    if (const auto* sum = llvm::dyn_cast<llvm::SCEVAddRecExpr>(value)) {
      if (sum->getLoop() != &loop) return stepIn(sum->getStart(), loop);
      const llvm::SCEV* step = sum->isAffine() ? sum->getStepRecurrence(evolution_) : nullptr;
      return step != nullptr && evolution_.isAvailableAtLoopEntry(step, loop.getOutermostLoop()) ? step
                                                                                                 : nullptr;
    }
    if (const auto* product = llvm::dyn_cast<llvm::SCEVMulExpr>(value)) {  // a sum that indexes elements
      const auto* size = llvm::dyn_cast<llvm::SCEVConstant>(product->getOperand(0));
      const llvm::SCEV* step =
          size != nullptr && product->getNumOperands() == 2 ? stepIn(product->getOperand(1), loop) : nullptr;
      return step != nullptr ? evolution_.getMulExpr(size, step) : nullptr;
    }
    const auto* sum = llvm::dyn_cast<llvm::SCEVAddExpr>(value);
    if (sum == nullptr) return nullptr;
    for (const llvm::SCEV* part : sum->operands()) {
      if (const llvm::SCEV* step = stepIn(part, loop)) return step;
    }
    return nullptr;
  }

  bool addPlanes() {
    for (const PlaneRow& plane : planes_) {
      Loop& row = *plane.row;
      llvm::BasicBlock* before = getOrInsertPreheader(row, dominators_, loops_);
      if (before == nullptr) continue;
      llvm::IRBuilder<> builder(before->getTerminator());
      llvm::SCEVExpander expander(evolution_, function_.getDataLayout(), "round");
      if (!expander.isSafeToExpandAt(plane.step, before->getTerminator())) continue;
      Value* step = expander.expandCodeFor(plane.step, builder.getInt64Ty(), before->getTerminator());
      Value* start = PrefetchAddress(row, row, /*blocksAhead=*/0, builder)
                         .of(llvm::getLoadStorePointerOperand(plane.access));
      start = builder.CreatePtrAdd(start, builder.CreateMul(step, builder.getInt64(kRoundsAhead)));
      // Rows of planes are rarely whole lines.
      for (uint64_t at = 0; at < plane.bytes; at += kLineBytes)
        prefetchLine(start, at, *plane.access, kLocalityL2, builder);
      prefetchLine(start, plane.bytes - 1, *plane.access, kLocalityL2, builder);
    }
    return !planes_.empty();
  }

  // The prefetch for the access's part of the row, where something is to be gained. Each array is prefetched
  // once, where it is first accessed: after that it is in the caches.
  std::optional<PrefetchRow> prefetchFor(Instruction& access, Loop& row) {
    Value* pointer = llvm::getLoadStorePointerOperand(&access);
    if (pointer == nullptr || access.isAtomic() || access.isVolatile()) return std::nullopt;
    const Value* array = arrayOf(*pointer);
    if (llvm::isa<llvm::AllocaInst>(array) || isPrefetched(array, row)) return std::nullopt;
    const CoalescedAddress address(*pointer, row);
    const bool reads = llvm::isa<llvm::LoadInst>(access);
    const bool precedesCompute = reads && computesAfter(row) && row.getParentLoop() == nullptr;
    const bool goesOn = !address.dependsOnOuterLoop() || isContiguousAcrossWarps(access, *pointer, row);
    const bool isSequential =
        reads && goesOn && address.usesGlobalThreadIndex() && (!wholeBlocks_ || precedesCompute);
    if (!address.isKnownForOtherBlocks() ||
        !(address.dependsOnOuterLoop() || precedesCompute || isSequential))
      return std::nullopt;
    if (wholeBlocks_ && rowsOf(*pointer, row) == 0) return std::nullopt;
    const uint64_t bytes = bytesOf(access, *pointer, row);
    const uint64_t most = precedesCompute ? kTileBytes : kMostLines * kLineBytes;
    if (bytes == 0 || bytes > most) return std::nullopt;
    if (wholeBlocks_ && !prefetched_.contains(array)) tileBytes_ += bytes * rowsOf(*pointer, row);
    prefetched_[array].push_back(&row);
    return PrefetchRow{&row, &access, bytes, isSequential};
  }

  // Each region loads the parameters for itself. The first such load stands for all.
  const Value* arrayOf(const Value& pointer) const {
    const Value* object = llvm::getUnderlyingObject(&pointer);
    for (const auto& [known, rows] : prefetched_) {
      if (isSameParameter(*object, *known)) return known;
    }
    return object;
  }

  // Full blocks and others may reach it by different paths: each prefetches, but not rows in loops.
  bool isPrefetched(const Value* array, const Loop& row) const {
    const auto found = prefetched_.find(array);
    if (found == prefetched_.end()) return false;
    return !computesAfter(row) || row.getParentLoop() != nullptr ||
           llvm::any_of(found->second, [&](const Loop* other) {
             return other->getParentLoop() != nullptr ||
                    dominators_.dominates(other->getHeader(), row.getHeader());
           });
  }

  // The block computes on block-local memory for about as long as it reads this row, or longer.
  bool computesAfter(const Loop& row) const {
    const uint64_t tripCount = std::max(1u, evolution_.getSmallConstantTripCount(&row));
    return wholeBlocks_ && kRowsPerCompute * blockLocalIterations_ >= tripCount;
  }

  // All memory accesses of the loop are block-local, and there are some.
  static bool isBlockLocalLoop(const Loop& row) {
    bool works = false;
    for (const llvm::BasicBlock* block : row.blocks()) {
      for (const Instruction& instruction : *block) {
        const Value* pointer = llvm::getLoadStorePointerOperand(&instruction);
        if (pointer == nullptr) continue;
        if (!isBlockLocal(instruction, *pointer)) return false;
        works = true;
      }
    }
    return works;
  }

  // The bytes of a row without gaps, also of structures whose members are read one by one; 0: there are gaps.
  uint64_t bytesOf(Instruction& access, Value& pointer, Loop& row) {
    llvm::Type* type = llvm::getLoadStoreType(&access);
    llvm::PredicatedScalarEvolution predicated(evolution_, row);
    const auto stride =
        llvm::getPtrStride(predicated, type, &pointer, &row, llvm::DenseMap<Value*, const llvm::SCEV*>(),
                           /*Assume=*/true, /*ShouldCheckWrap=*/false);
    if (!stride || *stride < 1 || *stride > kMostMembers) return 0;
    return evolution_.getSmallConstantTripCount(&row) * static_cast<uint64_t>(*stride) *
           access.getDataLayout().getTypeAllocSize(type).getFixedValue();
  }

  // In the loop around it, the next row begins where this one ends: one warp behind the other.
  bool isContiguousAcrossWarps(Instruction& access, Value& pointer, Loop& row) {
    const auto* threads = llvm::dyn_cast<llvm::SCEVAddRecExpr>(evolution_.getSCEV(&pointer));
    if (threads == nullptr || threads->getLoop() != &row) return false;
    const auto* warps = llvm::dyn_cast<llvm::SCEVAddRecExpr>(threads->getStart());
    if (warps == nullptr || warps->getLoop() != row.getParentLoop()) return false;
    const auto* step = llvm::dyn_cast<llvm::SCEVConstant>(warps->getStepRecurrence(evolution_));
    const uint64_t bytes = bytesOf(access, pointer, row);
    return step != nullptr && bytes != 0 && step->getAPInt() == bytes;
  }

  // How many rows of the array a block comes to at this access. 0: not known, or it goes on in the same row.
  uint64_t rowsOf(Value& pointer, const Loop& row) {
    uint64_t rows = 1;
    for (const Loop* loop = row.getParentLoop(); loop != nullptr; loop = loop->getParentLoop()) {
      rows *= hasRowStride(pointer, *loop, evolution_) ? evolution_.getSmallConstantTripCount(loop) : 0;
    }
    return rows;
  }

  // The block's tile has a known size that is not too large.
  bool isTileKnown() const { return tileBytes_ != 0 && tileBytes_ <= kLargestTile; }

  uint32_t blocksAhead() const {
    if (!wholeBlocks_) return kBlocksAhead;
    return static_cast<uint32_t>(std::clamp<uint64_t>(kTileBytes / tileBytes_, 1, kMostTiles));
  }

  Value* sequentialDistance() {
    llvm::IRBuilder<> builder(&*function_.getEntryBlock().getFirstInsertionPt());
    return loadRuntimeVariable(builder, wholeBlocks_ ? kBlockDistanceName : kWarpDistanceName);
  }

  void add(const PrefetchRow& prefetch, uint32_t ahead, llvm::IRBuilder<>& builder) {
    const unsigned locality = prefetch.isSequential ? kLocalityL1 : kLocalityL2;
    Value* start = addressOf(prefetch, ahead, builder);
    for (uint64_t at = 0; at < prefetch.bytes; at += kLineBytes)
      prefetchLine(start, at, *prefetch.access, locality, builder);
  }

  static void prefetchLine(Value* start, uint64_t at, const Instruction& access, unsigned locality,
                           llvm::IRBuilder<>& builder) {
    Value* line = builder.CreatePtrAdd(start, builder.getInt64(at));
    llvm::CallInst* call =
        builder.CreateIntrinsic(llvm::Intrinsic::prefetch, {line->getType()},
                                {line, builder.getInt32(llvm::isa<llvm::StoreInst>(access) ? 1 : 0),
                                 builder.getInt32(locality), builder.getInt32(1)});
    call->setMemoryEffects(llvm::MemoryEffects::inaccessibleMemOnly());  // other memory stays in registers
  }

  Value* addressOf(const PrefetchRow& prefetch, uint32_t ahead, llvm::IRBuilder<>& builder) {
    const Loop& row = *prefetch.row;
    Value* pointer = llvm::getLoadStorePointerOperand(prefetch.access);
    if (prefetch.isSequential) {
      Value* start = PrefetchAddress(row, row, /*blocksAhead=*/0, builder).of(pointer);
      return builder.CreatePtrAdd(start, sequentialDistance());
    }
    if (wholeBlocks_ || !CoalescedAddress(*pointer, row).stridesByBlockDim())
      return PrefetchAddress(row, row, ahead, builder).of(pointer);
    Loop& pieces = *row.getParentLoop();
    if (pieces.getLoopPreheader() == nullptr)
      llvm::InsertPreheaderForLoop(&pieces, &dominators_, &loops_, nullptr, /*PreserveLCSSA=*/false);
    llvm::IRBuilder<> before(pieces.getLoopPreheader()->getTerminator());
    return inAddressOrder(PrefetchAddress(row, pieces, ahead, before).of(pointer), prefetch.bytes, before,
                          builder);
  }

  // Prefetches as many bytes from where the last prefetch ended; from `start` the first time.
  //
  // Warps come to the pieces of a row one warp after the other. Prefetched in the order of addresses, the
  // whole row comes as well, and sooner: hardware prefetchers follow. (Layer norm from memory: 1.3 times as
  // fast on Zen 3.)
  Value* inAddressOrder(Value* start, uint64_t bytes, llvm::IRBuilder<>& before, llvm::IRBuilder<>& builder) {
    llvm::Type* type = start->getType();
    llvm::BasicBlock& entry = builder.GetInsertBlock()->getParent()->getEntryBlock();
    llvm::IRBuilder<> atEntry(&entry, entry.begin());
    llvm::AllocaInst* next = atEntry.CreateAlloca(type);
    atEntry.CreateStore(llvm::Constant::getNullValue(type), next);
    Value* last = before.CreateLoad(type, next);
    before.CreateStore(before.CreateSelect(before.CreateIsNull(last), start, last), next);
    Value* cursor = builder.CreateLoad(type, next);
    builder.CreateStore(builder.CreatePtrAdd(cursor, builder.getInt64(bytes)), next);
    cursors_.push_back(next);
    return cursor;
  }

  llvm::Function& function_;
  llvm::ScalarEvolution& evolution_;
  llvm::DominatorTree& dominators_;
  llvm::LoopInfo& loops_;
  const bool wholeBlocks_;
  uint64_t blockLocalIterations_ = 0;  // iterations of loops over block-local memory
  llvm::DenseMap<const Value*, llvm::SmallVector<const Loop*, 2>> prefetched_;
  uint64_t tileBytes_ = 0;  // that a block prefetches
  llvm::SmallVector<PrefetchRow, 4> prefetches_;
  llvm::SmallVector<PlaneRow, 4> planes_;
  llvm::SmallVector<llvm::AllocaInst*, 4>
      cursors_;  // where the next prefetch begins, for those in address order
};

}  // namespace

llvm::PreservedAnalyses Prefetch::run(llvm::Function& function, llvm::FunctionAnalysisManager& analyses) {
  PrefetchInserter inserter(function, analyses);
  for (Loop* row : inserter.rows(function)) inserter.find(*row);
  return inserter.add() ? llvm::PreservedAnalyses::none() : llvm::PreservedAnalyses::all();
}

}  // namespace musashim::mcc
