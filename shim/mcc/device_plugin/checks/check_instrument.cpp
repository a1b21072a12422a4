#include "check_instrument.h"

#include "check_accesses.h"
#include "check_code.h"
#include "check_options.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/Transforms/Utils/ModuleUtils.h"
#include "mcc/device_plugin/block/analysis/suspend_points.h"
#include "mcc/device_plugin/device_builtins.h"
#include "mcc/device_plugin/kernel_entry/reachability.h"
#include "mcc/device_plugin/passes.h"
#include "mcc/device_plugin/semantics/spin_loops.h"
#include "mcc/device_plugin/source_facts/annotations.h"

namespace musashim::mcc {
namespace {

using llvm::Constant;
using llvm::Function;
using llvm::IRBuilder;
using llvm::Value;

class Instrumenter {
 public:
  Instrumenter(llvm::Module& module, uint8_t checks)
      : module_(module), checks_(checks), code_(module, checks), accesses_(code_) {}

  void run() {
    const llvm::SmallVector<llvm::GlobalVariable*, 16> variables = ownVariables();
    for (Function& function : module_) {
      if (!isInstrumented(function)) continue;
      yieldInSpinLoops(function);  // which are not seen to be such any more
      instrument(function);
    }
    registerVariables(variables);
  }

 private:
  // --- Variables of the image -----------------------------------------------------

  llvm::SmallVector<llvm::GlobalVariable*, 16> ownVariables() {
    llvm::SmallVector<llvm::GlobalVariable*, 16> variables;
    for (llvm::GlobalVariable& global : module_.globals()) {
      const bool special = global.getName().starts_with("llvm.") || global.isThreadLocal() ||
                           global.getSection() == "llvm.metadata";
      if (special || global.isDeclaration() || global.hasAttribute(kSharedAnnotation)) continue;
      if (code_.layout.getTypeAllocSize(global.getValueType()) != 0) variables.push_back(&global);
    }
    return variables;
  }

  void registerVariables(llvm::ArrayRef<llvm::GlobalVariable*> variables) {
    std::vector<Constant*> rows;
    for (llvm::GlobalVariable* variable : variables) {
      const uint64_t bytes = code_.layout.getTypeAllocSize(variable->getValueType());
      rows.push_back(llvm::ConstantStruct::getAnon(
          {variable, llvm::ConstantInt::get(code_.i64, bytes), code_.sites.text(variable->getName().str())}));
    }
    Constant* table = llvm::ConstantPointerNull::get(code_.ptr);
    if (!rows.empty()) {
      auto* type = llvm::ArrayType::get(rows.front()->getType(), rows.size());
      table = new llvm::GlobalVariable(module_, type, true, llvm::GlobalValue::PrivateLinkage,
                                       llvm::ConstantArray::get(type, rows), "musa.check.variables");
    }
    Value* count = llvm::ConstantInt::get(code_.i64, rows.size());
    Function* begin = imageFunction("musa.check.begin", [&](IRBuilder<>& builder) {
      builder.CreateCall(
          code_.runtime("__musa_check_register", code_.none, {code_.ptr, code_.i64, code_.i32}),
          {table, count, builder.getInt32(checks_)});
    });
    Function* end = imageFunction("musa.check.end", [&](IRBuilder<>& builder) {
      builder.CreateCall(code_.runtime("__musa_check_unregister", code_.none, {code_.ptr, code_.i64}),
                         {table, count});
    });
    llvm::appendToGlobalCtors(module_, begin, 65535);
    llvm::appendToGlobalDtors(module_, end, 65535);
  }

  template <typename Body>
  Function* imageFunction(llvm::StringRef name, Body body) {
    Function* function = Function::Create(llvm::FunctionType::get(code_.none, false),
                                          llvm::GlobalValue::InternalLinkage, name, module_);
    IRBuilder<> builder(llvm::BasicBlock::Create(code_.context, "entry", function));
    body(builder);
    builder.CreateRetVoid();
    return function;
  }

  // --- Functions --------------------------------------------------------------------

  // The SDK's own reads of what the runtime keeps in host memory stay out of it, as they
  // would of LLVM's sanitizers.
  static bool isInstrumented(const Function& function) {
    return !function.isDeclaration() && !function.hasAvailableExternallyLinkage() &&
           !function.hasFnAttribute(llvm::Attribute::DisableSanitizerInstrumentation);
  }

  void instrument(Function& function) {
    llvm::SmallVector<llvm::Instruction*, 64> work;
    for (llvm::Instruction& instruction : llvm::instructions(function)) work.push_back(&instruction);
    for (llvm::Instruction* instruction : work) visit(*instruction);
    if (!function.hasFnAttribute(kKernelAttribute)) return;
    function.addFnAttr(kCheckedAttribute);
    if (!code_.wants(MUSA_CHECK_RACE | MUSA_CHECK_SYNC) || !mayWait(function)) return;
    for (llvm::Instruction* instruction : work) {
      if (!llvm::isa<llvm::ReturnInst>(instruction)) continue;
      BuilderBefore builder(*instruction);
      builder.CreateCall(code_.inlined("leave"), {code_.state(builder), code_.thread(builder)});
    }
  }

  static bool mayWait(Function& kernel) {
    return llvm::any_of(reachableFrom(kernel), [](const Function* function) {
      if (function->isDeclaration()) return unitOp(function->getName()).has_value();
      return llvm::any_of(llvm::instructions(*function), [](const llvm::Instruction& instruction) {
        const auto* call = llvm::dyn_cast<llvm::CallBase>(&instruction);
        return call != nullptr && call->isIndirectCall();
      });
    });
  }

  void visit(llvm::Instruction& instruction) {
    if (auto* call = llvm::dyn_cast<llvm::CallInst>(&instruction)) {
      const Function* callee = call->getCalledFunction();
      if (callee != nullptr && !callee->isIntrinsic()) visitCall(*call, callee->getName());
    }
    accesses_.visit(instruction);
  }

  void visitCall(llvm::CallInst& call, llvm::StringRef name) {
    BuilderBefore builder(call);
    const MusaUnitOp op = unitOp(name).value_or(MUSA_OP_NONE);
    if (musaOpIsBarrier(op)) {
      if (!code_.wants(MUSA_CHECK_RACE | MUSA_CHECK_SYNC)) return;
      builder.CreateCall(code_.inlined("barrier"),
                         {code_.state(builder), plainSite(call, MUSA_SITE_BARRIER), code_.thread(builder)});
    } else if (musaOpIsWarps(op) && op != MUSA_OP_ACTIVEMASK) {
      visitWarpOp(call, name == "__musa_syncwarp", builder);
      // The runtime stores to *predicate.
      if (name == "__musa_match_all") accesses_.visitArgument(call, 2, 4, MUSA_SITE_WRITE);
    } else if (name == kExitThreadName) {
      if (code_.wants(MUSA_CHECK_RACE | MUSA_CHECK_SYNC))
        builder.CreateCall(code_.inlined("leave"), {code_.state(builder), code_.thread(builder)});
    } else if (name == "__musa_malloc") {
      Value* result = builder.CreateCall(code_.runtime("__musa_check_malloc", code_.ptr, {code_.i64}),
                                         {call.getArgOperand(0)});
      call.replaceAllUsesWith(result);
      call.eraseFromParent();
    } else if (name == "__musa_free") {
      builder.CreateCall(code_.runtime("__musa_check_free", code_.none, {code_.ptr, code_.ptr, code_.i32}),
                         {call.getArgOperand(0), plainSite(call, MUSA_SITE_HEAP), code_.thread(builder)});
      call.eraseFromParent();
    }
  }

  void visitWarpOp(llvm::CallInst& call, bool isSync, IRBuilder<>& builder) {
    if (!code_.wants(MUSA_CHECK_SYNC) && !(isSync && code_.wants(MUSA_CHECK_RACE))) return;
    const uint8_t kind = isSync ? MUSA_SITE_SYNCWARP : MUSA_SITE_WARP;
    Value* mask =
        builder.CreateCall(code_.runtime("__musa_check_warp", code_.i32, {code_.ptr, code_.i32, code_.i32}),
                           {plainSite(call, kind), call.getArgOperand(0), code_.thread(builder)});
    // A full mask names every caller, and what is known to be full costs the operation less.
    const auto* full = llvm::dyn_cast<llvm::ConstantInt>(call.getArgOperand(0));
    if (full == nullptr || !full->isMinusOne()) call.setArgOperand(0, mask);
  }

  Constant* plainSite(const llvm::Instruction& instruction, uint8_t kind) {
    SiteFacts facts;
    facts.kind = kind;
    return code_.sites.site(instruction, facts);
  }

  llvm::Module& module_;
  const uint8_t checks_;
  CheckCode code_;
  AccessChecks accesses_;
};

}  // namespace

llvm::PreservedAnalyses CheckInstrument::run(llvm::Module& module, llvm::ModuleAnalysisManager&) {
  const uint8_t checks = enabledChecks();
  if (checks == 0) return llvm::PreservedAnalyses::all();
  Instrumenter(module, checks).run();
  return llvm::PreservedAnalyses::none();
}

}  // namespace musashim::mcc
