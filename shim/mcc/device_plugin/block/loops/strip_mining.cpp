// Loops that the threads of a vector leave at different times: they go on until the last one is done.
//
//   for (each thread) { before; do { body } while (mine); after }
//
// becomes, for some threads at a time,
//
//   for (each) before
//   do { for (each that goes on) body } while (any goes on)
//   for (each) after
//
// What passes from part to part is kept in arrays of an element per thread, which end in registers once
// the loops over threads are vectors. Only for bodies of arithmetic: they cost nothing but time where
// a thread is done.
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
using Way = DivergentLoop::Way;

constexpr unsigned kMostKept = 12;  // arrays
constexpr unsigned kMostWays = 4;   // into the body, and past it

// A value of each thread between the parts.
struct Kept {
  Value* source;
  llvm::AllocaInst* array;
  llvm::Type* type;  // of an element

  Value* address(IRBuilder<>& builder, Value* lane) const {
    return builder.CreateInBoundsGEP(type, array, builder.CreateZExt(lane, builder.getInt64Ty()));
  }
  Value* load(IRBuilder<>& builder, Value* lane) const {
    Value* value = builder.CreateLoad(type, address(builder, lane));
    return type == source->getType() ? value : builder.CreateTrunc(value, source->getType());
  }
  void store(IRBuilder<>& builder, Value* value, Value* lane) const {
    if (type != value->getType()) value = builder.CreateZExt(value, type);
    builder.CreateStore(value, address(builder, lane));
  }
};

// A loop over the threads that go together.
struct Part {
  CountedLoop loop;
  PHINode* thread;  // of the loop over all threads: its index
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
    if (kept_.size() <= kMostKept && loop_.ways.size() <= kMostWays) transform();
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
    if (loop_.ways.size() > 1) way_ = keep(*builder_.getInt32(0));
  }

  // Other than as a start value.
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

  // Copies that take `map`'s values for what it has, and each other.
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

  Part open(const llvm::Twine& name, Value* base) {
    BasicBlock* from = builder_.GetInsertBlock();
    Part part{openLoop(builder_, builder_.getInt32Ty(), name), nullptr};
    part.thread = builder_.CreatePHI(loop_.index->getType(), 2);
    part.thread->addIncoming(base, from);
    return part;
  }

  BranchInst* close(Part& part) {
    Value* next =
        builder_.CreateAdd(part.thread, llvm::ConstantInt::get(loop_.index->getType(), 1), "", true, true);
    part.thread->addIncoming(next, builder_.GetInsertBlock());
    return closeLoop(builder_, part.loop, builder_.getInt32(loop_.stripThreads()));
  }

  // The properties of the loop over all threads.
  void closeLikeThreads(Part& part) {
    llvm::MDNode* known = loop_.threads.getLoopID();
    const llvm::SmallVector<llvm::Metadata*, 4> properties(known->op_begin(), known->op_end());
    llvm::MDNode* own = llvm::MDNode::getDistinct(function_.getContext(), properties);
    own->replaceOperandWith(0, own);
    close(part)->setMetadata(llvm::LLVMContext::MD_loop, own);
  }

  void transform() {
    BasicBlock* before = loop_.threads.getLoopPreheader();
    llvm::Type* type = loop_.index->getType();
    builder_.SetInsertPoint(before->getTerminator());
    builder_.SetCurrentDebugLocation(loop_.threads.getStartLoc());
    llvm::SCEVExpander expander(evolution_, function_.getDataLayout(), "threads");
    Value* last = expander.expandCodeFor(loop_.rounds, loop_.rounds->getType(), builder_.GetInsertPoint());
    Value* count = builder_.CreateZExtOrTrunc(last, type);
    count = builder_.CreateAdd(count, llvm::ConstantInt::get(type, 1), "", true, true);
    Value* strips = builder_.CreateUDiv(count, llvm::ConstantInt::get(type, loop_.stripThreads()));
    Value* start = loop_.index->getIncomingValueForBlock(before);

    // Threads that do not fill the vectors take the loop as it was.
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
    Part part = open("before", base);
    Map map;
    map[loop_.index] = part.thread;
    copy(loop_.before, map, ".before");
    builder_.CreateBr(blockCopy(loop_.threads.getHeader(), map));
    BasicBlock* joined = block("keep");
    for (const Way& way : loop_.ways) {
      BasicBlock* edge = block("way");
      BranchInst::Create(joined, edge);
      blockCopy(way.from, map)->getTerminator()->replaceSuccessorWith(way.to, edge);
      arrivals_.push_back(edge);
    }
    builder_.SetInsertPoint(joined);
    llvm::SmallVector<std::pair<size_t, Value*>, 8> values;
    for (size_t state : states_) {
      auto* phi = llvm::cast<PHINode>(kept_[state].source);
      Value* start = copyOf(phi->getIncomingValueForBlock(loop_.preheader), map);
      values.emplace_back(state,
                          joinWays(phi->getType(), [&](size_t way) { return way == 0 ? start : nullptr; }));
    }
    for (size_t given : given_) {
      auto* source = llvm::cast<Instruction>(kept_[given].source);
      Value* value = copyOf(source, map);
      values.emplace_back(given, joinWays(source->getType(), [&](size_t way) {
                            return dominators_.dominates(source->getParent(), loop_.ways[way].from) ? value
                                                                                                    : nullptr;
                          }));
    }
    const auto number = [&](size_t way) { return builder_.getInt32(static_cast<uint32_t>(way)); };
    const auto enters = [&](size_t way) { return builder_.getInt32(way == 0); };
    values.emplace_back(goesOn_, joinWays(builder_.getInt32Ty(), enters));
    if (loop_.ways.size() > 1) values.emplace_back(way_, joinWays(builder_.getInt32Ty(), number));
    for (const auto& [index, value] : values) kept_[index].store(builder_, value, part.loop.index);
    closeLikeThreads(part);
  }

  // Of the ways that threads come from the first part; null: nobody asks.
  Value* joinWays(llvm::Type* type, llvm::function_ref<Value*(size_t way)> valueOf) {
    PHINode* phi = PHINode::Create(type, 2, "", builder_.GetInsertBlock()->getFirstNonPHIIt());
    for (size_t way = 0; way < loop_.ways.size(); ++way) {
      Value* value = valueOf(way);
      phi->addIncoming(value != nullptr ? value : llvm::PoisonValue::get(type), arrivals_[way]);
    }
    return phi;
  }

  void emitBody(Value* base) {
    BasicBlock* round = block("round");
    builder_.CreateBr(round);
    builder_.SetInsertPoint(round);
    Part part = open("body", base);
    PHINode* any = builder_.CreatePHI(builder_.getInt32Ty(), 2);
    any->addIncoming(builder_.getInt32(0), round);
    Map map;
    map[loop_.index] = part.thread;
    for (const auto& list : {states_, given_}) {
      for (size_t i : list) map[kept_[i].source] = kept_[i].load(builder_, part.loop.index);
    }
    // The next states: of threads that do not go on nobody asks. Then the results: of others they stay.
    llvm::SmallVector<Value*, 8> found;
    for (size_t state : states_) found.push_back(llvm::PoisonValue::get(kept_[state].source->getType()));
    for (size_t result : results_) found.push_back(kept_[result].load(builder_, part.loop.index));
    Value* goesOn = builder_.CreateIsNotNull(kept_[goesOn_].load(builder_, part.loop.index));
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
                                                                                  part.loop.index);
    }
    kept_[goesOn_].store(builder_, more, part.loop.index);
    Value* anyNow = builder_.CreateOr(any, more);
    any->addIncoming(anyNow, joined);
    close(part)->setMetadata(llvm::LLVMContext::MD_loop, vectorsAtOnce());
    BasicBlock* end = block("end");
    builder_.CreateCondBr(builder_.CreateIsNotNull(anyNow), round, end);
    builder_.SetInsertPoint(end);
  }

  // All threads that go together, whatever the vectoriser thinks of it.
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
    Part part = open("after", base);
    Map map;
    map[loop_.index] = part.thread;
    for (const auto& list : {results_, given_}) {
      for (size_t i : list) map[kept_[i].source] = kept_[i].load(builder_, part.loop.index);
    }
    copy(loop_.after, map, ".after");
    enterAfter(map, part.loop.index);
    BasicBlock* next = block("next");
    Instruction* latch = blockCopy(loop_.threads.getLoopLatch(), map)->getTerminator();
    BranchInst::Create(next, latch->getIterator());
    latch->eraseFromParent();
    builder_.SetInsertPoint(next);
    closeLikeThreads(part);
  }

  // To where the body ends, or where those go on who went past it.
  void enterAfter(Map& map, Value* lane) {
    Value* way = loop_.ways.size() > 1 ? kept_[way_].load(builder_, lane) : nullptr;
    for (uint32_t i = 1; i < loop_.ways.size(); ++i) {
      BasicBlock* past = block("past");
      BasicBlock* target = blockCopy(loop_.ways[i].to, map);
      BranchInst::Create(target, past);
      for (PHINode& phi : target->phis()) phi.replaceIncomingBlockWith(loop_.ways[i].from, past);
      BasicBlock* others = block("others");
      builder_.CreateCondBr(builder_.CreateICmpEQ(way, builder_.getInt32(i)), past, others);
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
  size_t goesOn_ = 0, way_ = 0;
  llvm::SmallVector<BasicBlock*, 2> arrivals_;  // behind the copied first part
};

}  // namespace

void stripMine(const DivergentLoop& loop, llvm::DominatorTree& dominators, llvm::ScalarEvolution& evolution) {
  StripMining(loop, dominators, evolution).run();
}

}  // namespace musashim::mcc
