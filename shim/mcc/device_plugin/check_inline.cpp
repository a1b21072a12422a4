#include "check_inline.h"

#include "check_code.h"
#include "check_options.h"
#include "device_builtins.h"
#include "llvm/Analysis/CaptureTracking.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/Transforms/InstCombine/InstCombine.h"
#include "llvm/Transforms/Scalar/EarlyCSE.h"
#include "llvm/Transforms/Scalar/SROA.h"
#include "llvm/Transforms/Scalar/SimplifyCFG.h"
#include "llvm/Transforms/Utils/Cloning.h"

namespace musashim::mcc {
namespace {

using llvm::CallInst;

// Operands of the checks that say where to access; all have the pointer there, and __musa_checked_access the
// others.
constexpr unsigned kCheckedPointer = 2, kCheckedSite = 3, kCheckedSlot = 4, kCheckedBytes = 5,
                   kCheckedAlign = 6, kCheckedKind = 7, kCheckedValue = 9, kCheckedKnown = 10;

bool isOwnVariable(const CallInst& call) {
  if (calledName(call) != kAccessCheck && calledName(call) != kGenericCheck) return false;
  return llvm::isa<llvm::AllocaInst>(
      llvm::getUnderlyingObject(uncheckedPointer(call.getArgOperand(kCheckedPointer)), 0));
}

// A call may store an address as well; what does, threads seldom look at.
struct Storing final : llvm::CaptureTracker {
  void tooManyUses() override { stores = true; }
  bool captured(const llvm::Use* use) override {
    stores |= !llvm::isa<llvm::CallBase>(use->getUser());
    return stores;
  }
  bool stores = false;
};

bool isShared(const CallInst& call) {
  const llvm::Value* object =
      llvm::getUnderlyingObject(uncheckedPointer(call.getArgOperand(kCheckedPointer)), 0);
  return calledName(*object) == kSharedBaseName || calledName(*object) == kDynamicSharedName;
}

// A check of shared memory for one of memory that was not known to be: through a pointer that is a parameter
// of a function that has been inlined. Null where there is none.
CallInst* nearCheck(CheckCode& code, CallInst& call) {
  if (!code.wants(MUSA_CHECK_RACE) || calledName(call) != kAccessCheck || !isShared(call)) return nullptr;
  const auto constant = [&](unsigned operand) {
    return llvm::cast<llvm::ConstantInt>(call.getArgOperand(operand))->getZExtValue();
  };
  const uint64_t words = CheckCode::wordsOf(constant(kCheckedBytes));
  if (words == 0 || constant(kCheckedKind) == MUSA_SITE_ATOMIC) return nullptr;
  BuilderBefore builder(call);
  llvm::SmallVector<llvm::Value*, 16> operands = code.wordOperands(builder);
  for (const unsigned operand : {kCheckedPointer, kCheckedSite, kCheckedSlot, kCheckedAlign, kCheckedKind,
                                 kCheckedValue, kCheckedKnown})
    operands.push_back(call.getArgOperand(operand));
  return builder.CreateCall(code.inlined("near" + std::to_string(words)), operands);
}

using Calls = llvm::SmallVector<CallInst*, 64>;

Calls checksIn(llvm::Function& function) {
  Calls calls;
  for (llvm::Instruction& instruction : llvm::instructions(function)) {
    if (calledName(instruction).starts_with(kInlinePrefix))
      calls.push_back(llvm::cast<CallInst>(&instruction));
  }
  return calls;
}

bool dropChecksOfOwnVariables(llvm::Function& function) {
  bool dropped = false;
  for (CallInst* call : checksIn(function)) {
    if (!isOwnVariable(*call)) continue;
    call->replaceAllUsesWith(call->getArgOperand(kCheckedPointer));
    call->eraseFromParent();
    dropped = true;
  }
  return dropped;
}

bool inlineChecks(CheckCode& code, llvm::Function& function) {
  const Calls calls = checksIn(function);
  for (CallInst* call : calls) {
    if (CallInst* near = nearCheck(code, *call)) {
      call->replaceAllUsesWith(near);
      call->eraseFromParent();
      call = near;
    }
    llvm::InlineFunctionInfo info;
    llvm::InlineFunction(*call, info);
  }
  return !calls.empty();
}

void simplify(llvm::Function& function, llvm::FunctionAnalysisManager& analyses) {
  analyses.invalidate(function, llvm::PreservedAnalyses::none());
  llvm::FunctionPassManager passes;
  passes.addPass(llvm::SROAPass(llvm::SROAOptions::ModifyCFG));
  passes.addPass(llvm::EarlyCSEPass());
  passes.addPass(llvm::SimplifyCFGPass());
  passes.addPass(llvm::InstCombinePass());
  passes.addPass(llvm::SimplifyCFGPass());
  analyses.invalidate(function, passes.run(function, analyses));
}

// Addresses of variables that others keep, as closures do, are seen to be such once those are in registers.
void settleOwnVariables(llvm::Function& function, llvm::FunctionAnalysisManager& analyses) {
  while (dropChecksOfOwnVariables(function)) simplify(function, analyses);
}

}  // namespace

void inlineChecks(llvm::Module& module, llvm::FunctionAnalysisManager& analyses) {
  if (enabledChecks() == 0) return;
  CheckCode code(module, enabledChecks());
  for (llvm::Function& function : module) {
    if (function.isDeclaration()) continue;
    settleOwnVariables(function, analyses);
    if (inlineChecks(code, function)) simplify(function, analyses);
  }
  code.releaseInlined();
}

bool isSlowCheck(const llvm::Value& value) { return calledName(value).starts_with(kSlowPrefix); }

const llvm::Value* uncheckedPointer(const llvm::Value* pointer) {
  if (pointer == nullptr) return nullptr;
  const llvm::StringRef check = calledName(*pointer);
  if (check.starts_with(kInlinePrefix)) {
    return uncheckedPointer(llvm::cast<CallInst>(pointer)->getArgOperand(kCheckedPointer));
  }
  const auto* phi = llvm::dyn_cast<llvm::PHINode>(pointer);
  if (phi == nullptr ||
      llvm::none_of(phi->incoming_values(), [](const auto& use) { return isSlowCheck(*use); }))
    return pointer;
  const llvm::Value* place = nullptr;
  for (const llvm::Value* value : phi->incoming_values()) {
    if (isSlowCheck(*value) || value == place) continue;
    if (place != nullptr) return pointer;
    place = value;
  }
  return place != nullptr ? uncheckedPointer(place) : pointer;
}

bool givesVariablesAway(llvm::Function& kernel) {
  return llvm::any_of(llvm::instructions(kernel), [](llvm::Instruction& instruction) {
    if (!llvm::isa<llvm::AllocaInst>(instruction)) return false;
    Storing tracker;
    llvm::PointerMayBeCaptured(&instruction, &tracker);
    return tracker.stores;
  });
}

}  // namespace musashim::mcc
