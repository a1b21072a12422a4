// Rerolls the loads of rows that are combined in pairs, first half and second, once a block's shared memory
// is registers. On processors whose hardware prefetchers are trained by instruction, a loop with two loads
// reads the rows, instead of two loads for each vector.
//
// Such prefetchers follow few instructions, and how well depends on the code's addresses. The loop stores its
// results on the stack, half of what was read. Nothing else is prefetched then. (A sum of 128 MiB in shared
// memory by blocks of 256 threads, 512-bit vectors: 1.16 times as fast on Sapphire Rapids; in its caches no
// difference.)
#include <algorithm>
#include <optional>
#include <vector>

#include "llvm/Analysis/ScalarEvolution.h"
#include "llvm/Analysis/ScalarEvolutionExpressions.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"
#include "mcc/device_plugin/device_builtins.h"
#include "mcc/device_plugin/passes.h"

namespace musashim::mcc {
namespace {

using llvm::BasicBlock;
using llvm::BinaryOperator;
using llvm::Instruction;
using llvm::IRBuilder;
using llvm::LoadInst;
using llvm::Value;

constexpr size_t kLeastPairs = 8;     // fewer are done before anything was prefetched
constexpr int64_t kAvx512Bytes = 64;  // bytes of a vector; with narrower ones the loop costs what it gains
// A variable of the device runtime: not 0 where hardware prefetchers are trained by instruction.
constexpr llvm::StringRef kInstructionPrefetcherName = "__musa_follows_instructions";

// An operation on two loads of one use.
struct Pair {
  BinaryOperator* operation;
  int64_t offset;  // of the operation's first operand from the row's start

  LoadInst& load(unsigned operand) const { return *llvm::cast<LoadInst>(operation->getOperand(operand)); }
};

// Pairs at consecutive addresses, whose operands have one distance.
struct PairedRow {
  Value* start;
  int64_t distance;
  std::vector<Pair> pairs;

  llvm::Type* type() const { return pairs.front().operation->getType(); }
  // Sorts them by their addresses; true if there are no gaps and enough of them.
  bool isComplete() {
    std::ranges::sort(pairs, {}, &Pair::offset);
    for (size_t i = 1; i < pairs.size(); ++i) {
      if (pairs[i].offset - pairs[i - 1].offset != kAvx512Bytes) return false;
    }
    return pairs.size() >= kLeastPairs;
  }
};

class RowFinder {
 public:
  RowFinder(llvm::Function& function, llvm::FunctionAnalysisManager& analyses)
      : function_(function), analyses_(analyses) {}

  std::optional<PairedRow> find(BasicBlock& block) {
    std::vector<BinaryOperator*> operations;
    for (Instruction& instruction : block) {
      auto* operation = llvm::dyn_cast<BinaryOperator>(&instruction);
      if (operation != nullptr && isOfLoads(*operation)) operations.push_back(operation);
    }
    if (operations.size() < kLeastPairs) return std::nullopt;
    std::vector<PairedRow> rows;
    for (BinaryOperator* operation : operations) add(*operation, rows);
    for (PairedRow& row : rows) {
      if (row.isComplete()) return row;
    }
    return std::nullopt;
  }

 private:
  static bool isOfLoads(const BinaryOperator& operation) {
    const llvm::Type* type = operation.getType();
    if (!type->isVectorTy() || type->getPrimitiveSizeInBits().getFixedValue() != kAvx512Bytes * 8)
      return false;
    return llvm::all_of(operation.operands(), [&](const llvm::Use& operand) {
      const auto* load = llvm::dyn_cast<LoadInst>(operand.get());
      return load != nullptr && load->isSimple() && load->hasOneUse() &&
             load->getParent() == operation.getParent() &&
             !llvm::isa<llvm::AllocaInst>(llvm::getUnderlyingObject(load->getPointerOperand()));
    });
  }

  void add(BinaryOperator& operation, std::vector<PairedRow>& rows) {
    Pair pair{&operation, 0};
    Value* first = pair.load(0).getPointerOperand();
    const auto distance = bytesBetween(first, pair.load(1).getPointerOperand());
    if (!distance) return;
    for (PairedRow& row : rows) {
      const BinaryOperator& other = *row.pairs.front().operation;
      if (row.distance != *distance || other.getOpcode() != operation.getOpcode() ||
          other.getType() != operation.getType())
        continue;
      const auto offset = bytesBetween(row.start, first);
      if (!offset) continue;
      pair.offset = *offset;
      row.pairs.push_back(pair);
      return;
    }
    rows.push_back({first, *distance, {pair}});
  }

  std::optional<int64_t> bytesBetween(Value* from, Value* to) {
    auto& evolution = analyses_.getResult<llvm::ScalarEvolutionAnalysis>(function_);
    const llvm::SCEV* bytes = evolution.getMinusSCEV(evolution.getSCEV(to), evolution.getSCEV(from));
    const auto* known = llvm::dyn_cast<llvm::SCEVConstant>(bytes);
    return known == nullptr ? std::nullopt : known->getAPInt().trySExtValue();
  }

  llvm::Function& function_;
  llvm::FunctionAnalysisManager& analyses_;
};

llvm::IntrinsicInst* asPrefetch(Instruction& instruction) {
  auto* call = llvm::dyn_cast<llvm::IntrinsicInst>(&instruction);
  return call != nullptr && call->getIntrinsicID() == llvm::Intrinsic::prefetch ? call : nullptr;
}

// Reads a row in one loop, where its first result is used.
class RowReader {
 public:
  RowReader(BasicBlock& block, PairedRow& row) : block_(block), row_(row) {
    for (const Pair& pair : row.pairs) {
      members_.insert(pair.operation);
      for (const unsigned operand : {0u, 1u}) members_.insert(&pair.load(operand));
    }
  }

  // Nothing between a load and where it will be writes memory.
  bool canMove() {
    for (Instruction& instruction : block_) {
      if (members_.contains(&instruction)) inOrder_.push_back(&instruction);
      if (use_ == nullptr && (usesResult(instruction) || instruction.isTerminator())) use_ = &instruction;
      const bool isOver = inOrder_.size() == members_.size() && use_ != nullptr;
      if (inOrder_.empty() || isOver) continue;
      if (instruction.mayWriteToMemory() && asPrefetch(instruction) == nullptr) return false;
    }
    return true;
  }

  void read() {
    const llvm::SmallVector<llvm::IntrinsicInst*, 16> prefetches = prefetchesOfRow();
    BasicBlock* rest = llvm::SplitBlock(&block_, use_);
    BasicBlock* one = makeBlock("one.by.one", rest);
    BasicBlock* loop = makeBlock("row", rest);
    BasicBlock* done = makeBlock("row.read", rest);
    moveInto(*one, prefetches);
    const llvm::SmallVector<Value*, 16> looped = makeLoop(*loop, *done);
    llvm::BranchInst::Create(rest, one);
    llvm::BranchInst::Create(rest, done);
    IRBuilder<> builder(block_.getTerminator());
    Value* isTrained = loadRuntimeVariable(builder, kInstructionPrefetcherName);
    builder.CreateCondBr(builder.CreateIsNotNull(isTrained), loop, one);
    block_.getTerminator()->eraseFromParent();
    builder.SetInsertPoint(rest, rest->begin());
    for (size_t i = 0; i < row_.pairs.size(); ++i) {
      BinaryOperator* operation = row_.pairs[i].operation;
      llvm::PHINode* either = builder.CreatePHI(row_.type(), 2);
      operation->replaceAllUsesWith(either);
      either->addIncoming(operation, one);
      either->addIncoming(looped[i], done);
    }
  }

 private:
  bool usesResult(const Instruction& instruction) const {
    if (llvm::isa<llvm::PHINode>(instruction)) return false;
    return llvm::any_of(instruction.operands(), [&](const llvm::Use& operand) {
      const auto* operation = llvm::dyn_cast<BinaryOperator>(operand.get());
      return operation != nullptr && members_.contains(operation);
    });
  }

  BasicBlock* makeBlock(const char* name, BasicBlock* before) {
    return BasicBlock::Create(block_.getContext(), name, block_.getParent(), before);
  }

  llvm::SmallVector<llvm::IntrinsicInst*, 16> prefetchesOfRow() const {
    llvm::SmallVector<llvm::IntrinsicInst*, 16> prefetches;
    const Value* array = llvm::getUnderlyingObject(row_.start);
    for (Instruction& instruction : block_) {
      if (&instruction == use_) break;
      llvm::IntrinsicInst* prefetch = asPrefetch(instruction);
      if (prefetch != nullptr && llvm::getUnderlyingObject(prefetch->getArgOperand(0)) == array)
        prefetches.push_back(prefetch);
    }
    return prefetches;
  }

  // The unrolled loads, for processors whose prefetchers are trained by address, or unknown.
  void moveInto(BasicBlock& one, llvm::ArrayRef<llvm::IntrinsicInst*> prefetches) {
    IRBuilder<> builder(&one);
    for (llvm::IntrinsicInst* prefetch : prefetches) prefetch->moveBefore(one, one.end());
    for (const Pair& pair : row_.pairs) {
      for (const unsigned operand : {0u, 1u}) {
        pair.load(operand).setOperand(LoadInst::getPointerOperandIndex(),
                                      placeOf(pair.offset, operand, builder));
      }
    }
    for (Instruction* member : inOrder_) member->moveBefore(one, one.end());
  }

  Value* placeOf(int64_t offset, unsigned operand, IRBuilder<>& builder) const {
    return builder.CreatePtrAdd(row_.start, builder.getInt64(offset + (operand == 0 ? 0 : row_.distance)));
  }

  // The results, loaded in `done`.
  llvm::SmallVector<Value*, 16> makeLoop(BasicBlock& loop, BasicBlock& done) {
    constexpr uint64_t step = kAvx512Bytes;
    const uint64_t bytes = step * row_.pairs.size();
    llvm::AllocaInst* results = makeStack(bytes);
    IRBuilder<> builder(&loop);
    llvm::PHINode* at = builder.CreatePHI(builder.getInt64Ty(), 2);
    Value* operands[2];
    for (const unsigned operand : {0u, 1u}) {
      Value* row = builder.CreatePtrAdd(placeOf(row_.pairs.front().offset, operand, builder), at);
      operands[operand] = loadLikeAll(operand, *row, builder);
    }
    Instruction* result = row_.pairs.front().operation->clone();
    result->setOperand(0, operands[0]);
    result->setOperand(1, operands[1]);
    builder.Insert(result);
    for (const Pair& pair : row_.pairs) result->andIRFlags(pair.operation);
    builder.CreateAlignedStore(result, builder.CreatePtrAdd(results, at), llvm::Align(step));
    Value* next = builder.CreateNUWAdd(at, builder.getInt64(step));
    at->addIncoming(builder.getInt64(0), &block_);
    at->addIncoming(next, &loop);
    builder.CreateCondBr(builder.CreateICmpEQ(next, builder.getInt64(bytes)), &done, &loop);
    builder.SetInsertPoint(&done);
    llvm::SmallVector<Value*, 16> loaded;
    for (uint64_t i = 0; i < bytes; i += step) {
      Value* place = builder.CreatePtrAdd(results, builder.getInt64(i));
      loaded.push_back(builder.CreateAlignedLoad(row_.type(), place, llvm::Align(step)));
    }
    return loaded;
  }

  // One load for all of the pairs' loads, with the alignment and alias metadata that hold for each.
  LoadInst* loadLikeAll(unsigned operand, Value& place, IRBuilder<>& builder) const {
    llvm::Align alignment(kAvx512Bytes);
    llvm::AAMDNodes aliases = row_.pairs.front().load(operand).getAAMetadata();
    for (const Pair& pair : row_.pairs) {
      alignment = std::min(alignment, pair.load(operand).getAlign());
      aliases = aliases.merge(pair.load(operand).getAAMetadata());
    }
    LoadInst* load = builder.CreateAlignedLoad(row_.type(), &place, alignment);
    load->setAAMetadata(aliases);
    return load;
  }

  llvm::AllocaInst* makeStack(uint64_t bytes) {
    IRBuilder<> builder(&*block_.getParent()->getEntryBlock().begin());
    auto* stack = builder.CreateAlloca(llvm::ArrayType::get(builder.getInt8Ty(), bytes));
    stack->setAlignment(llvm::Align(kAvx512Bytes));
    return stack;
  }

  BasicBlock& block_;
  PairedRow& row_;
  llvm::SmallPtrSet<const Instruction*, 32> members_;  // loads and operations
  llvm::SmallVector<Instruction*, 32> inOrder_;
  Instruction* use_ = nullptr;  // the first of a result
};

}  // namespace

llvm::PreservedAnalyses RerollRowLoads::run(llvm::Function& function,
                                            llvm::FunctionAnalysisManager& analyses) {
  if (!function.hasFnAttribute(kBlockAttribute)) return llvm::PreservedAnalyses::all();
  RowFinder finder(function, analyses);
  bool changed = false;
  for (BasicBlock& block : llvm::make_early_inc_range(function)) {
    auto row = finder.find(block);
    if (!row) continue;
    RowReader reader(block, *row);
    if (!reader.canMove()) continue;
    reader.read();
    changed = true;
  }
  return changed ? llvm::PreservedAnalyses::none() : llvm::PreservedAnalyses::all();
}

}  // namespace musashim::mcc
