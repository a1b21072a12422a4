// Asks for what blocks soon to come will read and write. Processors fetch ahead what goes on in the order of
// addresses; where each warp takes pieces of its block's row, or a block takes a tile, it goes to and fro.
// Blocks are run in their order, and one that comes soon does as this one does: its addresses are this one's
// with another blockIdx.x. The same where blocks read, work on what they have read, and write: nobody fetches
// ahead meanwhile. It comes to the second cache: the first has eight to twelve places for all that is a
// multiple of 4 KiB apart, as rows of a block and of those to come are. (Layer norm of rows of 4 KiB in
// memory: 2.1 times as fast on Zen 5, with reads alone 1.4; rows in the second cache: no difference. A scan
// in shared memory, written past the caches: 1.6 times. On Zen 4, in the second cache rather than the first:
// layer norm 1.7 times as fast, tiles of a transpose 1.26, of a stencil 1.06, a scan 1.2.)
// What the next block or warp reads on behind this one comes to the first: no rows are apart there. (On
// Sapphire Rapids sums by warps are 1.05 times as fast from memory and 1.13 from the second cache, a scan
// 1.03; on Zen not measured.)
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

constexpr uint32_t kBlocksAhead = 2;  // one alone may take less time than memory does
// Of blocks that take tiles, so many that they read and write about as much.
constexpr uint64_t kTileBytes = 4 << 10;
constexpr uint64_t kMostTiles = 4;
constexpr uint64_t kLargestTile = 4 * kTileBytes;
constexpr uint64_t kLineBytes = 64;
constexpr uint64_t kRowsPerPause = 2;                  // which a block could come to while it does other work
constexpr unsigned kFirstCache = 3, kSecondCache = 2;  // llvm.prefetch: 0 is none
// Variables of the device runtime: how many bytes ahead, where the next block reads on behind this one, and
// where warps do.
constexpr llvm::StringRef kBlocksOnwardName = "__musa_blocks_onward_bytes";
constexpr llvm::StringRef kWarpsOnwardName = "__musa_warps_onward_bytes";
constexpr uint64_t kMostLines = 8;  // of a row: processors do well with longer ones
constexpr int64_t kMostMembers = 4;

class Requests {
 public:
  Requests(llvm::Function& function, llvm::FunctionAnalysisManager& analyses)
      : function_(function),
        evolution_(analyses.getResult<llvm::ScalarEvolutionAnalysis>(function)),
        dominators_(analyses.getResult<llvm::DominatorTreeAnalysis>(function)),
        loops_(analyses.getResult<llvm::LoopAnalysis>(function)),
        byTiles_(function.hasFnAttribute(kBlockAttribute)) {
    for (const Loop* row : rows(function)) nearby_ += worksNearby(*row) ? roundsOf(row, evolution_) : 0;
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
        if (const auto request = requestFor(instruction, row)) requests_.push_back(*request);
      }
    }
  }

  // True when the function was changed.
  bool add() {
    if (requests_.empty() || (byTiles_ && !isTileKnown())) return false;
    const uint32_t ahead = blocksAhead();
    bool changed = false;
    for (const Request& request : requests_) {
      Loop& row = *request.row;
      llvm::BasicBlock* before = blockBefore(row, dominators_, loops_);
      if (before == nullptr) continue;
      llvm::IRBuilder<> builder(before->getTerminator());
      add(request, ahead, builder);
      changed = true;
    }
    llvm::PromoteMemToReg(places_, dominators_);
    return changed;
  }

 private:
  struct Request {
    Loop* row;
    Instruction* access;
    uint64_t bytes;
    bool isOnward;  // the next block, or warp, reads on behind it
  };

  // For the access's part of the row, where something is to be gained. Each array once, where it is met
  // first: after that it is near.
  std::optional<Request> requestFor(Instruction& access, Loop& row) {
    Value* pointer = llvm::getLoadStorePointerOperand(&access);
    if (pointer == nullptr || access.isAtomic() || access.isVolatile()) return std::nullopt;
    const Value* array = arrayOf(*pointer);
    if (llvm::isa<llvm::AllocaInst>(array) || isAsked(array, row)) return std::nullopt;
    const CoalescedAddress address(*pointer, row);
    const bool reads = llvm::isa<llvm::LoadInst>(access);
    const bool comesAfterPause = reads && pausesAfter(row) && row.getParentLoop() == nullptr;
    const bool goesOn = !address.dependsOnOuterLoop() || followsItself(access, *pointer, row);
    const bool isOnward = reads && goesOn && address.countsThreads() && (!byTiles_ || comesAfterPause);
    if (!address.isKnownForOthers() || !(address.dependsOnOuterLoop() || comesAfterPause || isOnward))
      return std::nullopt;
    if (byTiles_ && rowsOf(*pointer, row) == 0) return std::nullopt;
    const uint64_t bytes = bytesOf(access, *pointer, row);
    const uint64_t most = comesAfterPause ? kTileBytes : kMostLines * kLineBytes;
    if (bytes == 0 || bytes > most) return std::nullopt;
    if (byTiles_ && !asked_.contains(array)) tileBytes_ += bytes * rowsOf(*pointer, row);
    asked_[array].push_back(&row);
    return Request{&row, &access, bytes, isOnward};
  }

  // Each part of a kernel reads for itself where its parameters are: the first such load stands for all.
  const Value* arrayOf(const Value& pointer) const {
    const Value* object = llvm::getUnderlyingObject(&pointer);
    for (const auto& [known, rows] : asked_) {
      if (isSameParameter(*object, *known)) return known;
    }
    return object;
  }

  // Blocks that are full, and others, may come to it on different ways: each asks, but for rows that blocks
  // come to again and again.
  bool isAsked(const Value* array, const Loop& row) const {
    const auto found = asked_.find(array);
    if (found == asked_.end()) return false;
    return !pausesAfter(row) || row.getParentLoop() != nullptr ||
           llvm::any_of(found->second, [&](const Loop* other) {
             return other->getParentLoop() != nullptr ||
                    dominators_.dominates(other->getHeader(), row.getHeader());
           });
  }

  // The block works on its own memory for about as long as it reads this row, or longer.
  bool pausesAfter(const Loop& row) const {
    const uint64_t rounds = std::max(1u, evolution_.getSmallConstantTripCount(&row));
    return byTiles_ && kRowsPerPause * nearby_ >= rounds;
  }

  // All that is read and written there is the block's own.
  static bool worksNearby(const Loop& row) {
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

  // Of a row without gaps, be it of structures whose members are read one by one; 0: of others.
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

  // The loop around the row's comes to the next one where this one ends: warps one behind the other.
  bool followsItself(Instruction& access, Value& pointer, Loop& row) {
    const auto* threads = llvm::dyn_cast<llvm::SCEVAddRecExpr>(evolution_.getSCEV(&pointer));
    if (threads == nullptr || threads->getLoop() != &row) return false;
    const auto* warps = llvm::dyn_cast<llvm::SCEVAddRecExpr>(threads->getStart());
    if (warps == nullptr || warps->getLoop() != row.getParentLoop()) return false;
    const auto* step = llvm::dyn_cast<llvm::SCEVConstant>(warps->getStepRecurrence(evolution_));
    const uint64_t bytes = bytesOf(access, pointer, row);
    return step != nullptr && bytes != 0 && step->getAPInt() == bytes;
  }

  // How often a block comes to the row's place in its code, each time in another row of the array; 0: not
  // known, or it goes on in the same row.
  uint64_t rowsOf(Value& pointer, const Loop& row) {
    uint64_t rows = 1;
    for (const Loop* loop = row.getParentLoop(); loop != nullptr; loop = loop->getParentLoop()) {
      rows *= goesByRows(pointer, *loop, evolution_) ? evolution_.getSmallConstantTripCount(loop) : 0;
    }
    return rows;
  }

  // Blocks are neither too large nor of unknown size.
  bool isTileKnown() const { return tileBytes_ != 0 && tileBytes_ <= kLargestTile; }

  uint32_t blocksAhead() const {
    if (!byTiles_) return kBlocksAhead;
    return static_cast<uint32_t>(std::clamp<uint64_t>(kTileBytes / tileBytes_, 1, kMostTiles));
  }

  Value* bytesOnward() {
    llvm::IRBuilder<> builder(&*function_.getEntryBlock().getFirstInsertionPt());
    return loadRuntimeVariable(builder, byTiles_ ? kBlocksOnwardName : kWarpsOnwardName);
  }

  void add(const Request& request, uint32_t ahead, llvm::IRBuilder<>& builder) {
    Value* isWrite = builder.getInt32(llvm::isa<llvm::StoreInst>(request.access) ? 1 : 0);
    Value* cache = builder.getInt32(request.isOnward ? kFirstCache : kSecondCache);
    Value* isData = builder.getInt32(1);
    Value* start = startOf(request, ahead, builder);
    for (uint64_t at = 0; at < request.bytes; at += kLineBytes) {
      Value* line = builder.CreatePtrAdd(start, builder.getInt64(at));
      llvm::CallInst* call = builder.CreateIntrinsic(llvm::Intrinsic::prefetch, {line->getType()},
                                                     {line, isWrite, cache, isData});
      call->setMemoryEffects(
          llvm::MemoryEffects::inaccessibleMemOnly());  // what is elsewhere stays in registers
    }
  }

  Value* startOf(const Request& request, uint32_t ahead, llvm::IRBuilder<>& builder) {
    const Loop& row = *request.row;
    Value* pointer = llvm::getLoadStorePointerOperand(request.access);
    if (request.isOnward) {
      Value* start = PrefetchAddress(row, row, /*blocksAhead=*/0, builder).of(pointer);
      return builder.CreatePtrAdd(start, bytesOnward());
    }
    if (byTiles_ || !CoalescedAddress(*pointer, row).goesByBlocks())
      return PrefetchAddress(row, row, ahead, builder).of(pointer);
    Loop& pieces = *row.getParentLoop();
    if (pieces.getLoopPreheader() == nullptr)
      llvm::InsertPreheaderForLoop(&pieces, &dominators_, &loops_, nullptr, /*PreserveLCSSA=*/false);
    llvm::IRBuilder<> before(pieces.getLoopPreheader()->getTerminator());
    return inOrder(PrefetchAddress(row, pieces, ahead, before).of(pointer), request.bytes, before, builder);
  }

  // As many bytes from where the last ended that were asked for; from `start` the first time. Warps come to
  // the pieces of a row one warp after the other. Asked for in the order of addresses, the whole row is there
  // as well, and sooner: processors see where it goes on. (Layer norm from memory: 1.3 times as fast on
  // Zen 3.)
  Value* inOrder(Value* start, uint64_t bytes, llvm::IRBuilder<>& before, llvm::IRBuilder<>& builder) {
    llvm::Type* type = start->getType();
    llvm::BasicBlock& entry = builder.GetInsertBlock()->getParent()->getEntryBlock();
    llvm::IRBuilder<> atEntry(&entry, entry.begin());
    llvm::AllocaInst* next = atEntry.CreateAlloca(type);
    atEntry.CreateStore(llvm::Constant::getNullValue(type), next);
    Value* last = before.CreateLoad(type, next);
    before.CreateStore(before.CreateSelect(before.CreateIsNull(last), start, last), next);
    Value* place = builder.CreateLoad(type, next);
    builder.CreateStore(builder.CreatePtrAdd(place, builder.getInt64(bytes)), next);
    places_.push_back(next);
    return place;
  }

  llvm::Function& function_;
  llvm::ScalarEvolution& evolution_;
  llvm::DominatorTree& dominators_;
  llvm::LoopInfo& loops_;
  const bool byTiles_;
  uint64_t nearby_ = 0;  // rounds of loops over rows of a block's own memory
  llvm::DenseMap<const Value*, llvm::SmallVector<const Loop*, 2>> asked_;
  uint64_t tileBytes_ = 0;  // that a block asks for
  llvm::SmallVector<Request, 4> requests_;
  llvm::SmallVector<llvm::AllocaInst*, 4> places_;  // that come next, where they are asked for in order
};

}  // namespace

llvm::PreservedAnalyses Prefetch::run(llvm::Function& function, llvm::FunctionAnalysisManager& analyses) {
  Requests requests(function, analyses);
  for (Loop* row : requests.rows(function)) requests.find(*row);
  return requests.add() ? llvm::PreservedAnalyses::none() : llvm::PreservedAnalyses::all();
}

}  // namespace musashim::mcc
