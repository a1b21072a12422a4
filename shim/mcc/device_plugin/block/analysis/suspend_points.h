// The places of a kernel where threads wait for others: barriers and warp operations.
#pragma once

#include <memory>
#include <optional>
#include <vector>

#include "abi/musa_unit_abi.h"
#include "llvm/IR/Function.h"
#include "llvm/IR/Instructions.h"

namespace musashim::mcc {

// What a call to the device runtime makes its threads do together; nullopt for other functions.
std::optional<MusaUnitOp> unitOp(llvm::StringRef functionName);
// The same of what an instruction calls.
std::optional<MusaUnitOp> calledOp(const llvm::Instruction& instruction);

// match_all tells its predicate through a pointer: it holds exactly when the result is not 0. Has the
// function itself store it, so that it becomes a value.
void storePredicates(llvm::Function& function);

// `before` ends with a branch to `after`; the call lies between them, in neither, once
// the compiler has taken its operands.
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

// Splits the function's blocks so that every such call is the last instruction but the
// branch of its block, and gives every way to the end a return of its own. The order is that of the
// function's blocks.
std::vector<std::unique_ptr<SuspendPoint>> splitAtSuspendPoints(llvm::Function& function);

}  // namespace musashim::mcc
