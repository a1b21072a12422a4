#include "suspend_points.h"

#include "llvm/IR/CFG.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"
#include "mcc/device_plugin/device_builtins.h"

namespace musashim::mcc {
namespace {

// Which argument of the call plays which role; -1: none.
struct Roles {
  llvm::StringRef name;
  MusaUnitOp op;
  int mask, value, argument, width;
};

constexpr Roles kRoles[] = {
    {"__musa_syncthreads", MUSA_OP_BARRIER, -1, -1, -1, -1},
    {"__musa_syncthreads_count", MUSA_OP_BARRIER_COUNT, -1, 0, -1, -1},
    {"__musa_syncthreads_and", MUSA_OP_BARRIER_AND, -1, 0, -1, -1},
    {"__musa_syncthreads_or", MUSA_OP_BARRIER_OR, -1, 0, -1, -1},
    {"__musa_grid_sync", MUSA_OP_GRID_BARRIER, -1, -1, -1, -1},
    {"__musa_syncwarp", MUSA_OP_SYNCWARP, 0, -1, -1, -1},
    {"__musa_activemask", MUSA_OP_ACTIVEMASK, -1, -1, -1, -1},
    {"__musa_converge", MUSA_OP_CONVERGE, -1, -1, 0, -1},
    {"__musa_shfl_idx", MUSA_OP_SHFL_IDX, 0, 1, 2, 3},
    {"__musa_shfl_up", MUSA_OP_SHFL_UP, 0, 1, 2, 3},
    {"__musa_shfl_down", MUSA_OP_SHFL_DOWN, 0, 1, 2, 3},
    {"__musa_shfl_xor", MUSA_OP_SHFL_XOR, 0, 1, 2, 3},
    {"__musa_ballot", MUSA_OP_BALLOT, 0, 1, -1, -1},
    {"__musa_all", MUSA_OP_ALL, 0, 1, -1, -1},
    {"__musa_any", MUSA_OP_ANY, 0, 1, -1, -1},
    {"__musa_match_any", MUSA_OP_MATCH_ANY, 0, 1, -1, -1},
    {"__musa_match_all", MUSA_OP_MATCH_ALL, 0, 1, -1, -1},
    {"__musa_nanosleep", MUSA_OP_YIELD, -1, -1, 0, -1},
    {kStepName, MUSA_OP_STEP, -1, -1, -1, -1},
    {"__musa_barrier_wait", MUSA_OP_NAMED_WAIT, -1, -1, 0, 1},
};

const Roles* findRoles(llvm::StringRef name) {
  for (const Roles& roles : kRoles) {
    if (roles.name == name) return &roles;
  }
  return nullptr;
}

llvm::Value* operand(const llvm::CallInst& call, int Roles::* role) {
  const int index = findRoles(call.getCalledFunction()->getName())->*role;
  return index < 0 ? nullptr : call.getArgOperand(static_cast<unsigned>(index));
}

// A return that blocks share would be a place to reconverge.
void separateReturns(llvm::Function& function) {
  for (llvm::BasicBlock& block : llvm::make_early_inc_range(function)) {
    if (!llvm::isa<llvm::ReturnInst>(*block.getFirstNonPHIOrDbg()) || !block.phis().empty()) continue;
    llvm::SmallVector<llvm::BasicBlock*, 8> previous(llvm::predecessors(&block));
    for (llvm::BasicBlock* from : llvm::ArrayRef(previous).drop_front(previous.empty() ? 0 : 1)) {
      auto* copy = llvm::BasicBlock::Create(function.getContext(), "return", &function);
      block.getTerminator()->clone()->insertInto(copy, copy->end());
      from->getTerminator()->replaceSuccessorWith(&block, copy);
    }
  }
}

}  // namespace

std::optional<MusaUnitOp> unitOp(llvm::StringRef functionName) {
  const Roles* roles = findRoles(functionName);
  if (roles == nullptr) return std::nullopt;
  return roles->op;
}

std::optional<MusaUnitOp> calledOp(const llvm::Instruction& instruction) {
  return unitOp(calledName(instruction));
}

bool isMeeting(const llvm::Instruction& instruction) {
  const std::optional<MusaUnitOp> op = calledOp(instruction);
  return op.has_value() && op != MUSA_OP_YIELD;
}

llvm::Value* SuspendPoint::mask() const { return operand(*call, &Roles::mask); }
llvm::Value* SuspendPoint::value() const { return operand(*call, &Roles::value); }
llvm::Value* SuspendPoint::argument() const { return operand(*call, &Roles::argument); }
llvm::Value* SuspendPoint::width() const { return operand(*call, &Roles::width); }

void storePredicates(llvm::Function& function) {
  for (llvm::Instruction& instruction : llvm::instructions(function)) {
    if (calledOp(instruction) != MUSA_OP_MATCH_ALL) continue;
    auto& call = llvm::cast<llvm::CallInst>(instruction);
    llvm::IRBuilder<> builder(call.getNextNode());
    llvm::Value* holds = builder.CreateIsNotNull(&call);
    builder.CreateStore(builder.CreateZExt(holds, builder.getInt32Ty()), call.getArgOperand(2));
    call.setArgOperand(2, llvm::ConstantPointerNull::get(builder.getPtrTy()));
  }
}

std::vector<std::unique_ptr<SuspendPoint>> splitAtSuspendPoints(llvm::Function& function) {
  separateReturns(function);
  std::vector<llvm::CallInst*> calls;
  for (llvm::Instruction& instruction : llvm::instructions(function)) {
    if (calledOp(instruction)) calls.push_back(llvm::cast<llvm::CallInst>(&instruction));
  }
  std::vector<std::unique_ptr<SuspendPoint>> suspendPoints;
  for (llvm::CallInst* call : calls) {
    auto suspendPoint = std::make_unique<SuspendPoint>();
    suspendPoint->op = *calledOp(*call);
    suspendPoint->call = call;
    suspendPoint->before = call->getParent();
    suspendPoint->after = llvm::SplitBlock(call->getParent(), call->getNextNode());
    suspendPoints.push_back(std::move(suspendPoint));
  }
  return suspendPoints;
}

}  // namespace musashim::mcc
