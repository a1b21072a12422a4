#include "check_inline.h"

#include "check_calls.h"
#include "check_options.h"
#include "check_rows.h"
#include "llvm/Analysis/CaptureTracking.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/Transforms/InstCombine/InstCombine.h"
#include "llvm/Transforms/Scalar/EarlyCSE.h"
#include "llvm/Transforms/Scalar/SROA.h"
#include "llvm/Transforms/Scalar/SimplifyCFG.h"
#include "llvm/Transforms/Utils/Cloning.h"
#include "mcc/device_plugin/device_builtins.h"

namespace musashim::mcc {
namespace {

using llvm::CallInst;

bool isOwnVariable(const CallInst& call) {
  if (calledName(call) != kAccessCheck && calledName(call) != kGenericCheck) return false;
  return llvm::isa<llvm::AllocaInst>(
      llvm::getUnderlyingObject(uncheckedPointer(call.getArgOperand(kCheckedPointer)), 0));
}

// Calls are not taken to store an address. They may, but threads seldom look at it.
struct Storing final : llvm::CaptureTracker {
  void tooManyUses() override { stores = true; }
  bool captured(const llvm::Use* use) override {
    stores |= !llvm::isa<llvm::CallBase>(use->getUser());
    return stores;
  }
  bool stores = false;
};

bool isShared(const CallInst& call) {
  return isSharedBase(*llvm::getUnderlyingObject(uncheckedPointer(call.getArgOperand(kCheckedPointer)), 0));
}

// The check of shared memory in place of one of unknown memory, which came through a pointer parameter of a
// function that has been inlined. Null where there is none.
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
                                 kCheckedValue, kCheckedKnown, kCheckedThread})
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

void inlineCheck(CallInst& call) {
  llvm::InlineFunctionInfo info;
  llvm::InlineFunction(call, info);
}

// Whether the access is known to stay within its variable.
bool isInBounds(const CallInst& call) {
  if (calledName(call) != kBoundsCheck) return false;
  const auto* last = llvm::dyn_cast<llvm::ConstantInt>(call.getArgOperand(kCheckedLast));
  const llvm::DataLayout& layout = call.getModule()->getDataLayout();
  return last != nullptr && llvm::computeKnownBits(call.getArgOperand(kCheckedOffset), layout)
                                .getMaxValue()
                                .ule(last->getValue());
}

// Folds checks that cannot fail: of private variables, and of indices whose range is known. Bounds checks of
// private variables are inlined at once, because most such variables become registers then.
bool settleSomeChecks(llvm::Function& function) {
  bool changed = false;
  for (CallInst* call : checksIn(function)) {
    if (isOwnVariable(*call) || isInBounds(*call)) {
      call->replaceAllUsesWith(call->getArgOperand(kCheckedPointer));
      call->eraseFromParent();
    } else if (calledName(*call) == kBoundsCheck &&
               llvm::isa<llvm::AllocaInst>(call->getArgOperand(kCheckedBase))) {
      inlineCheck(*call);
    } else {
      continue;
    }
    changed = true;
  }
  return changed;
}

void useNearChecks(CheckCode& code, llvm::Function& function) {
  for (CallInst* call : checksIn(function)) {
    CallInst* near = nearCheck(code, *call);
    if (near == nullptr) continue;
    call->replaceAllUsesWith(near);
    call->eraseFromParent();
  }
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

// Repeats: variables that closures hold addresses of are seen to be private once the closures are registers.
void settle(llvm::Function& function, llvm::FunctionAnalysisManager& analyses) {
  while (settleSomeChecks(function)) simplify(function, analyses);
}

}  // namespace

void settleChecks(llvm::Module& module, llvm::FunctionAnalysisManager& analyses) {
  if (enabledChecks() == 0) return;
  CheckCode code(module, enabledChecks());
  for (llvm::Function& function : module) {
    if (function.isDeclaration()) continue;
    settle(function, analyses);
    useNearChecks(code, function);
  }
}

void inlineChecks(llvm::Module& module, llvm::FunctionAnalysisManager& analyses) {
  if (enabledChecks() == 0) return;
  CheckCode code(module, enabledChecks());
  for (llvm::Function& function : module) {
    if (function.isDeclaration() || checksIn(function).empty()) continue;
    analyses.invalidate(function, llvm::PreservedAnalyses::none());
    checkRows(code, function, analyses);
    for (CallInst* call : checksIn(function)) inlineCheck(*call);
    simplify(function, analyses);
  }
  code.releaseInlined();
}

const llvm::Value* uncheckedPointer(const llvm::Value* pointer) {
  while (pointer != nullptr && calledName(*pointer).starts_with(kInlinePrefix)) {
    pointer = askedAbout(*llvm::cast<CallInst>(pointer));
  }
  return pointer;
}

bool privateVariablesEscape(llvm::Function& kernel) {
  return llvm::any_of(llvm::instructions(kernel), [](llvm::Instruction& instruction) {
    if (!llvm::isa<llvm::AllocaInst>(instruction)) return false;
    Storing tracker;
    llvm::PointerMayBeCaptured(&instruction, &tracker);
    return tracker.stores;
  });
}

}  // namespace musashim::mcc
