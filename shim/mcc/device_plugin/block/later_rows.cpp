// Asks for what blocks soon to come will read and write. Processors fetch ahead what goes on in the order of
// addresses; where each warp takes pieces of its block's row, or a block takes a tile, it goes to and fro.
// Blocks are run in their order, and one that comes soon does as this one does: its addresses are this one's
// with another blockIdx.x. (Layer norm of rows of 4 KiB in memory: 2.1 times as fast on Zen 5, with reads
// alone 1.4; rows in the second cache: no difference. Tiles of a transpose: 1.06 times as fast; of a
// stencil: 1.08.)
#include <algorithm>

#include "../device_builtins.h"
#include "../passes.h"
#include "lane_loops.h"
#include "llvm/Analysis/LoopAccessAnalysis.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/ScalarEvolution.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/Transforms/Utils/LoopUtils.h"
#include "row_loops.h"

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
constexpr uint64_t kMostLines = 8;  // of a row: processors do well with longer ones
constexpr int64_t kMostMembers = 4;
constexpr unsigned kMostSteps = 64;  // of the calculation of an address

bool isBlockIdxX(const Value& value) {
  const auto* load = llvm::dyn_cast<llvm::LoadInst>(&value);
  if (load == nullptr || !load->hasMetadata(llvm::LLVMContext::MD_invariant_load)) return false;
  const llvm::DataLayout& layout = load->getDataLayout();
  const llvm::StructLayout* fields = layout.getStructLayout(blockContextType(load->getContext()));
  llvm::APInt offset(64, 0);
  const Value* base = load->getPointerOperand()->stripAndAccumulateConstantOffsets(layout, offset, true);
  if (offset != fields->getElementOffset(kBlockIdxField).getFixedValue()) return false;
  // The block's context is a parameter, or the first that a parameter points to.
  const auto* context = llvm::dyn_cast<llvm::LoadInst>(base);
  return llvm::isa<llvm::Argument>(context != nullptr ? context->getPointerOperand() : base);
}

// May be done once more, elsewhere and with other operands.
bool isPure(const Instruction& instruction) {
  return llvm::isa<llvm::BinaryOperator, llvm::CastInst, llvm::GetElementPtrInst, llvm::CmpInst,
                   llvm::SelectInst>(instruction) &&
         !instruction.isIntDivRem();
}

// The loop around `row`, or itself, whose index `phi` may be; null: it comes from elsewhere.
const Loop* loopOf(const llvm::PHINode& phi, const Loop& row) {
  const Loop* loop = &row;
  while (loop != nullptr && loop->getHeader() != phi.getParent()) loop = loop->getParentLoop();
  return loop;
}

// What an address in a loop over a row of threads depends on.
class Address {
 public:
  Address(Value& pointer, const Loop& row) : row_(row) { visit(&pointer); }

  bool isKnownForOthers() const { return isClear_ && namesBlock_; }
  bool goesToAndFro() const { return namesRound_; }

 private:
  void visit(const Value* value) {
    const auto* instruction = llvm::dyn_cast<Instruction>(value);
    if (instruction == nullptr || !seen_.insert(instruction).second) return;
    if (seen_.size() > kMostSteps) {
      isClear_ = false;
    } else if (isBlockIdxX(*instruction)) {
      namesBlock_ = true;
    } else if (const auto* phi = llvm::dyn_cast<llvm::PHINode>(instruction)) {
      const Loop* loop = loopOf(*phi, row_);
      namesRound_ |= loop != nullptr && loop != &row_;
      isClear_ &= loop != nullptr || !row_.contains(instruction);
    } else if (isPure(*instruction)) {
      for (const llvm::Use& operand : instruction->operands()) visit(operand.get());
    } else {
      isClear_ &= !row_.contains(instruction);  // an index that was read, say
    }
  }

  const Loop& row_;
  llvm::SmallPtrSet<const Instruction*, 16> seen_;
  bool isClear_ = true, namesBlock_ = false, namesRound_ = false;
};

// Values as the first thread of the row has them in the block to come.
class LaterBlock {
 public:
  LaterBlock(const Loop& row, uint32_t blocksAhead, llvm::IRBuilder<>& builder)
      : row_(row), blocksAhead_(blocksAhead), builder_(builder) {}

  Value* of(Value* value) {
    auto* instruction = llvm::dyn_cast<Instruction>(value);
    if (instruction == nullptr) return value;
    const auto [place, isNew] = known_.try_emplace(instruction, nullptr);
    if (!isNew) return place->second;
    return known_[instruction] = made(*instruction);
  }

 private:
  Value* made(Instruction& instruction) {
    if (isBlockIdxX(instruction)) return builder_.CreateAdd(&instruction, builder_.getInt32(blocksAhead_));
    if (auto* phi = llvm::dyn_cast<llvm::PHINode>(&instruction);
        phi != nullptr && loopOf(*phi, row_) == &row_)
      return phi->getIncomingValueForBlock(row_.getLoopPreheader());
    if (!isPure(instruction)) return &instruction;
    bool isOther = row_.contains(&instruction);
    llvm::SmallVector<Value*, 4> operands;
    for (const llvm::Use& operand : instruction.operands()) {
      operands.push_back(of(operand.get()));
      isOther |= operands.back() != operand.get();
    }
    return isOther ? copyWith(instruction, operands) : &instruction;
  }

  Value* copyWith(const Instruction& instruction, llvm::ArrayRef<Value*> operands) {
    Instruction* copy = instruction.clone();
    for (unsigned i = 0; i < operands.size(); ++i) copy->setOperand(i, operands[i]);
    copy->dropPoisonGeneratingFlags();  // nobody promised that sums do not overflow beyond the last block
    return builder_.Insert(copy);
  }

  const Loop& row_;
  const uint32_t blocksAhead_;
  llvm::IRBuilder<>& builder_;
  llvm::DenseMap<const Instruction*, Value*> known_;
};

class Requests {
 public:
  Requests(llvm::Function& function, llvm::FunctionAnalysisManager& analyses)
      : evolution_(analyses.getResult<llvm::ScalarEvolutionAnalysis>(function)),
        dominators_(analyses.getResult<llvm::DominatorTreeAnalysis>(function)),
        loops_(analyses.getResult<llvm::LoopAnalysis>(function)),
        byTiles_(function.hasFnAttribute(kBlockAttribute)) {}

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
        if (const uint64_t bytes = bytesToAskFor(instruction, row))
          requests_.push_back({&row, &instruction, bytes});
      }
    }
  }

  // True when the function was changed.
  bool add() {
    const uint32_t ahead = blocksAhead();
    if (ahead == 0) return false;
    bool changed = false;
    for (const Request& request : requests_) {
      Loop& row = *request.row;
      llvm::BasicBlock* before = row.getLoopPreheader();
      if (before == nullptr)
        before = llvm::InsertPreheaderForLoop(&row, &dominators_, &loops_, nullptr, false);
      if (before == nullptr) continue;
      llvm::IRBuilder<> builder(before->getTerminator());
      add(request, ahead, builder);
      changed = true;
    }
    return changed;
  }

 private:
  struct Request {
    Loop* row;
    Instruction* access;
    uint64_t bytes;
  };

  // Of the row; 0: nothing is to be gained. Each array once, where it is met first: after that it is near.
  uint64_t bytesToAskFor(Instruction& access, Loop& row) {
    Value* pointer = llvm::getLoadStorePointerOperand(&access);
    if (pointer == nullptr || access.isAtomic() || access.isVolatile()) return 0;
    const Value* array = llvm::getUnderlyingObject(pointer);
    if (llvm::isa<llvm::AllocaInst>(array) || asked_.contains(array)) return 0;
    const Address address(*pointer, row);
    if (!address.isKnownForOthers() || !address.goesToAndFro()) return 0;
    if (byTiles_ && rowsOf(*pointer, row) == 0) return 0;
    const uint64_t bytes = bytesOf(access, *pointer, row);
    return bytes <= kMostLines * kLineBytes && asked_.insert(array).second ? bytes : 0;
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

  // How often a block comes to the row's place in its code, each time in another row of the array; 0: not
  // known, or it goes on in the same row.
  uint64_t rowsOf(Value& pointer, const Loop& row) {
    uint64_t rows = 1;
    for (const Loop* loop = row.getParentLoop(); loop != nullptr; loop = loop->getParentLoop()) {
      rows *= goesByRows(pointer, *loop, evolution_) ? evolution_.getSmallConstantTripCount(loop) : 0;
    }
    return rows;
  }

  // 0: blocks are too large, or of unknown size.
  uint32_t blocksAhead() {
    if (!byTiles_) return kBlocksAhead;
    uint64_t bytes = 0;
    for (const Request& request : requests_) {
      bytes += request.bytes * rowsOf(*llvm::getLoadStorePointerOperand(request.access), *request.row);
    }
    if (bytes == 0 || bytes > kLargestTile) return 0;
    return static_cast<uint32_t>(std::clamp<uint64_t>(kTileBytes / bytes, 1, kMostTiles));
  }

  static void add(const Request& request, uint32_t ahead, llvm::IRBuilder<>& builder) {
    Value* start =
        LaterBlock(*request.row, ahead, builder).of(llvm::getLoadStorePointerOperand(request.access));
    Value* isWrite = builder.getInt32(llvm::isa<llvm::StoreInst>(request.access) ? 1 : 0);
    Value *nearest = builder.getInt32(3), *isData = builder.getInt32(1);
    for (uint64_t at = 0; at < request.bytes; at += kLineBytes) {
      Value* line = builder.CreatePtrAdd(start, builder.getInt64(at));
      builder.CreateIntrinsic(llvm::Intrinsic::prefetch, {line->getType()}, {line, isWrite, nearest, isData});
    }
  }

  llvm::ScalarEvolution& evolution_;
  llvm::DominatorTree& dominators_;
  llvm::LoopInfo& loops_;
  const bool byTiles_;
  llvm::SmallPtrSet<const Value*, 8> asked_;
  llvm::SmallVector<Request, 4> requests_;
};

}  // namespace

llvm::PreservedAnalyses LaterRows::run(llvm::Function& function, llvm::FunctionAnalysisManager& analyses) {
  Requests requests(function, analyses);
  for (Loop* row : requests.rows(function)) requests.find(*row);
  return requests.add() ? llvm::PreservedAnalyses::none() : llvm::PreservedAnalyses::all();
}

}  // namespace musashim::mcc
