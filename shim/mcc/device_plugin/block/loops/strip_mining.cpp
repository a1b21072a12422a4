// Strip mining of divergent loops: the threads of a strip run the loop in lockstep, with a mask, until the
// last one is done.
//
//   for (each thread) { before; do { body } while (mine); after }
//
// becomes, for each strip,
//
//   for (each) before
//   do { for (each active one) body } while (any is active)
//   for (each) after
//
// Values that pass between the parts are kept in arrays of an element per thread (scalar expansion). They
// become registers once the loops over a strip are vectors. Only for bodies of arithmetic, which cost nothing
// but time where a thread is done.
#include "divergent_loop.h"
#include "llvm/Transforms/Utils/ScalarEvolutionExpander.h"
#include "mcc/device_plugin/block/lockstep/guards.h"
#include "thread_loops.h"

namespace musashim::mcc {
namespace {

using llvm::BasicBlock;
using llvm::BranchInst;
using llvm::Instruction;
using llvm::IRBuilder;
using llvm::PHINode;
using llvm::Value;
using Edge = DivergentLoop::Edge;

constexpr unsigned kMostKept = 12;  // arrays
constexpr unsigned kMostEdges = 4;  // into the body, and past it

// A value of each thread that passes between the parts.
struct Kept {
  Value* source;
  llvm::AllocaInst* array;
  llvm::Type* type;  // of an element

  Value* address(IRBuilder<>& builder, Value* thread) const {
    return builder.CreateInBoundsGEP(type, array, builder.CreateZExt(thread, builder.getInt64Ty()));
  }
  Value* load(IRBuilder<>& builder, Value* thread) const {
    Value* value = builder.CreateLoad(type, address(builder, thread));
    return type == source->getType() ? value : builder.CreateTrunc(value, source->getType());
  }
  void store(IRBuilder<>& builder, Value* value, Value* thread) const {
    if (type != value->getType()) value = builder.CreateZExt(value, type);
    builder.CreateStore(value, address(builder, thread));
  }
};

// A loop over the threads of a strip.
struct ThreadLoop {
  CountedLoop loop;
  PHINode* thread;  // the index in the loop over all threads
};

class StripMining {
 public:
  StripMining(const DivergentLoop& loop, llvm::DominatorTree& dominators, llvm::ScalarEvolution& evolution)
      : loop_(loop),
        function_(*loop.threads.getHeader()->getParent()),
        dominators_(dominators),
        evolution_(evolution),
        builder_(function_.getContext()) {}

  void run() {
    keepAll();
    if (kept_.size() <= kMostKept && loop_.edges.size() <= kMostEdges) transform();
  }

 private:
  using Map = llvm::ValueToValueMapTy;

  void keepAll() {
    for (PHINode& phi : loop_.body.getHeader()->phis()) states_.push_back(keep(phi));
    for (PHINode& phi : loop_.exit->phis()) results_.push_back(keep(phi));
    for (BasicBlock* block : loop_.before) {
      for (Instruction& instruction : *block) {
        if (&instruction != loop_.index && isUsedLater(instruction)) given_.push_back(keep(instruction));
      }
    }
    goesOn_ = keep(*builder_.getInt32(1));
    if (loop_.edges.size() > 1) edge_ = keep(*builder_.getInt32(0));
  }

  // Used by a later part, other than as the start of the body's phis.
  bool isUsedLater(const Instruction& instruction) const {
    return llvm::any_of(instruction.uses(), [&](const llvm::Use& use) {
      const auto* user = llvm::cast<Instruction>(use.getUser());
      const auto* phi = llvm::dyn_cast<PHINode>(user);
      if (phi != nullptr && phi->getParent() == loop_.body.getHeader())
        return phi->getIncomingBlock(use) != loop_.preheader;
      return !llvm::is_contained(loop_.before, user->getParent());
    });
  }

  size_t keep(Value& source) {
    llvm::Type* type = source.getType()->isIntegerTy(1) ? builder_.getInt32Ty() : source.getType();
    IRBuilder<> entry(&*function_.getEntryBlock().getFirstInsertionPt());
    llvm::AllocaInst* array = entry.CreateAlloca(llvm::ArrayType::get(type, loop_.stripThreads()));
    array->setAlignment(llvm::Align(loop_.vectorBits / 8));
    kept_.push_back({&source, array, type});
    return kept_.size() - 1;
  }

  BasicBlock* block(const llvm::Twine& name) {
    return BasicBlock::Create(function_.getContext(), name, &function_, loop_.threads.getHeader());
  }

  // Copies in which `map`'s values stand for what it has.
  static void copy(llvm::ArrayRef<BasicBlock*> blocks, Map& map, llvm::StringRef suffix) {
    llvm::SmallVector<std::pair<Value*, Value*>, 8> given;
    for (const auto& [from, to] : map) given.emplace_back(const_cast<Value*>(from), to);
    cloneBlocks(blocks, map, suffix);
    for (const auto& [from, to] : given) {
      Value* copied = map[from];
      if (copied == to) continue;
      copied->replaceAllUsesWith(to);
      llvm::cast<Instruction>(copied)->eraseFromParent();
      map[from] = to;
    }
  }

  static BasicBlock* blockCopy(BasicBlock* value, const Map& map) {
    return llvm::cast<BasicBlock>(copyOf(value, map));
  }

  ThreadLoop open(const llvm::Twine& name, Value* base) {
    BasicBlock* from = builder_.GetInsertBlock();
    ThreadLoop threadLoop{openLoop(builder_, builder_.getInt32Ty(), name), nullptr};
    threadLoop.thread = builder_.CreatePHI(loop_.index->getType(), 2);
    threadLoop.thread->addIncoming(base, from);
    return threadLoop;
  }

  BranchInst* close(ThreadLoop& threadLoop) {
    Value* next = builder_.CreateAdd(threadLoop.thread, llvm::ConstantInt::get(loop_.index->getType(), 1), "",
                                     true, true);
    threadLoop.thread->addIncoming(next, builder_.GetInsertBlock());
    return closeLoop(builder_, threadLoop.loop, builder_.getInt32(loop_.stripThreads()));
  }

  // With the properties of the loop over all threads.
  void closeLikeThreads(ThreadLoop& threadLoop) {
    llvm::MDNode* known = loop_.threads.getLoopID();
    const llvm::SmallVector<llvm::Metadata*, 4> properties(known->op_begin(), known->op_end());
    llvm::MDNode* own = llvm::MDNode::getDistinct(function_.getContext(), properties);
    own->replaceOperandWith(0, own);
    close(threadLoop)->setMetadata(llvm::LLVMContext::MD_loop, own);
  }

  void transform() {
    BasicBlock* before = loop_.threads.getLoopPreheader();
    llvm::Type* type = loop_.index->getType();
    builder_.SetInsertPoint(before->getTerminator());
    builder_.SetCurrentDebugLocation(loop_.threads.getStartLoc());
    llvm::SCEVExpander expander(evolution_, function_.getDataLayout(), "threads");
    Value* last = expander.expandCodeFor(loop_.backedgeTakenCount, loop_.backedgeTakenCount->getType(),
                                         builder_.GetInsertPoint());
    Value* count = builder_.CreateZExtOrTrunc(last, type);
    count = builder_.CreateAdd(count, llvm::ConstantInt::get(type, 1), "", true, true);
    Value* strips = builder_.CreateUDiv(count, llvm::ConstantInt::get(type, loop_.stripThreads()));
    Value* start = loop_.index->getIncomingValueForBlock(before);

    // Remainder loop: threads that do not fill a strip run the loop as it was.
    BasicBlock* rest = block("rest");
    BasicBlock* first = block("strips");
    builder_.CreateCondBr(builder_.CreateIsNull(strips), rest, first);
    before->getTerminator()->eraseFromParent();
    builder_.SetInsertPoint(first);
    CountedLoop strip = openLoop(builder_, type, "strip");
    Value* base =
        builder_.CreateMul(strip.index, llvm::ConstantInt::get(type, loop_.stripThreads()), "", true, true);
    base = builder_.CreateAdd(base, start, "", true, true);
    emitBefore(base);
    emitBody(base);
    emitAfter(base);
    closeLoop(builder_, strip, strips);
    Value* done =
        builder_.CreateMul(strips, llvm::ConstantInt::get(type, loop_.stripThreads()), "", true, true);
    Value* next = builder_.CreateAdd(start, done, "", true, true);
    builder_.CreateCondBr(builder_.CreateICmpEQ(done, count), loop_.threads.getExitBlock(), rest);
    BasicBlock* behind = builder_.GetInsertBlock();

    builder_.SetInsertPoint(rest);
    PHINode* restart = builder_.CreatePHI(type, 2);
    restart->addIncoming(start, before);
    restart->addIncoming(next, behind);
    builder_.CreateBr(loop_.threads.getHeader());
    const auto entry = static_cast<unsigned>(loop_.index->getBasicBlockIndex(before));
    loop_.index->setIncomingBlock(entry, rest);
    loop_.index->setIncomingValue(entry, restart);
  }

  void emitBefore(Value* base) {
    ThreadLoop threadLoop = open("before", base);
    Map map;
    map[loop_.index] = threadLoop.thread;
    copy(loop_.before, map, ".before");
    builder_.CreateBr(blockCopy(loop_.threads.getHeader(), map));
    BasicBlock* joined = block("keep");
    for (const Edge& taken : loop_.edges) {
      BasicBlock* edge = block("edge");
      BranchInst::Create(joined, edge);
      blockCopy(taken.from, map)->getTerminator()->replaceSuccessorWith(taken.to, edge);
      arrivals_.push_back(edge);
    }
    builder_.SetInsertPoint(joined);
    llvm::SmallVector<std::pair<size_t, Value*>, 8> values;
    for (size_t state : states_) {
      auto* phi = llvm::cast<PHINode>(kept_[state].source);
      Value* start = copyOf(phi->getIncomingValueForBlock(loop_.preheader), map);
      values.emplace_back(
          state, joinEdges(phi->getType(), [&](size_t taken) { return taken == 0 ? start : nullptr; }));
    }
    for (size_t given : given_) {
      auto* source = llvm::cast<Instruction>(kept_[given].source);
      Value* value = copyOf(source, map);
      values.emplace_back(
          given, joinEdges(source->getType(), [&](size_t taken) {
            return dominators_.dominates(source->getParent(), loop_.edges[taken].from) ? value : nullptr;
          }));
    }
    const auto number = [&](size_t taken) { return builder_.getInt32(static_cast<uint32_t>(taken)); };
    const auto enters = [&](size_t taken) { return builder_.getInt32(taken == 0); };
    values.emplace_back(goesOn_, joinEdges(builder_.getInt32Ty(), enters));
    if (loop_.edges.size() > 1) values.emplace_back(edge_, joinEdges(builder_.getInt32Ty(), number));
    for (const auto& [index, value] : values) kept_[index].store(builder_, value, threadLoop.loop.index);
    closeLikeThreads(threadLoop);
  }

  // A phi of the edges out of the first part; a null value: unused on that edge.
  Value* joinEdges(llvm::Type* type, llvm::function_ref<Value*(size_t taken)> valueOf) {
    PHINode* phi = PHINode::Create(type, 2, "", builder_.GetInsertBlock()->getFirstNonPHIIt());
    for (size_t taken = 0; taken < loop_.edges.size(); ++taken) {
      Value* value = valueOf(taken);
      phi->addIncoming(value != nullptr ? value : llvm::PoisonValue::get(type), arrivals_[taken]);
    }
    return phi;
  }

  void emitBody(Value* base) {
    BasicBlock* iteration = block("iteration");
    builder_.CreateBr(iteration);
    builder_.SetInsertPoint(iteration);
    ThreadLoop threadLoop = open("body", base);
    PHINode* any = builder_.CreatePHI(builder_.getInt32Ty(), 2);
    any->addIncoming(builder_.getInt32(0), iteration);
    Map map;
    map[loop_.index] = threadLoop.thread;
    for (const auto& list : {states_, given_}) {
      for (size_t i : list) map[kept_[i].source] = kept_[i].load(builder_, threadLoop.loop.index);
    }
    // The next states, which are unused for threads that are done; then the results, which stay as they are
    // for the others.
    llvm::SmallVector<Value*, 8> found;
    for (size_t state : states_) found.push_back(llvm::PoisonValue::get(kept_[state].source->getType()));
    for (size_t result : results_) found.push_back(kept_[result].load(builder_, threadLoop.loop.index));
    Value* goesOn = builder_.CreateIsNotNull(kept_[goesOn_].load(builder_, threadLoop.loop.index));
    const llvm::SmallVector<BasicBlock*, 8> blocks(loop_.body.blocks());
    copy(blocks, map, ".body");

    BasicBlock* joined = block("joined");
    llvm::SmallVector<PHINode*, 8> now;
    IRBuilder<> phis(joined);
    for (Value* value : found) now.push_back(phis.CreatePHI(value->getType(), 4));
    PHINode* more = phis.CreatePHI(phis.getInt32Ty(), 4);
    const auto arrive = [&](BasicBlock* from, auto&& valueOf, bool again) {
      for (size_t i = 0; i < now.size(); ++i) now[i]->addIncoming(valueOf(i), from);
      more->addIncoming(phis.getInt32(again), from);
    };
    arrive(builder_.GetInsertBlock(), [&](size_t i) { return found[i]; }, false);
    builder_.CreateCondBr(goesOn, blockCopy(loop_.body.getHeader(), map), joined);

    const auto leave = [&](BasicBlock* from, BasicBlock* to, auto&& valueOf, bool again) {
      BasicBlock* edge = block("leave");
      BranchInst::Create(joined, edge);
      blockCopy(from, map)->getTerminator()->replaceSuccessorWith(to, edge);
      arrive(edge, valueOf, again);
    };
    BasicBlock* latch = loop_.body.getLoopLatch();
    leave(
        latch, blockCopy(loop_.body.getHeader(), map),
        [&](size_t i) {
          if (i >= states_.size()) return found[i];
          return copyOf(llvm::cast<PHINode>(kept_[states_[i]].source)->getIncomingValueForBlock(latch), map);
        },
        true);
    llvm::SmallVector<BasicBlock*, 4> exiting;
    loop_.body.getExitingBlocks(exiting);
    for (BasicBlock* from : exiting) {
      leave(
          from, loop_.exit,
          [&](size_t i) {
            if (i < states_.size()) return found[i];
            auto* phi = llvm::cast<PHINode>(kept_[results_[i - states_.size()]].source);
            return copyOf(phi->getIncomingValueForBlock(from), map);
          },
          false);
    }

    builder_.SetInsertPoint(joined);
    for (size_t i = 0; i < now.size(); ++i) {
      kept_[i < states_.size() ? states_[i] : results_[i - states_.size()]].store(builder_, now[i],
                                                                                  threadLoop.loop.index);
    }
    kept_[goesOn_].store(builder_, more, threadLoop.loop.index);
    Value* anyNow = builder_.CreateOr(any, more);
    any->addIncoming(anyNow, joined);
    close(threadLoop)->setMetadata(llvm::LLVMContext::MD_loop, vectorsAtOnce());
    BasicBlock* end = block("end");
    builder_.CreateCondBr(builder_.CreateIsNotNull(anyNow), iteration, end);
    builder_.SetInsertPoint(end);
  }

  // Vectorises the whole strip, whatever the cost model says.
  llvm::MDNode* vectorsAtOnce() {
    llvm::LLVMContext& context = function_.getContext();
    const auto property = [&](const char* name, llvm::Constant* value) -> llvm::Metadata* {
      return llvm::MDNode::get(context,
                               {llvm::MDString::get(context, name), llvm::ConstantAsMetadata::get(value)});
    };
    const unsigned width = loop_.vectorBits / std::max(loop_.widestBits, 32u);
    llvm::MDNode* loop = llvm::MDNode::getDistinct(
        context, {nullptr, property("llvm.loop.vectorize.enable", builder_.getTrue()),
                  property("llvm.loop.vectorize.width", builder_.getInt32(width)),
                  property("llvm.loop.interleave.count", builder_.getInt32(loop_.stripThreads() / width))});
    loop->replaceOperandWith(0, loop);
    return loop;
  }

  void emitAfter(Value* base) {
    ThreadLoop threadLoop = open("after", base);
    Map map;
    map[loop_.index] = threadLoop.thread;
    for (const auto& list : {results_, given_}) {
      for (size_t i : list) map[kept_[i].source] = kept_[i].load(builder_, threadLoop.loop.index);
    }
    copy(loop_.after, map, ".after");
    enterAfter(map, threadLoop.loop.index);
    BasicBlock* next = block("next");
    Instruction* latch = blockCopy(loop_.threads.getLoopLatch(), map)->getTerminator();
    BranchInst::Create(next, latch->getIterator());
    latch->eraseFromParent();
    builder_.SetInsertPoint(next);
    closeLikeThreads(threadLoop);
  }

  // Branches to the body's exit, or to where the edge past the body leads.
  void enterAfter(Map& map, Value* thread) {
    Value* taken = loop_.edges.size() > 1 ? kept_[edge_].load(builder_, thread) : nullptr;
    for (uint32_t i = 1; i < loop_.edges.size(); ++i) {
      BasicBlock* past = block("past");
      BasicBlock* target = blockCopy(loop_.edges[i].to, map);
      BranchInst::Create(target, past);
      for (PHINode& phi : target->phis()) phi.replaceIncomingBlockWith(loop_.edges[i].from, past);
      BasicBlock* others = block("others");
      builder_.CreateCondBr(builder_.CreateICmpEQ(taken, builder_.getInt32(i)), past, others);
      builder_.SetInsertPoint(others);
    }
    builder_.CreateBr(blockCopy(loop_.exit, map));
  }

  const DivergentLoop& loop_;
  llvm::Function& function_;
  llvm::DominatorTree& dominators_;
  llvm::ScalarEvolution& evolution_;
  IRBuilder<> builder_;
  std::vector<Kept> kept_;
  // Indices of `kept_`: the body's phis, what it leaves behind, what comes from before it.
  llvm::SmallVector<size_t, 8> states_, results_, given_;
  size_t goesOn_ = 0, edge_ = 0;
  llvm::SmallVector<BasicBlock*, 2> arrivals_;  // blocks of the edges out of the copied first part
};

}  // namespace

void stripMine(const DivergentLoop& loop, llvm::DominatorTree& dominators, llvm::ScalarEvolution& evolution) {
  StripMining(loop, dominators, evolution).run();
}

}  // namespace musashim::mcc
