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

// Of the checks that say where to access: the operand that is the pointer.
constexpr unsigned kCheckedPointer = 2;

bool isOwnVariable(const CallInst& call) {
  if (calledName(call) != kAccessCheck) return false;
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
  const uint64_t bytes = constant(5);
  if ((bytes != 4 && bytes != 8 && bytes != 16) || constant(7) == MUSA_SITE_ATOMIC) return nullptr;
  BuilderBefore builder(call);
  return builder.CreateCall(
      code.inlined("near" + std::to_string(bytes / 4)),
      {code.state(builder), code.field(builder, offsetof(MusaCheckState, shared), code.i64),
       code.field(builder, offsetof(MusaCheckState, shared_bytes), code.i64),
       code.field(builder, offsetof(MusaCheckState, words), code.ptr),
       code.field(builder, offsetof(MusaCheckState, clocks), code.ptr), call.getArgOperand(kCheckedPointer),
       call.getArgOperand(3), call.getArgOperand(4), call.getArgOperand(6), call.getArgOperand(7),
       call.getArgOperand(9), call.getArgOperand(10)});
}

bool inlineChecks(CheckCode& code, llvm::Function& function) {
  llvm::SmallVector<CallInst*, 64> calls;
  for (llvm::Instruction& instruction : llvm::instructions(function)) {
    if (calledName(instruction).starts_with(kInlinePrefix))
      calls.push_back(llvm::cast<CallInst>(&instruction));
  }
  for (CallInst* call : calls) {
    if (isOwnVariable(*call)) {
      call->replaceAllUsesWith(call->getArgOperand(kCheckedPointer));
      call->eraseFromParent();
      continue;
    }
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

}  // namespace

void inlineChecks(llvm::Module& module, llvm::FunctionAnalysisManager& analyses) {
  if (enabledChecks() == 0) return;
  CheckCode code(module, enabledChecks());
  for (llvm::Function& function : module) {
    if (!function.isDeclaration() && inlineChecks(code, function)) simplify(function, analyses);
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
