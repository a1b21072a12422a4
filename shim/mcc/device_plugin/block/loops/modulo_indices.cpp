//   for (each thread) a[i % n] = b[t & mask];      i = first + t
//
// becomes, for each strip of kStrip threads from t0 on,
//
//   if (i0 % n + kStrip <= n)                     i0 = first + t0
//     for (j) a[i0 % n + j] = b[(t0 & mask) + j];
//   else
//     for (j) a[(i0 + j) % n] = b[(t0 + j) & mask];
//
// if n is large, and mask ends in ones. Else, and behind the last whole strip, the loop runs as it was.
#include "modulo_indices.h"

#include <map>

#include "llvm/Analysis/ScalarEvolutionExpressions.h"
#include "llvm/Transforms/Utils/LoopSimplify.h"
#include "llvm/Transforms/Utils/LoopUtils.h"
#include "llvm/Transforms/Utils/ScalarEvolutionExpander.h"
#include "mcc/device_plugin/block/lockstep/guards.h"
#include "mcc/device_plugin/passes.h"
#include "modulo_operations.h"
#include "thread_loops.h"

namespace musashim::mcc {
namespace {

using llvm::BasicBlock;
using llvm::BinaryOperator;
using llvm::ConstantInt;
using llvm::Instruction;
using llvm::IRBuilder;
using llvm::Loop;
using llvm::PHINode;
using llvm::Value;

constexpr uint64_t kStrip = kModuloStrip;
constexpr uint64_t kLeastDivisor = kLeastModuloDivisor;

class Strips {
 public:
  Strips(const ModuloLoop& found, llvm::ScalarEvolution& evolution)
      : found_(found),
        loop_(found.loop),
        index_(found.index),
        function_(*loop_.getHeader()->getParent()),
        evolution_(evolution),
        builder_(function_.getContext()) {}

  // The analyses do not hold then.
  void run() {
    before_ = loop_.getLoopPreheader();
    llvm::Type* type = index_->getType();
    builder_.SetInsertPoint(before_->getTerminator());
    builder_.SetCurrentDebugLocation(loop_.getStartLoc());
    llvm::SCEVExpander expander(evolution_, function_.getDataLayout(), "threads");
    Value* last = expander.expandCodeFor(found_.backedgeTakenCount, found_.backedgeTakenCount->getType(),
                                         builder_.GetInsertPoint());
    Value* count = builder_.CreateZExtOrTrunc(last, type);
    count = builder_.CreateAdd(count, ConstantInt::get(type, 1), "", true, true);
    Value* strips = builder_.CreateUDiv(count, ConstantInt::get(type, kStrip));
    Value* start = index_->getIncomingValueForBlock(before_);
    require(builder_.CreateIsNotNull(strips));
    requireForAll(start);

    BasicBlock *rest = block("rest"), *first = block("strips");
    builder_.CreateCondBr(condition_, first, rest);
    before_->getTerminator()->eraseFromParent();
    builder_.SetInsertPoint(first);
    CountedLoop strip = openLoop(builder_, type, "strip");
    Value* base = builder_.CreateMul(strip.index, ConstantInt::get(type, kStrip), "", true, true);
    base = builder_.CreateAdd(base, start, "", true, true);
    condition_ = nullptr;
    const auto firsts = startStrip(base);
    BasicBlock *straight = block("straight.strip"), *wrapping = block("wrapping.strip"),
               *done = block("strip.end");
    if (condition_ == nullptr) condition_ = builder_.getTrue();
    builder_.CreateCondBr(condition_, straight, wrapping);
    builder_.SetInsertPoint(straight);
    emitStrip(base, firsts, done);
    builder_.SetInsertPoint(wrapping);
    emitStrip(base, {}, done);
    builder_.SetInsertPoint(done);
    closeLoop(builder_, strip, strips);
    Value* covered = builder_.CreateMul(strips, ConstantInt::get(type, kStrip), "", true, true);
    Value* next = builder_.CreateAdd(start, covered, "", true, true);
    builder_.CreateCondBr(builder_.CreateICmpEQ(covered, count), loop_.getExitBlock(), rest);
    BasicBlock* behind = builder_.GetInsertBlock();

    builder_.SetInsertPoint(rest);
    PHINode* restart = builder_.CreatePHI(type, 2);
    restart->addIncoming(start, before_);
    restart->addIncoming(next, behind);
    builder_.CreateBr(loop_.getHeader());
    const auto entry = static_cast<unsigned>(index_->getBasicBlockIndex(before_));
    index_->setIncomingBlock(entry, rest);
    index_->setIncomingValue(entry, restart);
  }

 private:
  BasicBlock* block(const llvm::Twine& name) {
    return BasicBlock::Create(function_.getContext(), name, &function_, loop_.getHeader());
  }

  void require(Value* condition) {
    condition_ = condition_ == nullptr ? condition : builder_.CreateAnd(condition_, condition);
  }

  static Value* number(const Value& like, uint64_t value) { return ConstantInt::get(like.getType(), value); }

  // What `value` is for the thread at `thread`, computed where `builder_` stands.
  Value* valueAt(Value* value, Value* thread, std::map<Value*, Value*>& known) {
    if (value == index_) return thread;
    if (loop_.isLoopInvariant(value)) return same(value);
    Value*& result = known[value];
    if (result != nullptr) return result;
    Instruction* copy = llvm::cast<Instruction>(value)->clone();
    for (llvm::Use& operand : copy->operands()) operand.set(valueAt(operand.get(), thread, known));
    copy->dropPoisonGeneratingFlags();
    copy->setDebugLoc(builder_.getCurrentDebugLocation());
    return known[value] = builder_.Insert(copy);
  }

  // Of values that may be anything, the same one at each use.
  Value* same(Value* value) {
    if (llvm::isa<llvm::Constant>(value)) return value;
    Value*& frozen = frozen_[value];
    if (frozen == nullptr) frozen = IRBuilder<>(before_->getTerminator()).CreateFreeze(value);
    return frozen;
  }

  // What holds for all strips or none.
  void requireForAll(Value* start) {
    std::map<Value*, Value*> known;
    for (BinaryOperator* masked : found_.zeroMasks)
      require(builder_.CreateIsNull(same(found_.maskOf(*masked))));
    for (const ModuloOperation& operation : found_.operations) {
      Value* other = same(operation.other);
      if (operation.isDivision()) {
        const uint64_t most = largestDivisor(operation);
        require(builder_.CreateICmpULT(builder_.CreateSub(other, number(*other, kLeastDivisor)),
                                       number(*other, most - kLeastDivisor)));
        continue;
      }
      Value* low = number(*other, operation.stripLength() - 1);
      Value* index = builder_.CreateFreeze(valueAt(operation.index, start, known));
      require(builder_.CreateIsNull(builder_.CreateAnd(index, low)));
      if (llvm::isa<llvm::Constant>(other)) continue;
      switch (operation.opcode()) {
        case Instruction::And:
          require(builder_.CreateICmpEQ(builder_.CreateAnd(other, low), low));
          break;
        case Instruction::Xor:
          require(builder_.CreateIsNull(builder_.CreateAnd(other, low)));
          break;
        default:
          require(builder_.CreateICmpULT(builder_.CreateSub(other, number(*other, 4)),
                                         number(*other, operation.bits() - 4)));
      }
    }
  }

  static uint64_t largestDivisor(const ModuloOperation& operation) {
    return uint64_t{1} << (operation.bits() - 2);
  }

  // The results for the first thread of a strip, and what they must be for the others to follow.
  llvm::SmallVector<Value*, 8> startStrip(Value* base) {
    std::map<Value*, Value*> known, indices;
    std::map<std::pair<Value*, Value*>, Value*> quotients;
    llvm::SmallVector<Value*, 8> firsts;
    for (const ModuloOperation& operation : found_.operations) {
      Value *&index = indices[operation.index], *other = same(operation.other);
      // Threads that do not come here may have no index.
      if (index == nullptr) index = builder_.CreateFreeze(valueAt(operation.index, base, known));
      if (!operation.isDivision()) {
        Value* first = builder_.CreateBinOp(operation.instruction->getOpcode(), index, other);
        // It is so; the analysis of the sum sees that it does not wrap.
        if (!operation.isSame) first = builder_.CreateAnd(first, number(*first, -operation.stripLength()));
        firsts.push_back(first);
        continue;
      }
      Value*& quotient = quotients[{index, other}];
      const bool isNew = quotient == nullptr;
      if (isNew) quotient = builder_.CreateUDiv(index, other);
      Value* remainder = builder_.CreateSub(index, builder_.CreateMul(quotient, other));
      if (isNew) {
        const uint64_t most = 2 * largestDivisor(operation) - kStrip;
        require(builder_.CreateICmpULE(index, number(*index, most)));
        require(builder_.CreateICmpULE(remainder, builder_.CreateSub(other, number(*other, kStrip))));
      }
      firsts.push_back(operation.isSame
                           ? quotient
                           : builder_.CreateAnd(remainder, number(*other, largestDivisor(operation) - 1)));
    }
    return firsts;
  }

  // A loop over a strip's threads: with sums in the place of operations where `firsts` has what they start
  // with.
  void emitStrip(Value* base, llvm::ArrayRef<Value*> firsts, BasicBlock* behind) {
    BasicBlock* from = builder_.GetInsertBlock();
    CountedLoop strip = openLoop(builder_, builder_.getInt32Ty(), firsts.empty() ? "wrapping" : "straight");
    PHINode* thread = builder_.CreatePHI(index_->getType(), 2);
    thread->addIncoming(base, from);
    llvm::ValueToValueMapTy map;
    const llvm::SmallVector<BasicBlock*, 8> blocks(loop_.blocks());
    cloneBlocks(blocks, map, firsts.empty() ? ".wrapping" : ".straight");
    builder_.CreateBr(llvm::cast<BasicBlock>(copyOf(loop_.getHeader(), map)));
    replace(map, index_, thread);
    if (!firsts.empty()) {
      for (size_t i = 0; i < found_.operations.size(); ++i) {
        auto* copy = llvm::cast<Instruction>(copyOf(found_.operations[i].instruction, map));
        hideStrides(*found_.operations[i].instruction, map);
        builder_.SetInsertPoint(copy);
        Value* result = firsts[i];
        if (const ModuloOperation& operation = found_.operations[i]; !operation.isSame) {
          Value* more = builder_.CreateZExt(strip.index, result->getType());
          if (operation.step != 1)
            more = builder_.CreateMul(more, number(*more, operation.step), "", true, true);
          result = builder_.CreateAdd(result, more, "", true, true);
        }
        replace(map, found_.operations[i].instruction, result);
      }
      for (BinaryOperator* masked : found_.zeroMasks) replace(map, masked, number(*masked, 0));
    }
    BasicBlock* next = block("next");
    Instruction* latch = llvm::cast<BasicBlock>(copyOf(loop_.getLoopLatch(), map))->getTerminator();
    llvm::BranchInst::Create(next, latch->getIterator());
    latch->eraseFromParent();
    builder_.SetInsertPoint(next);
    thread->addIncoming(builder_.CreateAdd(thread, number(*thread, 1), "", true, true), next);
    closeLoop(builder_, strip, builder_.getInt32(kStrip))
        ->setMetadata(llvm::LLVMContext::MD_loop, propertiesOfStrip(!firsts.empty()));
    builder_.CreateBr(behind);
  }

  // LLVM takes strides that it does not know for 1 and leaves others to a loop without vectors; but only
  // those that are no sum.
  void hideStrides(const Instruction& index, const llvm::ValueToValueMapTy& map) {
    for (const llvm::User* user : index.users()) {
      const auto* next = llvm::cast<Instruction>(user);
      if (llvm::isa<llvm::CastInst>(next)) hideStrides(*next, map);
      if (next->getOpcode() != Instruction::Mul) continue;
      auto* copy = llvm::cast<Instruction>(copyOf(const_cast<Instruction*>(next), map));
      for (const unsigned side : {0u, 1u}) {
        if (found_.isSameForAll(*next->getOperand(side)))
          copy->setOperand(side, sumOf(next->getOperand(side)));
      }
    }
  }

  Value* sumOf(Value* value) {
    Value*& sum = sums_[value];
    if (sum != nullptr) return sum;
    IRBuilder<> builder(before_->getTerminator());
    Value* half = builder.CreateShl(builder.CreateLShr(value, 1), 1);
    return sum = builder.CreateAdd(half, builder.CreateAnd(value, 1));
  }

  static void replace(llvm::ValueToValueMapTy& map, Instruction* original, Value* by) {
    const auto found = map.find(original);
    auto* copy = llvm::cast<Instruction>(static_cast<Value*>(found->second));
    copy->replaceAllUsesWith(by);
    copy->eraseFromParent();
    map.erase(found);
  }

  // Those of the loop; what is straight becomes vectors, whatever the cost model says.
  llvm::MDNode* propertiesOfStrip(bool isStraight) {
    llvm::LLVMContext& context = function_.getContext();
    llvm::MDNode* known = loop_.getLoopID();
    llvm::SmallVector<llvm::Metadata*, 6> properties(known->op_begin(), known->op_end());
    if (isStraight) {
      properties.push_back(
          llvm::MDNode::get(context, {llvm::MDString::get(context, "llvm.loop.vectorize.enable"),
                                      llvm::ConstantAsMetadata::get(builder_.getTrue())}));
    }
    llvm::MDNode* own = llvm::MDNode::getDistinct(context, properties);
    own->replaceOperandWith(0, own);
    return own;
  }

  const ModuloLoop& found_;
  Loop& loop_;
  PHINode* index_;
  llvm::Function& function_;
  llvm::ScalarEvolution& evolution_;
  IRBuilder<> builder_;
  BasicBlock* before_ = nullptr;
  Value* condition_ = nullptr;
  std::map<Value*, Value*> frozen_, sums_;
};

}  // namespace

llvm::PreservedAnalyses ModuloIndices::run(llvm::Function& function,
                                           llvm::FunctionAnalysisManager& analyses) {
  if (function.hasOptSize() || function.hasOptNone() || function.hasFnAttribute(kColdAttribute))
    return llvm::PreservedAnalyses::all();
  llvm::SmallVector<BasicBlock*, 8> headers;
  for (Loop* loop : analyses.getResult<llvm::LoopAnalysis>(function).getLoopsInPreorder()) {
    if (loop->isInnermost() && isOverThreads(*loop)) headers.push_back(loop->getHeader());
  }
  bool changed = false;
  for (BasicBlock* header : headers) {
    auto& loops = analyses.getResult<llvm::LoopAnalysis>(function);
    auto& evolution = analyses.getResult<llvm::ScalarEvolutionAnalysis>(function);
    Loop* loop = loops.getLoopFor(header);
    const auto found = findModuloOperations(*loop, evolution);
    if (!found) continue;
    changed |= llvm::simplifyLoop(loop, &analyses.getResult<llvm::DominatorTreeAnalysis>(function), &loops,
                                  &evolution, nullptr, nullptr, /*PreserveLCSSA=*/false);
    if (!loop->isLoopSimplifyForm() || !loop->getExitBlock()->phis().empty()) continue;
    Strips(*found, evolution).run();
    analyses.invalidate(function, llvm::PreservedAnalyses::none());
    changed = true;
  }
  return changed ? llvm::PreservedAnalyses::none() : llvm::PreservedAnalyses::all();
}

}  // namespace musashim::mcc
