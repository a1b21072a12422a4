#include "waiting_reads.h"

#include <algorithm>
#include <utility>

#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/InlineAsm.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/Module.h"
#include "llvm/IR/Operator.h"
#include "mcc/device_plugin/block/analysis/suspend_points.h"
#include "mcc/device_plugin/device_builtins.h"
#include "mcc/device_plugin/source_facts/annotations.h"

namespace musashim::mcc {
namespace {

using llvm::Instruction;
using llvm::Value;

bool isPrivatePlace(const llvm::Value* pointer) {
  return llvm::isa<llvm::AllocaInst>(llvm::getUnderlyingObject(pointer));
}

// What a variable of code that is not optimised has been set to before in the block. Null: nothing.
Value* setBefore(const llvm::LoadInst& read) {
  for (const Instruction* before = read.getPrevNode(); before != nullptr; before = before->getPrevNode()) {
    const auto* store = llvm::dyn_cast<llvm::StoreInst>(before);
    if (store != nullptr && store->getPointerOperand() == read.getPointerOperand() &&
        store->getValueOperand()->getType() == read.getType())
      return const_cast<Value*>(store->getValueOperand());
  }
  return nullptr;
}

// What a variable of code that is not optimised is set to, once. Null: it is set more often.
const Value* onlyValueOf(const llvm::AllocaInst& variable) {
  const Value* value = nullptr;
  for (const llvm::User* user : variable.users()) {
    const auto* call = llvm::dyn_cast<llvm::CallInst>(user);
    if (llvm::isa<llvm::LoadInst>(user) || (call != nullptr && call->isLifetimeStartOrEnd())) continue;
    const auto* store = llvm::dyn_cast<llvm::StoreInst>(user);
    if (store == nullptr || store->getPointerOperand() != &variable || value != nullptr) return nullptr;
    value = store->getValueOperand();
  }
  return value;
}

// What a value is that variables of code that is not optimised have kept.
const Value* originOf(const Value* value) {
  while (const auto* read = llvm::dyn_cast<llvm::LoadInst>(value)) {
    const auto* variable = llvm::dyn_cast<llvm::AllocaInst>(read->getPointerOperand());
    const Value* before = variable != nullptr ? setBefore(*read) : nullptr;
    if (before == nullptr && variable != nullptr) before = onlyValueOf(*variable);
    if (before == nullptr) return value;
    value = before;
  }
  return value;
}

bool isUpdate(const Instruction& instruction) {
  return llvm::isa<llvm::AtomicRMWInst, llvm::AtomicCmpXchgInst>(instruction);
}

bool updatesMemory(const Instruction& instruction) {
  const auto* call = llvm::dyn_cast<llvm::CallInst>(&instruction);
  return isUpdate(instruction) || (call != nullptr && accessOfCall(*call) == CalledAccess::kUpdates);
}

// What a loop's exits depend on, as far as it is computed in the loop.
class ExitDependence {
 public:
  explicit ExitDependence(const llvm::Loop& loop) : loop_(loop) {
    llvm::SmallVector<llvm::BasicBlock*, 4> exiting;
    loop.getExitingBlocks(exiting);
    for (const llvm::BasicBlock* block : exiting) addCondition(*block);
  }

  // The loop may come to its end by itself: what decides it is computed from its own value before.
  bool makesProgress() const { return makesProgress_; }
  llvm::ArrayRef<llvm::LoadInst*> reads() const { return reads_; }
  llvm::ArrayRef<Instruction*> updates() const { return updates_; }

 private:
  void addCondition(const llvm::BasicBlock& block) {
    const Instruction* end = block.getTerminator();
    if (const auto* branch = llvm::dyn_cast<llvm::BranchInst>(end)) {
      if (branch->isConditional()) add(branch->getCondition());
    } else if (const auto* choice = llvm::dyn_cast<llvm::SwitchInst>(end)) {
      add(choice->getCondition());
    } else {
      makesProgress_ = true;  // nothing is known
    }
  }

  void add(llvm::Value* value) {
    auto* instruction = llvm::dyn_cast<Instruction>(value);
    if (instruction == nullptr || !loop_.contains(instruction)) return;
    if (!enter(*instruction)) return;
    if (const auto* phi = llvm::dyn_cast<llvm::PHINode>(instruction)) {
      addPhi(*phi);
    } else {
      for (llvm::Value* operand : instruction->operands()) add(operand);
    }
    if (auto* read = llvm::dyn_cast<llvm::LoadInst>(instruction)) {
      reads_.push_back(read);
      if (isPrivatePlace(read->getPointerOperand())) addVariable(*read);
    }
    if (updatesMemory(*instruction)) updates_.push_back(instruction);
    state_[instruction] = kDone;
  }

  // False where it has been entered before: it makes progress if it is computed from itself.
  bool enter(const Value& value) {
    const auto [known, isNew] = state_.try_emplace(&value, kOpen);
    if (!isNew) makesProgress_ = makesProgress_ || known->second == kOpen;
    return isNew;
  }

  // A variable of code that is not optimised.
  void addVariable(llvm::LoadInst& read) {
    auto* variable = llvm::dyn_cast<llvm::AllocaInst>(read.getPointerOperand());
    if (variable == nullptr || read.isVolatile()) {
      makesProgress_ = true;  // nothing is known
      return;
    }
    if (llvm::Value* value = setBefore(read)) return add(value);
    if (!enter(*variable)) return;
    bool isSet = false;
    for (llvm::User* user : variable->users()) {
      auto* access = llvm::cast<Instruction>(user);
      if (llvm::isa<llvm::LoadInst>(access) || access->isLifetimeStartOrEnd()) continue;
      auto* store = llvm::dyn_cast<llvm::StoreInst>(access);
      if (store == nullptr || store->getPointerOperand() != variable) {
        makesProgress_ = true;
      } else if (loop_.contains(store)) {
        add(store->getValueOperand());
        isSet = true;
      }
    }
    if (isSet) addConditions();
    state_[variable] = kDone;
  }

  void addPhi(const llvm::PHINode& phi) {
    for (unsigned i = 0; i < phi.getNumIncomingValues(); ++i) {
      if (phi.getIncomingValue(i) != &phi && loop_.contains(phi.getIncomingBlock(i)))
        add(phi.getIncomingValue(i));
    }
    if (phi.getParent() != loop_.getHeader()) addConditions();
  }

  // On which depends which value comes; those of exits are known.
  void addConditions() {
    for (const llvm::BasicBlock* block : loop_.blocks()) {
      if (block->getTerminator()->getNumSuccessors() > 1 && !loop_.isLoopExiting(block)) addCondition(*block);
    }
  }

  enum State : char { kOpen, kDone };
  const llvm::Loop& loop_;
  llvm::DenseMap<const Value*, State> state_;
  llvm::SmallVector<llvm::LoadInst*, 4> reads_;
  llvm::SmallVector<Instruction*, 4> updates_;
  bool makesProgress_ = false;
};

bool mayOnlyUpdate(const Instruction& instruction) {
  const auto* call = llvm::dyn_cast<llvm::CallInst>(&instruction);
  return isUpdate(instruction) || (call != nullptr && accessOfCall(*call) <= CalledAccess::kUpdates);
}

// But by atomic updates, if `mayUpdate`.
bool writesNothing(const llvm::Loop& loop, bool mayUpdate = false) {
  return llvm::all_of(loop.blocks(), [=](const llvm::BasicBlock* block) {
    return llvm::all_of(*block, [=](const Instruction& instruction) {
      return !instruction.mayWriteToMemory() || writesNothingOfOthers(instruction) ||
             calledOp(instruction).has_value() || llvm::isa<llvm::LoadInst>(instruction) ||
             (mayUpdate && mayOnlyUpdate(instruction));
    });
  });
}

const Value* placeOf(const Instruction& update) {
  const auto* exchange = llvm::dyn_cast<llvm::AtomicCmpXchgInst>(&update);
  return exchange != nullptr ? exchange->getPointerOperand()
                             : llvm::cast<llvm::AtomicRMWInst>(update).getPointerOperand();
}

// --- Functions that are called ---------------------------------------------------------------------

// Constants, and variables of code that is not optimised that are passed by reference. Null: something else.
using Arguments = llvm::SmallVector<const Value*, 4>;

constexpr unsigned kDepth = 6;  // of calls

const Value* knownValueOf(const Value* value, const Arguments& arguments) {
  value = originOf(value);
  if (const auto* argument = llvm::dyn_cast<llvm::Argument>(value))
    return argument->getArgNo() < arguments.size() ? arguments[argument->getArgNo()] : nullptr;
  if (llvm::isa<llvm::Constant>(value)) return value;
  return value->getType()->isPointerTy() ? llvm::dyn_cast<llvm::AllocaInst>(llvm::getUnderlyingObject(value))
                                         : nullptr;
}

const llvm::Constant* constantOf(const Value* value, const Arguments& arguments) {
  return llvm::dyn_cast_or_null<llvm::Constant>(knownValueOf(value, arguments));
}

// The thread's own.
bool isPrivatePlace(const Value* pointer, const Arguments& arguments) {
  const Value* known = knownValueOf(llvm::getUnderlyingObject(pointer), arguments);
  return known != nullptr && llvm::isa<llvm::AllocaInst>(known);
}

bool addsNothing(const llvm::AtomicRMWInst& update, const Arguments& arguments) {
  const llvm::Constant* operand = constantOf(update.getValOperand(), arguments);
  switch (update.getOperation()) {
    case llvm::AtomicRMWInst::Add:
    case llvm::AtomicRMWInst::Sub:
    case llvm::AtomicRMWInst::Or:
    case llvm::AtomicRMWInst::Xor:
      return operand != nullptr && operand->isZeroValue();
    default:
      return false;
  }
}

// It stores what it has found, if anything.
bool exchangesNothing(const llvm::AtomicCmpXchgInst& exchange, const Arguments& arguments) {
  const llvm::Constant* expected = constantOf(exchange.getCompareOperand(), arguments);
  return exchange.getCompareOperand() == exchange.getNewValOperand() ||
         (expected != nullptr && expected == constantOf(exchange.getNewValOperand(), arguments));
}

bool onlyReads(const Instruction& instruction, const Arguments& arguments) {
  const auto* update = llvm::dyn_cast<llvm::AtomicRMWInst>(&instruction);
  const auto* exchange = llvm::dyn_cast<llvm::AtomicCmpXchgInst>(&instruction);
  return (update != nullptr && addsNothing(*update, arguments)) ||
         (exchange != nullptr && exchangesNothing(*exchange, arguments));
}

CalledAccess accessOf(const llvm::CallBase& call, const Arguments& outer, unsigned depth);

// An addition goes on by itself.
bool isCount(const Instruction& update) {
  const auto* operation = llvm::dyn_cast<llvm::AtomicRMWInst>(&update);
  if (operation == nullptr) return false;
  switch (operation->getOperation()) {
    case llvm::AtomicRMWInst::Add:
    case llvm::AtomicRMWInst::Sub:
    case llvm::AtomicRMWInst::FAdd:
    case llvm::AtomicRMWInst::FSub:
    case llvm::AtomicRMWInst::UIncWrap:
    case llvm::AtomicRMWInst::UDecWrap:
      return true;
    default:
      return false;
  }
}

CalledAccess accessOf(const Instruction& instruction, const Arguments& arguments, unsigned depth) {
  if (const auto* load = llvm::dyn_cast<llvm::LoadInst>(&instruction))
    return load->isSimple() || isPrivatePlace(load->getPointerOperand(), arguments) ? CalledAccess::kNone
                                                                                    : CalledAccess::kPolls;
  if (isUpdate(instruction)) {
    if (onlyReads(instruction, arguments)) return CalledAccess::kPolls;
    return isCount(instruction) ? CalledAccess::kOther : CalledAccess::kUpdates;
  }
  if (!instruction.mayWriteToMemory() || writesNothingOfOthers(instruction)) return CalledAccess::kNone;
  if (const auto* store = llvm::dyn_cast<llvm::StoreInst>(&instruction))
    return isPrivatePlace(store->getPointerOperand(), arguments) ? CalledAccess::kNone : CalledAccess::kOther;
  const auto* call = llvm::dyn_cast<llvm::CallBase>(&instruction);
  return call != nullptr ? accessOf(*call, arguments, depth) : CalledAccess::kOther;
}

CalledAccess accessOf(const llvm::CallBase& call, const Arguments& outer, unsigned depth) {
  const llvm::Function* function = call.getCalledFunction();
  if (llvm::isa<llvm::DbgInfoIntrinsic>(call) || call.isLifetimeStartOrEnd()) return CalledAccess::kNone;
  if (const auto* copy = llvm::dyn_cast<llvm::MemIntrinsic>(&call))
    return isPrivatePlace(copy->getRawDest(), outer) ? CalledAccess::kNone : CalledAccess::kOther;
  if (function == nullptr || function->isDeclaration() || depth == kDepth) return CalledAccess::kOther;
  Arguments arguments;
  for (const llvm::Use& argument : call.args()) arguments.push_back(knownValueOf(argument.get(), outer));
  CalledAccess found = CalledAccess::kNone;
  for (const Instruction& instruction : llvm::instructions(*function)) {
    found = std::max(found, accessOf(instruction, arguments, depth + 1));
    if (found == CalledAccess::kOther) break;
  }
  return found;
}

// What an update's address is computed from, and how far from it.
std::pair<const Value*, int64_t> addressOf(const Instruction& update) {
  const llvm::DataLayout& layout = update.getModule()->getDataLayout();
  const Value* base = originOf(placeOf(update));
  llvm::APInt offset(layout.getIndexTypeSizeInBits(base->getType()), 0);
  for (const auto* step = llvm::dyn_cast<llvm::GEPOperator>(base);
       step != nullptr && step->accumulateConstantOffset(layout, offset);
       step = llvm::dyn_cast<llvm::GEPOperator>(base))
    base = originOf(step->getPointerOperand());
  return {base, offset.getSExtValue()};
}

// It goes on by itself: `while (atomicAdd(&next, 1) < count) ...`, unless the loop takes it back.
bool countsInMemory(const Instruction& update, const llvm::Loop& loop) {
  if (!isUpdate(update) || !isCount(update)) return false;
  return llvm::none_of(loop.blocks(), [&](const llvm::BasicBlock* block) {
    return llvm::any_of(*block, [&](const Instruction& other) {
      return &other != &update && isUpdate(other) && addressOf(other) == addressOf(update);
    });
  });
}

}  // namespace

bool writesNothingOfOthers(const Instruction& instruction) {
  if (const auto* store = llvm::dyn_cast<llvm::StoreInst>(&instruction))
    return isPrivatePlace(store->getPointerOperand());
  if (const auto* call = llvm::dyn_cast<llvm::CallInst>(&instruction)) {
    const auto* code = llvm::dyn_cast<llvm::InlineAsm>(call->getCalledOperand());
    const bool isFence = code != nullptr && code->getAsmString().empty();  // the compiler's
    return isFence || findBuiltin(calledName(*call)) != nullptr;
  }
  return llvm::isa<llvm::FenceInst>(instruction);
}

void markWaitingReads(llvm::Function& function) {
  const llvm::DominatorTree dominators(function);
  const llvm::LoopInfo loops(dominators);
  for (const llvm::Loop* loop : loops.getLoopsInPreorder()) {
    if (!loop->isInnermost() || !writesNothing(*loop)) continue;
    const ExitDependence exits(*loop);
    if (exits.makesProgress()) continue;
    for (llvm::LoadInst* read : exits.reads()) {
      if (!isPrivatePlace(read->getPointerOperand())) read->setVolatile(true);
    }
  }
}

bool isSameEachTime(const llvm::Value& value, const llvm::Loop& loop, unsigned depth) {
  if (loop.isLoopInvariant(&value)) return true;
  const auto* operation = llvm::cast<Instruction>(&value);
  if (const auto* read = llvm::dyn_cast<llvm::LoadInst>(operation)) {  // in code that is not optimised
    const auto* variable = llvm::dyn_cast<llvm::AllocaInst>(read->getPointerOperand());
    return variable != nullptr && llvm::none_of(variable->users(), [&](const llvm::User* user) {
             return !llvm::isa<llvm::LoadInst>(user) && loop.contains(llvm::cast<Instruction>(user));
           });
  }
  if (depth == 0 || !llvm::isa<llvm::GetElementPtrInst, llvm::CastInst, llvm::BinaryOperator>(operation))
    return false;
  return llvm::all_of(operation->operands(),
                      [&](const llvm::Use& use) { return isSameEachTime(*use.get(), loop, depth - 1); });
}

void relaxRereads(llvm::Function& function) {
  const auto isReread = [](const Instruction& instruction) {
    return instruction.getMetadata(kRereadAnnotation) != nullptr;
  };
  if (llvm::none_of(llvm::instructions(function), isReread)) return;
  const llvm::DominatorTree dominators(function);
  const llvm::LoopInfo loops(dominators);
  llvm::SmallPtrSet<const Instruction*, 4> kept;
  for (const llvm::Loop* loop : loops.getLoopsInPreorder()) {
    for (const llvm::LoadInst* read : ExitDependence(*loop).reads())
      if (isSameEachTime(*read->getPointerOperand(), *loop)) kept.insert(read);
  }
  for (Instruction& instruction : llvm::instructions(function)) {
    if (!isReread(instruction)) continue;
    if (!kept.contains(&instruction)) llvm::cast<llvm::LoadInst>(instruction).setVolatile(false);
    instruction.setMetadata(kRereadAnnotation, nullptr);
  }
}

bool waitsByUpdates(const llvm::Loop& loop) {
  if (!writesNothing(loop, /*mayUpdate=*/true)) return false;
  const ExitDependence exits(loop);
  return !exits.makesProgress() && !exits.updates().empty() &&
         llvm::none_of(exits.updates(),
                       [&](const Instruction* update) { return countsInMemory(*update, loop); });
}

CalledAccess accessOfCall(const llvm::CallBase& call) { return accessOf(call, {}, 0); }

bool readsOnly(const Instruction& update) { return onlyReads(update, {}); }

}  // namespace musashim::mcc
