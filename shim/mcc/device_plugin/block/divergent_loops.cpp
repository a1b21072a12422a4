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
#include "../passes.h"
#include "lane_loops.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/ScalarEvolution.h"
#include "llvm/Analysis/ScalarEvolutionExpressions.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/Transforms/Utils/Cloning.h"
#include "llvm/Transforms/Utils/LoopSimplify.h"
#include "llvm/Transforms/Utils/LoopUtils.h"
#include "llvm/Transforms/Utils/ScalarEvolutionExpander.h"

namespace musashim::mcc {
namespace {

using llvm::BasicBlock;
using llvm::BranchInst;
using llvm::Instruction;
using llvm::IRBuilder;
using llvm::Loop;
using llvm::PHINode;
using llvm::Value;

constexpr unsigned kLanes = 8;  // threads that go together: a vector of floats, two of doubles
constexpr unsigned kVectorBits = 256;
constexpr unsigned kMostKept = 12;      // arrays
constexpr unsigned kMostWays = 4;       // into the body, and past it
constexpr unsigned kLargestBody = 150;  // instructions

bool isVectorIntrinsic(const Instruction& instruction) {
  const auto* call = llvm::dyn_cast<llvm::IntrinsicInst>(&instruction);
  if (call == nullptr) return false;
  switch (call->getIntrinsicID()) {
    case llvm::Intrinsic::fma:
    case llvm::Intrinsic::fmuladd:
    case llvm::Intrinsic::fabs:
    case llvm::Intrinsic::sqrt:
    case llvm::Intrinsic::minnum:
    case llvm::Intrinsic::maxnum:
    case llvm::Intrinsic::copysign:
    case llvm::Intrinsic::floor:
    case llvm::Intrinsic::ceil:
    case llvm::Intrinsic::trunc:
    case llvm::Intrinsic::rint:
    case llvm::Intrinsic::smin:
    case llvm::Intrinsic::smax:
    case llvm::Intrinsic::umin:
    case llvm::Intrinsic::umax:
    case llvm::Intrinsic::abs:
      return true;
    default:
      return false;
  }
}

// Types that vectors of this machine have, in arithmetic that they have.
bool isVectorArithmetic(const Instruction& instruction) {
  llvm::Type* type = instruction.getType();
  const unsigned bits = type->getScalarSizeInBits();
  if (!type->isIntegerTy() && !type->isFloatTy() && !type->isDoubleTy()) return false;
  if (bits != 1 && bits != 32 && bits != 64) return false;
  switch (instruction.getOpcode()) {
    case Instruction::UDiv:
    case Instruction::SDiv:
    case Instruction::URem:
    case Instruction::SRem:
    case Instruction::FRem:
      return false;
    case Instruction::Mul:
      return bits == 32;
    case Instruction::FPToSI:
    case Instruction::SIToFP:
      return bits == 32 && instruction.getOperand(0)->getType()->getScalarSizeInBits() == 32;
    case Instruction::FPToUI:
    case Instruction::UIToFP:
      return false;
    default:
      return llvm::isa<llvm::BinaryOperator, llvm::UnaryOperator, llvm::CmpInst, llvm::SelectInst, PHINode,
                       llvm::FreezeInst, llvm::CastInst>(instruction) ||
             isVectorIntrinsic(instruction);
  }
}

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

class Divergence {
 public:
  Divergence(Loop& threads, llvm::DominatorTree& dominators, llvm::LoopInfo& loops,
             llvm::ScalarEvolution& evolution)
      : threads_(threads),
        body_(**threads.begin()),
        function_(*threads.getHeader()->getParent()),
        dominators_(dominators),
        loops_(loops),
        evolution_(evolution),
        builder_(function_.getContext()) {}

  // The analyses do not hold afterwards.
  void run() {
    llvm::simplifyLoop(&threads_, &dominators_, &loops_, &evolution_, nullptr, nullptr,
                       /*PreserveLCSSA=*/false);
    if (!isCandidate()) return;
    llvm::formLCSSA(body_, dominators_, &loops_, &evolution_);
    exit_ = exits_.size() == 1 ? exits_.front() : joinExits();
    collect();
    if (kept_.size() <= kMostKept && ways_.size() <= kMostWays) transform();
  }

 private:
  using Map = llvm::ValueToValueMapTy;

  bool isCandidate() {
    if (!threads_.isLoopSimplifyForm() || !body_.isLoopSimplifyForm()) return false;
    if (threads_.getExitingBlock() != threads_.getLoopLatch() || threads_.getExitBlock() == nullptr)
      return false;
    index_ = threads_.getInductionVariable(evolution_);
    body_.getUniqueExitBlocks(exits_);
    preheader_ = body_.getLoopPreheader();
    const auto phis = threads_.getHeader()->phis();
    if (index_ == nullptr || exits_.empty() || exits_.size() > 2 ||
        std::distance(phis.begin(), phis.end()) != 1)
      return false;
    rounds_ = evolution_.getBackedgeTakenCount(&threads_);
    if (llvm::isa<llvm::SCEVCouldNotCompute>(rounds_)) return false;
    if (const auto* constant = llvm::dyn_cast<llvm::SCEVConstant>(rounds_)) {
      if (constant->getAPInt().ult(kLanes - 1)) return false;
    }
    const llvm::SCEV* trips = evolution_.getBackedgeTakenCount(&body_);
    if (!llvm::isa<llvm::SCEVCouldNotCompute>(trips) && evolution_.isLoopInvariant(trips, &threads_))
      return false;
    return isArithmetic() && staysInside();
  }

  bool isArithmetic() {
    unsigned size = 0;
    for (BasicBlock* block : body_.blocks()) {
      if (!llvm::isa<BranchInst>(block->getTerminator())) return false;
      for (const Instruction& instruction : *block) {
        if (instruction.isTerminator() || instruction.isDebugOrPseudoInst()) continue;
        if (!isVectorArithmetic(instruction) || instruction.mayReadOrWriteMemory()) return false;
        widest_ = std::max(widest_, instruction.getType()->getScalarSizeInBits());
        ++size;
      }
    }
    return size <= kLargestBody;
  }

  // Nothing behind the loop over threads asks for what is in it.
  bool staysInside() const {
    return llvm::all_of(threads_.blocks(), [&](BasicBlock* block) {
      return llvm::all_of(*block, [&](const Instruction& instruction) {
        return llvm::all_of(instruction.users(), [&](const llvm::User* user) {
          return threads_.contains(llvm::cast<Instruction>(user));
        });
      });
    });
  }

  // Leaves the body by one block, from which each thread goes on to the exit that was its own.
  BasicBlock* joinExits() {
    BasicBlock* joined = BasicBlock::Create(function_.getContext(), "exits", &function_, exits_.front());
    threads_.addBasicBlockToLoop(joined, loops_);
    IRBuilder<> builder(joined);
    PHINode* second = builder.CreatePHI(builder.getInt1Ty(), 2);
    llvm::SmallVector<std::pair<BasicBlock*, BasicBlock*>, 4> edges;
    for (BasicBlock* exit : exits_) {
      for (BasicBlock* from : llvm::predecessors(exit)) edges.emplace_back(from, exit);
    }
    for (const auto& [from, exit] : edges) second->addIncoming(builder.getInt1(exit == exits_[1]), from);
    for (BasicBlock* own : exits_) {
      for (PHINode& phi : llvm::make_early_inc_range(own->phis())) {
        PHINode* result = builder.CreatePHI(phi.getType(), 2);
        for (const auto& [from, exit] : edges) {
          result->addIncoming(
              exit == own ? phi.getIncomingValueForBlock(from) : llvm::PoisonValue::get(phi.getType()), from);
        }
        phi.replaceAllUsesWith(result);
        phi.eraseFromParent();
      }
    }
    for (const auto& [from, exit] : edges) from->getTerminator()->replaceSuccessorWith(exit, joined);
    builder.CreateCondBr(second, exits_[1], exits_[0]);
    dominators_.recalculate(function_);
    return joined;
  }

  void collect() {
    llvm::SmallSetVector<BasicBlock*, 8> after;
    after.insert(exit_);
    for (size_t i = 0; i < after.size(); ++i) {
      for (BasicBlock* next : llvm::successors(after[i])) {
        if (threads_.contains(next) && next != threads_.getHeader()) after.insert(next);
      }
    }
    after_.assign(after.begin(), after.end());
    ways_.push_back({preheader_, body_.getHeader()});
    for (BasicBlock* block : threads_.blocks()) {
      if (body_.contains(block) || after.contains(block)) continue;
      before_.push_back(block);
      for (BasicBlock* next : llvm::successors(block)) {
        if (after.contains(next)) ways_.push_back({block, next});
      }
    }
    for (PHINode& phi : body_.getHeader()->phis()) states_.push_back(keep(phi));
    for (PHINode& phi : exit_->phis()) results_.push_back(keep(phi));
    for (BasicBlock* block : before_) {
      for (Instruction& instruction : *block) {
        if (&instruction != index_ && isUsedLater(instruction)) given_.push_back(keep(instruction));
      }
    }
    goesOn_ = keep(*builder_.getInt32(1));
    if (ways_.size() > 1) way_ = keep(*builder_.getInt32(0));
  }

  // Other than as a start value.
  bool isUsedLater(const Instruction& instruction) const {
    return llvm::any_of(instruction.uses(), [&](const llvm::Use& use) {
      const auto* user = llvm::cast<Instruction>(use.getUser());
      const auto* phi = llvm::dyn_cast<PHINode>(user);
      if (phi != nullptr && phi->getParent() == body_.getHeader())
        return phi->getIncomingBlock(use) != preheader_;
      return !llvm::is_contained(before_, user->getParent());
    });
  }

  size_t keep(Value& source) {
    llvm::Type* type = source.getType()->isIntegerTy(1) ? builder_.getInt32Ty() : source.getType();
    IRBuilder<> entry(&*function_.getEntryBlock().getFirstInsertionPt());
    llvm::AllocaInst* array = entry.CreateAlloca(llvm::ArrayType::get(type, kLanes));
    array->setAlignment(llvm::Align(kVectorBits / 8));
    kept_.push_back({&source, array, type});
    return kept_.size() - 1;
  }

  BasicBlock* block(const llvm::Twine& name) {
    return BasicBlock::Create(function_.getContext(), name, &function_, threads_.getHeader());
  }

  // Copies that take `map`'s values for what it has, and each other.
  void copy(llvm::ArrayRef<BasicBlock*> blocks, Map& map, llvm::StringRef suffix) {
    llvm::SmallVector<std::pair<Value*, Value*>, 8> given;
    for (const auto& [from, to] : map) given.emplace_back(const_cast<Value*>(from), to);
    llvm::SmallVector<BasicBlock*, 16> copies;
    for (BasicBlock* source : blocks) {
      copies.push_back(llvm::CloneBasicBlock(source, map, suffix, &function_));
      map[source] = copies.back();
    }
    for (const auto& [from, to] : given) {
      if (auto* copied = llvm::dyn_cast<Instruction>(static_cast<Value*>(map[from])); copied != to)
        copied->eraseFromParent();
      map[from] = to;
    }
    llvm::remapInstructionsInBlocks(copies, map);
  }

  Value* copyOf(Value* value, Map& map) const {
    const auto found = map.find(value);
    return found == map.end() ? value : static_cast<Value*>(found->second);
  }
  BasicBlock* copyOf(BasicBlock* value, Map& map) const {
    return llvm::cast<BasicBlock>(static_cast<Value*>(map[value]));
  }

  Part open(const llvm::Twine& name, Value* base) {
    BasicBlock* from = builder_.GetInsertBlock();
    Part part{openLoop(builder_, builder_.getInt32Ty(), name), nullptr};
    part.thread = builder_.CreatePHI(index_->getType(), 2);
    part.thread->addIncoming(base, from);
    return part;
  }

  BranchInst* close(Part& part) {
    Value* next =
        builder_.CreateAdd(part.thread, llvm::ConstantInt::get(index_->getType(), 1), "", true, true);
    part.thread->addIncoming(next, builder_.GetInsertBlock());
    return closeLoop(builder_, part.loop, builder_.getInt32(kLanes));
  }

  // The properties of the loop over all threads.
  void closeLikeThreads(Part& part) {
    llvm::MDNode* known = threads_.getLoopID();
    const llvm::SmallVector<llvm::Metadata*, 4> properties(known->op_begin(), known->op_end());
    llvm::MDNode* own = llvm::MDNode::getDistinct(function_.getContext(), properties);
    own->replaceOperandWith(0, own);
    close(part)->setMetadata(llvm::LLVMContext::MD_loop, own);
  }

  void transform() {
    BasicBlock* before = threads_.getLoopPreheader();
    llvm::Type* type = index_->getType();
    builder_.SetInsertPoint(before->getTerminator());
    builder_.SetCurrentDebugLocation(threads_.getStartLoc());
    llvm::SCEVExpander expander(evolution_, function_.getDataLayout(), "threads");
    Value* last = expander.expandCodeFor(rounds_, rounds_->getType(), builder_.GetInsertPoint());
    Value* count = builder_.CreateZExtOrTrunc(last, type);
    count = builder_.CreateAdd(count, llvm::ConstantInt::get(type, 1), "", true, true);
    Value* strips = builder_.CreateUDiv(count, llvm::ConstantInt::get(type, kLanes));
    Value* start = index_->getIncomingValueForBlock(before);

    // Threads that do not fill the vectors take the loop as it was.
    BasicBlock* rest = block("rest");
    BasicBlock* first = block("strips");
    builder_.CreateCondBr(builder_.CreateIsNull(strips), rest, first);
    before->getTerminator()->eraseFromParent();
    builder_.SetInsertPoint(first);
    CountedLoop strip = openLoop(builder_, type, "strip");
    Value* base = builder_.CreateMul(strip.index, llvm::ConstantInt::get(type, kLanes), "", true, true);
    base = builder_.CreateAdd(base, start, "", true, true);
    emitBefore(base);
    emitBody(base);
    emitAfter(base);
    closeLoop(builder_, strip, strips);
    Value* done = builder_.CreateMul(strips, llvm::ConstantInt::get(type, kLanes), "", true, true);
    Value* next = builder_.CreateAdd(start, done, "", true, true);
    builder_.CreateCondBr(builder_.CreateICmpEQ(done, count), threads_.getExitBlock(), rest);
    BasicBlock* behind = builder_.GetInsertBlock();

    builder_.SetInsertPoint(rest);
    PHINode* restart = builder_.CreatePHI(type, 2);
    restart->addIncoming(start, before);
    restart->addIncoming(next, behind);
    builder_.CreateBr(threads_.getHeader());
    const auto entry = static_cast<unsigned>(index_->getBasicBlockIndex(before));
    index_->setIncomingBlock(entry, rest);
    index_->setIncomingValue(entry, restart);
  }

  void emitBefore(Value* base) {
    Part part = open("before", base);
    Map map;
    map[index_] = part.thread;
    copy(before_, map, ".before");
    builder_.CreateBr(copyOf(threads_.getHeader(), map));
    BasicBlock* joined = block("keep");
    for (const Way& way : ways_) {
      BasicBlock* edge = block("way");
      BranchInst::Create(joined, edge);
      copyOf(way.from, map)->getTerminator()->replaceSuccessorWith(way.to, edge);
      arrivals_.push_back(edge);
    }
    builder_.SetInsertPoint(joined);
    llvm::SmallVector<std::pair<size_t, Value*>, 8> values;
    for (size_t state : states_) {
      auto* phi = llvm::cast<PHINode>(kept_[state].source);
      Value* start = copyOf(phi->getIncomingValueForBlock(preheader_), map);
      values.emplace_back(state,
                          joinWays(phi->getType(), [&](size_t way) { return way == 0 ? start : nullptr; }));
    }
    for (size_t given : given_) {
      auto* source = llvm::cast<Instruction>(kept_[given].source);
      Value* value = copyOf(static_cast<Value*>(source), map);
      values.emplace_back(given, joinWays(source->getType(), [&](size_t way) {
                            return dominators_.dominates(source->getParent(), ways_[way].from) ? value
                                                                                               : nullptr;
                          }));
    }
    const auto number = [&](size_t way) { return builder_.getInt32(static_cast<uint32_t>(way)); };
    const auto enters = [&](size_t way) { return builder_.getInt32(way == 0); };
    values.emplace_back(goesOn_, joinWays(builder_.getInt32Ty(), enters));
    if (ways_.size() > 1) values.emplace_back(way_, joinWays(builder_.getInt32Ty(), number));
    for (const auto& [index, value] : values) kept_[index].store(builder_, value, part.loop.index);
    closeLikeThreads(part);
  }

  // Of the ways that threads come from the first part; null: nobody asks.
  Value* joinWays(llvm::Type* type, llvm::function_ref<Value*(size_t way)> valueOf) {
    PHINode* phi = PHINode::Create(type, 2, "", builder_.GetInsertBlock()->getFirstNonPHIIt());
    for (size_t way = 0; way < ways_.size(); ++way) {
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
    map[index_] = part.thread;
    for (const auto& list : {states_, given_}) {
      for (size_t i : list) map[kept_[i].source] = kept_[i].load(builder_, part.loop.index);
    }
    // The next states: of threads that do not go on nobody asks. Then the results: of others they stay.
    llvm::SmallVector<Value*, 8> found;
    for (size_t state : states_) found.push_back(llvm::PoisonValue::get(kept_[state].source->getType()));
    for (size_t result : results_) found.push_back(kept_[result].load(builder_, part.loop.index));
    Value* goesOn = builder_.CreateIsNotNull(kept_[goesOn_].load(builder_, part.loop.index));
    const llvm::SmallVector<BasicBlock*, 8> blocks(body_.blocks());
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
    builder_.CreateCondBr(goesOn, copyOf(body_.getHeader(), map), joined);

    const auto leave = [&](BasicBlock* from, BasicBlock* to, auto&& valueOf, bool again) {
      BasicBlock* edge = block("leave");
      BranchInst::Create(joined, edge);
      copyOf(from, map)->getTerminator()->replaceSuccessorWith(to, edge);
      arrive(edge, valueOf, again);
    };
    BasicBlock* latch = body_.getLoopLatch();
    leave(
        latch, copyOf(body_.getHeader(), map),
        [&](size_t i) {
          if (i >= states_.size()) return found[i];
          return copyOf(llvm::cast<PHINode>(kept_[states_[i]].source)->getIncomingValueForBlock(latch), map);
        },
        true);
    llvm::SmallVector<BasicBlock*, 4> exiting;
    body_.getExitingBlocks(exiting);
    for (BasicBlock* from : exiting) {
      leave(
          from, exit_,
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
    const unsigned width = kVectorBits / std::max(widest_, 32u);
    llvm::MDNode* loop = llvm::MDNode::getDistinct(
        context, {nullptr, property("llvm.loop.vectorize.enable", builder_.getTrue()),
                  property("llvm.loop.vectorize.width", builder_.getInt32(width)),
                  property("llvm.loop.interleave.count", builder_.getInt32(kLanes / width))});
    loop->replaceOperandWith(0, loop);
    return loop;
  }

  void emitAfter(Value* base) {
    Part part = open("after", base);
    Map map;
    map[index_] = part.thread;
    for (const auto& list : {results_, given_}) {
      for (size_t i : list) map[kept_[i].source] = kept_[i].load(builder_, part.loop.index);
    }
    copy(after_, map, ".after");
    enterAfter(map, part.loop.index);
    BasicBlock* next = block("next");
    Instruction* latch = copyOf(threads_.getLoopLatch(), map)->getTerminator();
    BranchInst::Create(next, latch->getIterator());
    latch->eraseFromParent();
    builder_.SetInsertPoint(next);
    closeLikeThreads(part);
  }

  // To where the body ends, or where those go on who went past it.
  void enterAfter(Map& map, Value* lane) {
    Value* way = ways_.size() > 1 ? kept_[way_].load(builder_, lane) : nullptr;
    for (uint32_t i = 1; i < ways_.size(); ++i) {
      BasicBlock* past = block("past");
      BasicBlock* target = copyOf(ways_[i].to, map);
      BranchInst::Create(target, past);
      for (PHINode& phi : target->phis()) phi.replaceIncomingBlockWith(ways_[i].from, past);
      BasicBlock* others = block("others");
      builder_.CreateCondBr(builder_.CreateICmpEQ(way, builder_.getInt32(i)), past, others);
      builder_.SetInsertPoint(others);
    }
    builder_.CreateBr(copyOf(exit_, map));
  }

  // From the first part into the body, or past it.
  struct Way {
    BasicBlock *from, *to;
  };

  Loop& threads_;
  Loop& body_;
  llvm::Function& function_;
  llvm::DominatorTree& dominators_;
  llvm::LoopInfo& loops_;
  llvm::ScalarEvolution& evolution_;
  IRBuilder<> builder_;
  PHINode* index_ = nullptr;
  BasicBlock* preheader_ = nullptr;  // of the body
  BasicBlock* exit_ = nullptr;
  llvm::SmallVector<BasicBlock*, 2> exits_;  // before they were joined
  const llvm::SCEV* rounds_ = nullptr;       // of the loop over threads, less one
  unsigned widest_ = 0;                      // bits
  llvm::SmallVector<BasicBlock*, 8> before_, after_;
  std::vector<Kept> kept_;
  // Indices of `kept_`: the body's phis, what it leaves behind, what comes from before it.
  llvm::SmallVector<size_t, 8> states_, results_, given_;
  size_t goesOn_ = 0, way_ = 0;
  llvm::SmallVector<Way, 2> ways_;              // the first leads into the body
  llvm::SmallVector<BasicBlock*, 2> arrivals_;  // behind the copied first part
};

bool isOverThreads(const Loop& loop) {
  llvm::MDNode* properties = loop.getLoopID();
  return properties != nullptr && findOptionMDForLoopID(properties, "llvm.loop.parallel_accesses") != nullptr;
}

Loop* firstOf(llvm::LoopInfo& loops, llvm::SmallPtrSetImpl<BasicBlock*>& seen) {
  for (Loop* loop : loops.getLoopsInPreorder()) {
    if (!isOverThreads(*loop) || loop->getSubLoops().size() != 1 || !(*loop->begin())->isInnermost())
      continue;
    if (seen.insert(loop->getHeader()).second) return loop;
  }
  return nullptr;
}

}  // namespace

llvm::PreservedAnalyses DivergentLoops::run(llvm::Function& function,
                                            llvm::FunctionAnalysisManager& analyses) {
  if (function.hasOptSize() || function.hasOptNone()) return llvm::PreservedAnalyses::all();
  llvm::SmallPtrSet<BasicBlock*, 8> seen;
  while (Loop* loop = firstOf(analyses.getResult<llvm::LoopAnalysis>(function), seen)) {
    Divergence(*loop, analyses.getResult<llvm::DominatorTreeAnalysis>(function),
               analyses.getResult<llvm::LoopAnalysis>(function),
               analyses.getResult<llvm::ScalarEvolutionAnalysis>(function))
        .run();
    analyses.invalidate(function, llvm::PreservedAnalyses::none());
  }
  return seen.empty() ? llvm::PreservedAnalyses::all() : llvm::PreservedAnalyses::none();
}

}  // namespace musashim::mcc
