#include "waiting_reads.h"

#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/InlineAsm.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "mcc/device_plugin/block/analysis/suspend_points.h"
#include "mcc/device_plugin/device_builtins.h"

namespace musashim::mcc {
namespace {

using llvm::Instruction;
using llvm::Value;

bool isPrivatePlace(const llvm::Value* pointer) {
  return llvm::isa<llvm::AllocaInst>(llvm::getUnderlyingObject(pointer));
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
    const auto [known, isNew] = state_.try_emplace(instruction, kOpen);
    if (!isNew) {
      makesProgress_ = makesProgress_ || known->second == kOpen;
      return;
    }
    if (const auto* phi = llvm::dyn_cast<llvm::PHINode>(instruction)) {
      addPhi(*phi);
    } else {
      for (llvm::Value* operand : instruction->operands()) add(operand);
    }
    if (auto* read = llvm::dyn_cast<llvm::LoadInst>(instruction)) {
      reads_.push_back(read);
      makesProgress_ = makesProgress_ || isPrivatePlace(read->getPointerOperand());
    }
    state_[instruction] = kDone;
  }

  void addPhi(const llvm::PHINode& phi) {
    for (unsigned i = 0; i < phi.getNumIncomingValues(); ++i) {
      if (phi.getIncomingValue(i) != &phi && loop_.contains(phi.getIncomingBlock(i)))
        add(phi.getIncomingValue(i));
    }
    if (phi.getParent() == loop_.getHeader()) return;
    for (const llvm::BasicBlock* block : loop_.blocks()) {  // which of them comes
      if (block->getTerminator()->getNumSuccessors() > 1) addCondition(*block);
    }
  }

  enum State : char { kOpen, kDone };
  const llvm::Loop& loop_;
  llvm::DenseMap<const Instruction*, State> state_;
  llvm::SmallVector<llvm::LoadInst*, 4> reads_;
  bool makesProgress_ = false;
};

bool writesNothing(const llvm::Loop& loop) {
  return llvm::all_of(loop.blocks(), [](const llvm::BasicBlock* block) {
    return llvm::all_of(*block, [](const Instruction& instruction) {
      return !instruction.mayWriteToMemory() || writesNothingOfOthers(instruction) ||
             calledOp(instruction).has_value() || llvm::isa<llvm::LoadInst>(instruction);
    });
  });
}

// --- Reads of functions that are called ------------------------------------------------------------

using Arguments = llvm::SmallVector<const llvm::Constant*, 4>;  // null: no constant

constexpr unsigned kDepth = 6;  // of calls

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

const llvm::Constant* constantOf(const Value* value, const Arguments& arguments) {
  while (const auto* read = llvm::dyn_cast_or_null<llvm::LoadInst>(value)) {
    const auto* variable = llvm::dyn_cast<llvm::AllocaInst>(read->getPointerOperand());
    value = variable != nullptr ? onlyValueOf(*variable) : nullptr;
  }
  if (const auto* argument = llvm::dyn_cast_or_null<llvm::Argument>(value))
    return argument->getArgNo() < arguments.size() ? arguments[argument->getArgNo()] : nullptr;
  return llvm::dyn_cast_or_null<llvm::Constant>(value);
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

CalledAccess accessOf(const llvm::CallBase& call, const Arguments& outer, unsigned depth);

CalledAccess accessOf(const Instruction& instruction, const Arguments& arguments, unsigned depth) {
  if (const auto* load = llvm::dyn_cast<llvm::LoadInst>(&instruction))
    return load->isSimple() || isPrivatePlace(load->getPointerOperand()) ? CalledAccess::kNone
                                                                         : CalledAccess::kPolls;
  if (const auto* update = llvm::dyn_cast<llvm::AtomicRMWInst>(&instruction)) {
    return addsNothing(*update, arguments) ? CalledAccess::kPolls : CalledAccess::kOther;
  }
  if (!instruction.mayWriteToMemory() || writesNothingOfOthers(instruction)) return CalledAccess::kNone;
  const auto* call = llvm::dyn_cast<llvm::CallBase>(&instruction);
  return call != nullptr ? accessOf(*call, arguments, depth) : CalledAccess::kOther;
}

CalledAccess accessOf(const llvm::CallBase& call, const Arguments& outer, unsigned depth) {
  const llvm::Function* function = call.getCalledFunction();
  if (llvm::isa<llvm::DbgInfoIntrinsic>(call) || call.isLifetimeStartOrEnd()) return CalledAccess::kNone;
  if (function == nullptr || function->isDeclaration() || depth == kDepth) return CalledAccess::kOther;
  Arguments arguments;
  for (const llvm::Use& argument : call.args()) arguments.push_back(constantOf(argument.get(), outer));
  bool polls = false;
  for (const Instruction& instruction : llvm::instructions(*function)) {
    const CalledAccess access = accessOf(instruction, arguments, depth + 1);
    if (access == CalledAccess::kOther) return access;
    polls |= access == CalledAccess::kPolls;
  }
  return polls ? CalledAccess::kPolls : CalledAccess::kNone;
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
    for (llvm::LoadInst* read : exits.reads()) read->setVolatile(true);
  }
}

CalledAccess accessOfCall(const llvm::CallBase& call) { return accessOf(call, {}, 0); }

bool readsOnly(const llvm::AtomicRMWInst& update) { return addsNothing(update, {}); }

}  // namespace musashim::mcc
