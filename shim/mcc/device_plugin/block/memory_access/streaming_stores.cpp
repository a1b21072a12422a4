// Writes past the caches what a grid writes and does not read, if it is more than they hold: a line that is
// written whole need not be read first, and pushes nothing out. (On Zen 5 with 32 MiB: a stencil that writes
// 64 MiB 1.45 times as fast, a transpose 1.6 times; a layer norm that writes 32 MiB 0.94 times: hence the
// limit.)
//
// A row of threads writes to a buffer that stays near, and what is there goes to its place in whole lines.
//
// Such writes come late to other processors. So kernels whose blocks may tell each other something have none,
// and the device runtime waits for them when blocks have ended.
#include "coalesced_address.h"
#include "llvm/Analysis/ScalarEvolution.h"
#include "llvm/Analysis/ScalarEvolutionExpressions.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/Module.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"
#include "llvm/Transforms/Utils/ScalarEvolutionExpander.h"
#include "mcc/device_plugin/block/loops/thread_loops.h"
#include "mcc/device_plugin/device_builtins.h"
#include "mcc/device_plugin/passes.h"

namespace musashim::mcc {
namespace {

using llvm::BasicBlock;
using llvm::Instruction;
using llvm::Loop;
using llvm::StoreInst;
using llvm::Value;

constexpr llvm::StringRef kLimitName = "__musa_past_caches_bytes";
constexpr uint64_t kLineBytes = 64;
constexpr uint64_t kLargestRow = 8 << 10;   // stays in the first cache
constexpr unsigned kMostInstructions = 64;  // of a row's loop: with more, memory is not the limit
constexpr uint64_t kStepBytes = 256;        // of the loop that writes a row

// Other threads may learn from it that something has been written.
bool mayTell(const Instruction& instruction) {
  if (instruction.isAtomic() || instruction.isVolatile()) return true;
  const auto* call = llvm::dyn_cast<llvm::CallInst>(&instruction);
  return call != nullptr && !llvm::isa<llvm::IntrinsicInst>(call) && call->mayWriteToMemory() &&
         calledName(*call) != kOpenBlockName;
}

// Nothing that a thread does after it could see, or undo, what it has written.
bool isLastAccess(const StoreInst& store) {
  for (const Instruction* next = store.getNextNode(); next != nullptr; next = next->getNextNode()) {
    if (next->mayReadOrWriteMemory()) return false;
  }
  return true;
}

class PastRows {
 public:
  PastRows(llvm::Function& function, llvm::FunctionAnalysisManager& analyses)
      : function_(function),
        evolution_(analyses.getResult<llvm::ScalarEvolutionAnalysis>(function)),
        dominators_(analyses.getResult<llvm::DominatorTreeAnalysis>(function)),
        loops_(analyses.getResult<llvm::LoopAnalysis>(function)) {
    for (const Instruction& instruction : llvm::instructions(function)) {
      if (const auto* load = llvm::dyn_cast<llvm::LoadInst>(&instruction))
        read_.insert(llvm::getUnderlyingObject(load->getPointerOperand()));
    }
  }

  // True when the function was changed.
  bool add() {
    for (Loop* loop : loops_.getLoopsInPreorder()) {
      if (loop->isInnermost() && isOverThreads(*loop) && loop->getNumBlocks() == 1 && loop->getExitBlock())
        find(*loop);
    }
    if (rows_.empty()) return false;
    Value* isMuch = comparedWithCaches();
    llvm::SmallVector<Buffered, 4> buffered;
    for (const Row& row : rows_) buffered.push_back(writeToBuffer(row, isMuch));
    // The analyses do not know of what comes now.
    for (const Buffered& row : buffered) writePast(row);
    return true;
  }

 private:
  struct Row {
    Loop* loop;
    BasicBlock* before;
    StoreInst* store;
    const llvm::SCEVAddRecExpr* place;
    uint64_t bytes;
  };

  void find(Loop& loop) {
    if (loop.getHeader()->size() > kMostInstructions) return;
    for (Instruction& instruction : *loop.getHeader()) {
      auto* store = llvm::dyn_cast<StoreInst>(&instruction);
      if (store == nullptr || store->hasMetadata(llvm::LLVMContext::MD_alias_scope)) continue;
      const auto* place =
          llvm::dyn_cast<llvm::SCEVAddRecExpr>(evolution_.getSCEV(store->getPointerOperand()));
      const uint64_t bytes = place != nullptr ? bytesOf(*store, *place, loop) : 0;
      if (bytes == 0 || !isLastAccess(*store)) continue;
      BasicBlock* before = blockBefore(loop, dominators_, loops_);
      if (before == nullptr) return;
      rows_.push_back({&loop, before, store, place, bytes});
      bytes_ += bytes * roundsOf(loop.getParentLoop(), evolution_);
      return;  // one for each loop: its exit is split for it
    }
  }

  // Of the row that a block writes, in whole lines; 0: not, or the kernel reads there.
  uint64_t bytesOf(StoreInst& store, const llvm::SCEVAddRecExpr& place, Loop& loop) {
    Value* pointer = store.getPointerOperand();
    const Value* array = llvm::getUnderlyingObject(pointer);
    if (llvm::isa<llvm::AllocaInst>(array) || read_.contains(array)) return 0;
    if (!CoalescedAddress(*pointer, loop).isKnownForOthers()) return 0;
    const uint64_t element =
        store.getDataLayout().getTypeStoreSize(store.getValueOperand()->getType()).getFixedValue();
    if (place.getLoop() != &loop || !place.isAffine()) return 0;
    const auto* step = llvm::dyn_cast<llvm::SCEVConstant>(place.getStepRecurrence(evolution_));
    if (step == nullptr || step->getAPInt() != element) return 0;
    const uint64_t bytes = evolution_.getSmallConstantTripCount(&loop) * element;
    return bytes % kLineBytes == 0 && bytes <= kLargestRow ? bytes : 0;
  }

  // Whether the grid writes more than they hold.
  Value* comparedWithCaches() {
    llvm::IRBuilder<> builder(&*function_.getEntryBlock().getFirstNonPHIOrDbgOrAlloca());
    Value* bytes = builder.getInt64(bytes_);
    for (const unsigned axis : {0u, 1u, 2u}) {
      Value* size = emitBlockValue(builder, {"", BlockValue::kGridDim, axis}, function_.getArg(0));
      bytes = builder.CreateMul(bytes, builder.CreateZExt(size, builder.getInt64Ty()));
    }
    Value* limit = function_.getParent()->getOrInsertGlobal(kLimitName, builder.getInt64Ty());
    return builder.CreateICmpUGE(bytes, builder.CreateLoad(builder.getInt64Ty(), limit), "past.caches");
  }

  struct Buffered {
    BasicBlock *latch, *exit;
    Value *isPast, *buffer, *start;
    uint64_t bytes;
  };

  // Or to its place, if it does not go past the caches.
  Buffered writeToBuffer(const Row& row, Value* isMuch) {
    llvm::IRBuilder<> builder(row.before->getTerminator());
    Value* buffer = bufferFor(row.bytes);
    llvm::SCEVExpander expander(evolution_, row.store->getDataLayout(), "row");
    Value* start =
        expander.expandCodeFor(row.place->getStart(), buffer->getType(), row.before->getTerminator());
    Value* inLine = builder.CreateAnd(builder.CreatePtrToInt(start, builder.getInt64Ty()), kLineBytes - 1);
    Value* isPast = builder.CreateAnd(isMuch, builder.CreateICmpEQ(inLine, builder.getInt64(0)));
    dropRequests(*row.before, isPast, buffer);
    Value* target = builder.CreateSelect(isPast, buffer, start);
    const llvm::SCEV* offset =
        evolution_.getAddRecExpr(evolution_.getZero(builder.getInt64Ty()),
                                 row.place->getStepRecurrence(evolution_), row.loop, llvm::SCEV::FlagNUW);
    Value* at = expander.expandCodeFor(offset, builder.getInt64Ty(), row.store->getIterator());
    row.store->setOperand(StoreInst::getPointerOperandIndex(),
                          llvm::IRBuilder<>(row.store).CreatePtrAdd(target, at));
    return {row.loop->getLoopLatch(), row.loop->getExitBlock(), isPast, buffer, start, row.bytes};
  }

  static void writePast(const Buffered& row) {
    BasicBlock* after = llvm::SplitEdge(row.latch, row.exit);
    Instruction* then = llvm::SplitBlockAndInsertIfThen(row.isPast, after->getTerminator(), false);
    writeLines(row.start, row.buffer, row.bytes, *then);
  }

  Value* bufferFor(uint64_t bytes) {
    llvm::IRBuilder<> builder(&*function_.getEntryBlock().begin());
    auto* buffer = builder.CreateAlloca(llvm::ArrayType::get(builder.getInt8Ty(), bytes), nullptr, "row");
    buffer->setAlignment(llvm::Align(kLineBytes));
    return buffer;
  }

  // Rows that were asked for to be written (Prefetch): not if they need not be read.
  static void dropRequests(BasicBlock& before, Value* isPast, Value* buffer) {
    llvm::SmallVector<llvm::IntrinsicInst*, 8> requests;
    for (Instruction& instruction : before) {
      auto* call = llvm::dyn_cast<llvm::IntrinsicInst>(&instruction);
      if (call == nullptr || call->getIntrinsicID() != llvm::Intrinsic::prefetch) continue;
      if (llvm::cast<llvm::ConstantInt>(call->getArgOperand(1))->isOne()) requests.push_back(call);
    }
    for (llvm::IntrinsicInst* request : requests) {
      request->moveBefore(before.getTerminator());
      llvm::IRBuilder<> builder(request);
      request->setArgOperand(0, builder.CreateSelect(isPast, buffer, request->getArgOperand(0)));
    }
  }

  static void writeLines(Value* to, Value* from, uint64_t bytes, Instruction& before) {
    llvm::IRBuilder<> builder(&before);
    if (bytes <= kStepBytes || bytes % kStepBytes != 0) return writeStep(to, from, bytes, builder);
    llvm::Instruction* body = nullptr;
    llvm::Value* step = nullptr;
    std::tie(body, step) =
        llvm::SplitBlockAndInsertSimpleForLoop(builder.getInt64(bytes / kStepBytes), &before);
    builder.SetInsertPoint(body);
    Value* at = builder.CreateMul(step, builder.getInt64(kStepBytes));
    writeStep(builder.CreatePtrAdd(to, at), builder.CreatePtrAdd(from, at), kStepBytes, builder);
  }

  static void writeStep(Value* to, Value* from, uint64_t bytes, llvm::IRBuilder<>& builder) {
    llvm::Type* line = llvm::FixedVectorType::get(builder.getInt64Ty(), kLineBytes / sizeof(uint64_t));
    auto* one = llvm::ConstantAsMetadata::get(builder.getInt32(1));
    for (uint64_t at = 0; at < bytes; at += kLineBytes) {
      Value* data = builder.CreateAlignedLoad(line, builder.CreateConstGEP1_64(builder.getInt8Ty(), from, at),
                                              llvm::Align(kLineBytes));
      StoreInst* store = builder.CreateAlignedStore(
          data, builder.CreateConstGEP1_64(builder.getInt8Ty(), to, at), llvm::Align(kLineBytes));
      store->setMetadata(llvm::LLVMContext::MD_nontemporal, llvm::MDNode::get(builder.getContext(), one));
    }
  }

  llvm::Function& function_;
  llvm::ScalarEvolution& evolution_;
  llvm::DominatorTree& dominators_;
  llvm::LoopInfo& loops_;
  llvm::SmallPtrSet<const Value*, 8> read_;  // arrays
  llvm::SmallVector<Row, 4> rows_;
  uint64_t bytes_ = 0;  // of a block
};

}  // namespace

llvm::PreservedAnalyses StreamingStores::run(llvm::Function& function,
                                             llvm::FunctionAnalysisManager& analyses) {
  if (!function.hasFnAttribute(kBlockAttribute)) return llvm::PreservedAnalyses::all();
  if (llvm::any_of(llvm::instructions(function), mayTell)) return llvm::PreservedAnalyses::all();
  return PastRows(function, analyses).add() ? llvm::PreservedAnalyses::none()
                                            : llvm::PreservedAnalyses::all();
}

}  // namespace musashim::mcc
