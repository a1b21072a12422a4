// Kernels as they were before LLVM has optimised them.
//
// LLVM takes a thread's accesses to be nobody else's: a store that the thread itself overwrites before it
// loads is removed, though another lane of its warp loads in between. Whether a kernel is warp-synchronous
// shows after optimisation only. So each kernel with shared memory is kept, and warp-synchronous ones begin
// anew.
#pragma once

#include "llvm/IR/Function.h"
#include "llvm/IR/PassManager.h"

namespace musashim::mcc {

// The copy that the pass KeepPristineKernels (passes.h) made, or null.
llvm::Function* pristineOf(llvm::Function& kernel);
// The function is such a copy.
bool isPristine(const llvm::Function& function);

// Has variables in registers and addresses as sums, and leaves memory alone. Loops that wait yield.
void clarify(llvm::Function& function, llvm::FunctionAnalysisManager& analyses);

// Gives the kernel the body of its copy, in which `prepare` has done its work, optimised.
void beginAnew(llvm::Function& kernel, llvm::FunctionAnalysisManager& analyses,
               llvm::function_ref<void(llvm::Function&)> prepare);

// Removes the copies.
void dropPristineKernels(llvm::Module& module);

// The kernel, or what it calls, does.
bool usesSharedMemory(llvm::Function& kernel);

// Inlines what `function` calls, as far as it is not much.
void inlineCalls(llvm::Function& function);

}  // namespace musashim::mcc
