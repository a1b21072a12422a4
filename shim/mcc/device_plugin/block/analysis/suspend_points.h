// Suspend points, a coroutine's word: the calls at which threads wait for others, barriers and warp
// operations. All are convergent.
#pragma once

#include <memory>
#include <optional>
#include <vector>

#include "abi/musa_unit_abi.h"
#include "llvm/IR/Function.h"
#include "llvm/IR/Instructions.h"

namespace musashim::mcc {

// The operation that a function of the device runtime is; nullopt for other functions.
std::optional<MusaUnitOp> unitOp(llvm::StringRef functionName);
// The same of the function that an instruction calls.
std::optional<MusaUnitOp> calledOp(const llvm::Instruction& instruction);
// A call at which lanes of a warp meet. Not where a thread lets others run.
bool isMeeting(const llvm::Instruction& instruction);

// match_all returns its predicate through a pointer: it holds exactly when the result is not 0. This has the
// kernel store it, so that it becomes a value.
void storePredicates(llvm::Function& function);

// `before` ends with a branch to `after`. The call lies between them, in neither, once the compiler has taken
// its operands.
struct SuspendPoint {
  MusaUnitOp op = MUSA_OP_NONE;
  llvm::CallInst* call = nullptr;
  llvm::BasicBlock* before = nullptr;
  llvm::BasicBlock* after = nullptr;

  // The call's operands by role; null where the operation has none.
  llvm::Value* mask() const;
  llvm::Value* value() const;
  llvm::Value* argument() const;
  llvm::Value* width() const;
  bool hasResult() const { return !call->getType()->isVoidTy(); }
};

// Splits blocks so that each such call is the last instruction before its block's branch. Gives every path to
// the end a return of its own. The order is that of the function's blocks.
std::vector<std::unique_ptr<SuspendPoint>> splitAtSuspendPoints(llvm::Function& function);

}  // namespace musashim::mcc
