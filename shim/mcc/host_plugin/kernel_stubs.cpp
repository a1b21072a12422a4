#include "kernel_stubs.h"

#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/Module.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"

namespace musashim::mcc {

namespace {

bool isStub(const llvm::Function& function) { return function.getName().contains("__device_stub__"); }

// Calls of a function by its name.
llvm::SmallVector<llvm::CallBase*> callsOf(llvm::Module& module, llvm::StringRef name) {
  llvm::SmallVector<llvm::CallBase*> calls;
  llvm::Function* function = module.getFunction(name);
  if (function == nullptr) return calls;
  for (llvm::User* user : function->users()) {
    auto* call = llvm::dyn_cast<llvm::CallBase>(user);
    if (call != nullptr && call->getCalledOperand() == function) calls.push_back(call);
  }
  return calls;
}

// The launch's call ends what is done when the configuration was taken: only ends of lifetimes follow.
llvm::CallBase* lastCall(llvm::BasicBlock& block) {
  for (llvm::Instruction& instruction : llvm::reverse(block)) {
    if (llvm::isa<llvm::IntrinsicInst>(instruction)) continue;
    if (auto* call = llvm::dyn_cast<llvm::CallBase>(&instruction)) return call;
  }
  llvm::BasicBlock* before = block.getSinglePredecessor();
  return before == nullptr ? nullptr : llvm::dyn_cast<llvm::InvokeInst>(before->getTerminator());
}

// A launch through a function pointer reads the stub from the variable; now the pointer is the stub.
void callPointer(llvm::CallBase& call) {
  auto* load = llvm::dyn_cast<llvm::LoadInst>(call.getCalledOperand());
  if (load == nullptr || !load->hasOneUse()) return;
  call.setCalledOperand(load->getPointerOperand());
  load->eraseFromParent();
}

//   if (__hipPushCallConfiguration(...) == 0) kernel(...);
void callPointersOfLaunch(llvm::CallBase& push) {
  for (llvm::User* test : push.users()) {
    for (llvm::User* user : test->users()) {
      auto* branch = llvm::dyn_cast<llvm::BranchInst>(user);
      if (branch == nullptr || !branch->isConditional()) continue;
      for (llvm::BasicBlock* last : llvm::predecessors(branch->getSuccessor(0))) {
        if (last == branch->getParent()) continue;
        if (llvm::CallBase* launch = lastCall(*last)) callPointer(*launch);
      }
    }
  }
}

void returnWithoutLaunch(llvm::CallBase& pop) {
  llvm::Function& stub = *pop.getFunction();
  if (!isStub(stub) || !stub.getReturnType()->isVoidTy() || !pop.use_empty()) return;
  llvm::IRBuilder<> builder(pop.getNextNode());
  llvm::Value* isMissing = builder.CreateIsNotNull(&pop);
  llvm::Instruction* end =
      llvm::SplitBlockAndInsertIfThen(isMissing, pop.getNextNode()->getNextNode(), /*Unreachable=*/true);
  llvm::ReplaceInstWithInst(end, llvm::ReturnInst::Create(stub.getContext()));
}

// The stub of the variable that has a kernel's name.
llvm::Function* stubOf(llvm::GlobalVariable& global) {
  if (!global.isConstant() || !global.hasInitializer()) return nullptr;
  auto* stub = llvm::dyn_cast<llvm::Function>(global.getInitializer());
  return stub != nullptr && isStub(*stub) ? stub : nullptr;
}

void nameStub(llvm::GlobalVariable& variable, llvm::Function& stub) {
  if (stub.isDeclarationForLinker()) {  // another unit has it
    variable.setInitializer(nullptr);
    variable.setLinkage(llvm::GlobalValue::ExternalLinkage);
    variable.setComdat(nullptr);
    return;
  }
  auto* name = llvm::GlobalAlias::create(stub.getFunctionType(), 0, variable.getLinkage(), "", &stub,
                                         variable.getParent());
  name->takeName(&variable);
  name->setVisibility(variable.getVisibility());
  name->setDSOLocal(variable.isDSOLocal());
  variable.replaceAllUsesWith(name);
  variable.eraseFromParent();
}

}  // namespace

llvm::PreservedAnalyses KernelStubs::run(llvm::Module& module, llvm::ModuleAnalysisManager& /*analyses*/) {
  for (llvm::CallBase* push : callsOf(module, "__hipPushCallConfiguration")) callPointersOfLaunch(*push);
  for (llvm::CallBase* pop : callsOf(module, "__hipPopCallConfiguration")) returnWithoutLaunch(*pop);
  for (llvm::GlobalVariable& global : llvm::make_early_inc_range(module.globals())) {
    if (llvm::Function* stub = stubOf(global)) nameStub(global, *stub);
  }
  return llvm::PreservedAnalyses::none();
}

}  // namespace musashim::mcc
